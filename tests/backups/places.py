"""Where installations live, and the commands that move them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import psycopg

from atrium.kit.settings import Settings
from tests.conftest import ATRIUM, scratch_folder


@dataclass(frozen=True)
class Place:
    """An installation: its settings, and what the commands need beside them."""

    settings: Settings
    credentials: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.settings.data_dir

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run `atrium` with these words here."""
        environment = {**os.environ, **self.settings.environment(), **self.credentials}
        return subprocess.run(
            [ATRIUM, *words], env=environment, capture_output=True, text=True, timeout=240, check=False
        )

    def does(self, *words: str | Path) -> str:
        """Run it, and see that it went well; what it said."""
        done = self.run(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def refuses(self, *words: str | Path) -> str:
        """Run it, and see that it was refused, in one line: the line."""
        done = self.run(*words)
        assert done.returncode == 1, done.stdout + done.stderr
        said = [line for line in done.stderr.splitlines() if line.startswith("atrium: ")]
        assert len(said) == 1, done.stderr
        assert "Traceback" not in done.stderr
        return said[0].removeprefix("atrium: ")


@contextmanager
def in_a_folder() -> Iterator[Place]:
    """Everything in a data folder that is empty."""
    with scratch_folder() as folder:
        yield Place(Settings(data_dir=folder / "data", port=0, rate_limit=0))


@contextmanager
def with_postgresql(settings: Settings, **changes: object) -> Iterator[Place]:
    """An empty database of a PostgreSQL that somebody else runs, and a folder for the rest."""
    url, name = settings.database_url or "", f"place_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"create database {name}".encode())
    with scratch_folder() as folder:
        own = Settings(data_dir=folder, database_url=url.replace("/atrium?", f"/{name}?"), port=0, rate_limit=0)
        yield Place(own.with_changes(**changes))
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"drop database {name} with (force)".encode())

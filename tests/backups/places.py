"""Where installations live, and the commands that move them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import psycopg
import pytest

from atrium.cli.main import main
from atrium.kit.settings import Settings
from tests.conftest import ATRIUM, scratch_folder


class Ran(NamedTuple):
    """What a command that was run came to."""

    code: int
    stdout: str
    stderr: str

    def well(self) -> str:
        """See that it went well; what it said."""
        assert self.code == 0, self.stdout + self.stderr
        return self.stdout

    def refused(self) -> str:
        """See that it was refused, in one line: the line."""
        assert self.code == 1, f"{self.code}: {self.stdout}{self.stderr}"
        said = [line for line in self.stderr.splitlines() if line.startswith("atrium: ")]
        assert len(said) == 1, self.stderr
        assert "Traceback" not in self.stderr
        return said[0].removeprefix("atrium: ")


@dataclass(frozen=True)
class Place:
    """An installation: its settings, and what the commands need beside them."""

    settings: Settings
    credentials: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.settings.data_dir

    def run(self, *words: str | Path) -> Ran:
        """Run `atrium` with these words here, in this process: a process of its own spends seconds on its imports."""
        environment = {**self.settings.environment(), **self.credentials}
        arguments = ["atrium", *map(str, words)]
        with (
            redirect_stdout(StringIO()) as out,
            redirect_stderr(StringIO()) as err,
            pytest.MonkeyPatch.context() as patch,
        ):
            patch.setattr(sys, "argv", arguments)
            for name, value in environment.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        return Ran(int(ended.value.code or 0), out.getvalue(), err.getvalue())

    def apart(self, *words: str | Path) -> Ran:
        """Run it as people do, in a process of its own."""
        environment = {**os.environ, **self.settings.environment(), **self.credentials}
        done = subprocess.run(
            [ATRIUM, *words], env=environment, capture_output=True, text=True, timeout=240, check=False
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def does(self, *words: str | Path) -> str:
        """Run it, and see that it went well; what it said."""
        return self.run(*words).well()

    def refuses(self, *words: str | Path) -> str:
        """Run it, and see that it was refused, in one line: the line."""
        return self.run(*words).refused()


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

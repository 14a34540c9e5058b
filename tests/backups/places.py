"""Installations, and the commands that back them up and restore them."""

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


class Result(NamedTuple):
    """The result of a command."""

    code: int
    stdout: str
    stderr: str

    def assert_success(self) -> str:
        """Assert that it succeeded; return its standard output."""
        assert self.code == 0, self.stdout + self.stderr
        return self.stdout

    def assert_failure(self) -> str:
        """Assert that it failed with a one-line error; return the error."""
        assert self.code == 1, f"{self.code}: {self.stdout}{self.stderr}"
        errors = [line for line in self.stderr.splitlines() if line.startswith("atrium: ")]
        assert len(errors) == 1, self.stderr
        assert "Traceback" not in self.stderr
        return errors[0].removeprefix("atrium: ")


@dataclass(frozen=True)
class Place:
    """An installation: its settings, and the credentials that the commands need."""

    settings: Settings
    credentials: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.settings.data_dir

    def run(self, *words: str | Path) -> Result:
        """Run `atrium` with these arguments in this process, which saves seconds of imports."""
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
        return Result(int(ended.value.code or 0), out.getvalue(), err.getvalue())

    def run_process(self, *words: str | Path) -> Result:
        """Run it in its own process, as people do."""
        environment = {**os.environ, **self.settings.environment(), **self.credentials}
        done = subprocess.run(
            [ATRIUM, *words], env=environment, capture_output=True, text=True, timeout=240, check=False
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def succeeds(self, *words: str | Path) -> str:
        """Run it; assert that it succeeds and return its standard output."""
        return self.run(*words).assert_success()

    def fails(self, *words: str | Path) -> str:
        """Run it; assert that it fails with a one-line error and return the error."""
        return self.run(*words).assert_failure()


@contextmanager
def in_a_folder() -> Iterator[Place]:
    """Yield an installation in an empty data folder."""
    with scratch_folder() as folder:
        yield Place(Settings(data_dir=folder / "data", port=0, rate_limit=0))


@contextmanager
def with_postgresql(settings: Settings, **changes: object) -> Iterator[Place]:
    """Yield an installation with an empty database of an external PostgreSQL, and a folder for the rest."""
    url, name = settings.database_url or "", f"place_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"create database {name}".encode())
    with scratch_folder() as folder:
        own = Settings(data_dir=folder, database_url=url.replace("/atrium?", f"/{name}?"), port=0, rate_limit=0)
        yield Place(own.with_changes(**changes))
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"drop database {name} with (force)".encode())

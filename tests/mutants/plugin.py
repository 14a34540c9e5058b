"""A pytest plugin: the runner starts one database server for all mutations; each gets an empty database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import psycopg
import pytest

from atrium.kit.settings import Settings
from tests import conftest

FOLDER, URL = "MUTANTS_FOLDER", "MUTANTS_DATABASE"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Skip creating a database, which takes seconds, and shrinking examples, which takes minutes.

    Whether a fault is found is enough; the smallest example is not needed.
    """
    searching = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutants", hypothesis.settings.default, phases=searching)
    hypothesis.settings.load_profile("mutants")
    if folder := os.environ.get(FOLDER):
        conftest._prepared = lambda: Path(folder)
        conftest.own_postgres = _emptied


@contextmanager
def _emptied() -> Iterator[Settings]:
    url = os.environ[URL]
    with psycopg.connect(url, dbname="postgres", autocommit=True) as db:
        db.execute("drop database if exists atrium with (force)")
        db.execute(f"create database atrium template {conftest.EMPTY}".encode())
    with conftest.scratch_folder() as folder:
        yield Settings(data_dir=folder, database_url=url, port=0, workers=1, rate_limit=0)

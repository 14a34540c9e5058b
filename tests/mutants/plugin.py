"""A pytest plugin: the tests of a fault run on an empty database with its SQL functions, on a server that exists."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import psycopg
import pytest

from atrium.kit.settings import Settings
from tests import conftest
from tests.mutants.replacing import replace_functions

FOLDER, URL = "MUTANTS_FOLDER", "MUTANTS_DATABASE"
OTHER_TEMPLATE = "empty_with_fault"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Skip creating a database, which takes seconds, and shrinking examples, which takes minutes."""
    searching = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutants", hypothesis.settings.default, phases=searching)
    hypothesis.settings.load_profile("mutants")
    conftest._template_folder = lambda: Path(os.environ[FOLDER])
    conftest.own_postgres = _other_database


@contextmanager
def _other_database() -> Iterator[Settings]:
    url = os.environ[URL]
    with psycopg.connect(url, dbname="postgres", autocommit=True) as db:
        for name in (OTHER_TEMPLATE, "atrium"):
            db.execute(f"drop database if exists {name} with (force)".encode())
        db.execute(f"create database {OTHER_TEMPLATE} template {conftest.EMPTY}".encode())
        replace_functions(url.replace("/atrium?", f"/{OTHER_TEMPLATE}?"))
        db.execute(f"create database atrium template {OTHER_TEMPLATE}".encode())
    conftest.EMPTY = OTHER_TEMPLATE
    with conftest.scratch_folder() as folder:
        yield Settings(data_dir=folder, database_url=url, port=0, workers=1, rate_limit=0)

"""The schema is created automatically and once by concurrent processes; a newer database is left unchanged."""

import os
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.migrations import SchemaMismatch, migrate
from tests.conftest import ATRIUM, free_port, scratch_folder

PROGRAM = "import sys; from atrium.migrations import migrate; migrate(sys.argv[1])"
NEWER = "update alembic_version set version_num = '9999_from_the_future'"
TABLES = "select count(*) from information_schema.tables where table_schema = 'public'"


@pytest.fixture
def empty(settings: Settings) -> Iterator[str]:
    """Return the URL of an empty database."""
    name = f"empty_{os.urandom(4).hex()}"
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"create database {name}")
    yield settings.database_url.replace("/atrium?", f"/{name}?")
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"drop database {name} with (force)")


def test_several_processes_that_migrate_concurrently_all_succeed(empty: str) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, empty], stderr=subprocess.PIPE, text=True) for _ in range(5)
    ]
    ends = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
    assert [code for _, code in ends] == [0] * 5, ends
    with psycopg.connect(empty) as db:
        assert db.execute("select count(*) from alembic_version").fetchone() == (1,)


def test_migrating_again_changes_nothing(empty: str) -> None:
    migrate(empty)
    with psycopg.connect(empty) as db:
        before = db.execute(TABLES).fetchone()
    migrate(empty)
    with psycopg.connect(empty) as db:
        assert db.execute(TABLES).fetchone() == before


def test_a_database_of_this_release_is_recognized_without_the_migration_library(empty: str) -> None:
    migrate(empty)
    program = f"{PROGRAM}; assert not {{'alembic', 'sqlalchemy'}} & set(sys.modules), 'imported'"
    done = subprocess.run(
        [sys.executable, "-c", program, empty], stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("address", ["postgresql://nobody@127.0.0.1:9/none", "postgresql://x?what=1", "no address"])
def test_an_unreachable_database_is_an_error_in_one_line(address: str) -> None:
    done = subprocess.run(
        [ATRIUM, "mail"],
        env={**os.environ, "ATRIUM_DATABASE_URL": address},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("atrium: the database at ATRIUM_DATABASE_URL cannot be reached")
    assert done.stderr.strip().count("\n") == 0, done.stderr


@pytest.mark.contract("Backups, packages, upgrades 7")
def test_a_database_of_a_later_release_is_rejected_and_not_changed(empty: str) -> None:
    migrate(empty)
    with psycopg.connect(empty, autocommit=True) as db:
        db.execute(NEWER)
    with pytest.raises(SchemaMismatch, match="another release"):
        migrate(empty)
    with scratch_folder() as folder:
        environment = Settings(data_dir=folder, database_url=empty, port=free_port()).environment()
        refused = subprocess.run(
            [ATRIUM, "serve"], env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
        )
    assert refused.returncode == 1
    assert refused.stderr.startswith("atrium: The database is of another release")
    assert refused.stderr.strip().count("\n") == 0, refused.stderr
    with psycopg.connect(empty) as db:
        assert db.execute("select version_num from alembic_version").fetchone() == ("9999_from_the_future",)

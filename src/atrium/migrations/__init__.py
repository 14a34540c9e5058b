"""The database schema, revision by revision: plain SQL, forward only, applied at every start."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

HERE = Path(__file__).parent
LOCK = "select pg_advisory_xact_lock(4125871)"
OLDEST = 160000


class SchemaMismatch(Exception):
    """The database cannot be brought to the schema of this release."""


def migrate(url: str) -> None:
    """Bring the database at `url` to the newest revision. Several processes may do so at once: one does, others wait.

    Raises SchemaMismatch for a database of a newer release, or a PostgreSQL before 16.
    """
    with changing_schema(url) as connection:
        upgrade(connection)


@contextmanager
def changing_schema(url: str) -> Iterator[Connection]:
    """A transaction in which nobody else changes the schema. Raises SchemaMismatch for a PostgreSQL before 16."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.begin() as connection:
        version = connection.exec_driver_sql("show server_version_num").scalar_one()
        if int(version) < OLDEST:
            raise SchemaMismatch(f"Atrium needs PostgreSQL 16 or later; this one is {int(version) // 10000}.")
        connection.exec_driver_sql(LOCK)
        yield connection


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema forward to a revision, within the transaction of `changing_schema`. Raises SchemaMismatch."""
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise SchemaMismatch(f"The database is of another release of Atrium: {error}") from error

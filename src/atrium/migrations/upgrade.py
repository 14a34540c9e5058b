"""Run the revisions that a database lacks."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from atrium.kit.postgres import locks
from atrium.migrations import HERE, SchemaMismatch, connected

LOCK = f"select pg_advisory_xact_lock({locks.SCHEMA})"


@contextmanager
def changing_schema(url: str) -> Iterator[Connection]:
    """Yield a connection in a transaction that holds the lock for changes of the schema.

    Raise SchemaMismatch for a PostgreSQL before 16, and psycopg.Error for errors of the database.
    """
    engine = create_engine("postgresql+psycopg://", creator=lambda: connected(url), poolclass=NullPool)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(LOCK)
            yield connection
    except DBAPIError as error:
        raise (error.orig or error) from None


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Migrate the schema to a revision, in the transaction of `changing_schema`. Raise SchemaMismatch."""
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise SchemaMismatch(f"The database is of another release of Atrium: {error}") from error

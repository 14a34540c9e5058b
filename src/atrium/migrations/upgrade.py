"""Running the revisions that a database lacks."""

import psycopg
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from atrium.migrations import HERE, SchemaMismatch

LOCK = "select pg_advisory_xact_lock(4125871)"


def upgrade(url: str) -> None:
    """Run them in one transaction, under a lock. Raises SchemaMismatch for a database of a newer release."""
    config = Config()
    config.set_main_option("script_location", str(HERE))
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql(LOCK)
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise SchemaMismatch(f"The database is of another release of Atrium: {error}") from error

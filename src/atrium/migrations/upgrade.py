"""Run the revisions that a database lacks, then make its functions, views and triggers."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from psycopg.sql import SQL
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from atrium.kit.postgres import locks
from atrium.migrations import BEGIN_LOG, HERE, SchemaMismatch, connected, note, scripts

LOCK = f"select pg_advisory_xact_lock({locks.SCHEMA})"
# A function may call others, whose files run later.
UNCHECKED = "set local check_function_bodies = off"
# Statements that drop the triggers and functions which no file has made in this transaction, except those of extensions
# and of other roles. Triggers come first, because they need their functions.
# Returns: statement
LEFT_OVER = """
select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
from pg_trigger t join pg_class c on c.oid = tgrelid
where relnamespace = current_schema()::regnamespace and pg_get_userbyid(relowner) = current_user
  and not tgisinternal and tgparentid = 0 and t.xmin <> pg_current_xact_id()::xid
union all
select 'drop function ' || string_agg(p.oid::regprocedure::text, ', ') from pg_proc p
where pronamespace = current_schema()::regnamespace and pg_get_userbyid(proowner) = current_user
  and prokind = 'f' and p.xmin <> pg_current_xact_id()::xid
  and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
having count(*) > 0 order by statement desc
"""
NOTE = SQL("comment on table alembic_version is {}")


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


def upgrade(connection: Connection) -> None:
    """Give the database the schema of this release, in the transaction of `changing_schema`. Raise SchemaMismatch."""
    upgrade_tables(connection, "head")
    db = driver_of(connection)
    db.execute(UNCHECKED)
    for script in scripts():
        db.execute(script.read_bytes())
    for (statement,) in db.execute(LEFT_OVER).fetchall():
        db.execute(statement)
    db.execute(NOTE.format(note()))
    db.execute(BEGIN_LOG)


def upgrade_tables(connection: Connection, revision: str) -> None:
    """Migrate the tables alone to a revision, for a restore: triggers would fire, and functions may need later tables.

    Raise SchemaMismatch.
    """
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise SchemaMismatch(f"The database is of another release of Atrium: {error}") from error


def driver_of(connection: Connection) -> psycopg.Connection:
    """Return the driver's connection, which runs a file of several statements as it stands."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError("migrations run on psycopg")
    return driver

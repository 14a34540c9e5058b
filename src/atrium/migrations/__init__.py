"""The database schema, revision by revision: plain SQL, forward only, applied at every start."""

from pathlib import Path

import psycopg

from atrium.kit.postgres.hosts import writable

HERE = Path(__file__).parent
NEWEST = max(file.stem[:4] for file in (HERE / "versions").glob("[0-9]*.py"))
# Returns: exists
EXISTS = "select to_regclass('alembic_version') is not null as exists"
# Returns: version_num
REVISIONS = "select version_num from alembic_version"
OLDEST = 160000


class SchemaMismatch(Exception):
    """The database cannot be migrated to the schema of this release."""


def migrate(url: str) -> None:
    """Migrate the database at `url` to the newest revision. Of several processes one does it, and the others wait.

    Raise SchemaMismatch for a database of a newer release or a PostgreSQL before 16, and psycopg.Error if the database
    is not available.
    """
    with connected(url) as connection:
        if _is_newest(connection):
            return
    from atrium.migrations.upgrade import changing_schema, upgrade  # noqa: PLC0415 - half a second, once a release

    with changing_schema(url) as changing:
        upgrade(changing)


def connected(url: str) -> psycopg.Connection:
    """Return a connection to the database at `url`. Raise SchemaMismatch for a PostgreSQL before 16."""
    connection = psycopg.connect(url, **writable(url))
    version = connection.info.server_version
    if version < OLDEST:
        connection.close()
        raise SchemaMismatch(f"Atrium needs PostgreSQL 16 or later; this one is {version // 10000}.")
    return connection


def _is_newest(connection: psycopg.Connection) -> bool:
    exists = connection.execute(EXISTS).fetchone() == (True,)
    return exists and connection.execute(REVISIONS).fetchall() == [(NEWEST,)]

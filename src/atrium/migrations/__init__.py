"""The database schema: revisions of the tables, and a file for each function, view and trigger.

Revisions are plain SQL, forward only. Functions, views and triggers are made again from their files whenever these have
changed.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import psycopg

from atrium import __version__
from atrium.kit.postgres.hosts import writable

HERE = Path(__file__).parent
NEWEST = max(file.stem[:4] for file in (HERE / "versions").glob("[0-9]*.py"))
# Returns: exists
EXISTS = "select to_regclass('alembic_version') is not null as exists"
# The note has the release that changed the schema last, and the digest of its functions, views and triggers.
# Returns: version_num, note
STATE = "select version_num, obj_description('alembic_version'::regclass) as note from alembic_version"
BEGIN_LOG = "select begin_log()"
OLDEST = 160000


class SchemaMismatch(Exception):
    """The database cannot be migrated to the schema of this release."""


def migrate(url: str) -> None:
    """Give the database at `url` the schema of this release. Of several processes one does it, and the others wait.

    Raise SchemaMismatch for a database of a newer release or a PostgreSQL before 16, and psycopg.Error if the database
    is not available.
    """
    with connected(url) as connection:
        if is_current(connection):
            connection.execute(BEGIN_LOG)
            return
    from atrium.migrations.upgrade import changing_schema, driver_of, upgrade  # noqa: PLC0415 - half a second

    with changing_schema(url) as changing:
        if not is_current(driver_of(changing)):
            upgrade(changing)


def connected(url: str) -> psycopg.Connection:
    """Return a connection to the database at `url`. Raise SchemaMismatch for a PostgreSQL before 16 or without UTF8."""
    connection = psycopg.connect(url, **writable(url))
    version, encoding = connection.info.server_version, connection.info.parameter_status("server_encoding")
    if version >= OLDEST and encoding == "UTF8":
        return connection
    connection.close()
    if version < OLDEST:
        raise SchemaMismatch(f"Atrium needs PostgreSQL 16 or later; this one is {version // 10000}.")
    raise SchemaMismatch(f"Atrium needs a database with the encoding UTF8; this one has {encoding}.")


def is_current(connection: psycopg.Connection) -> bool:
    """Return whether a database has the schema of this release. Raise SchemaMismatch if a later one has changed it."""
    if connection.execute(EXISTS).fetchone() != (True,):
        return False
    state = connection.execute(STATE).fetchall()
    release = str(state[0][1] or "0").partition(" ")[0] if state else "0"
    if _order(release) > _order(__version__):  # its functions may call what this release lacks
        raise SchemaMismatch(f"The database is of another release of Atrium: {release}")
    return state == [(NEWEST, note())]


def scripts() -> Iterator[Path]:
    """Yield the files of functions, views and triggers, in the order in which they run."""
    for folder in ("functions", "views", "triggers"):
        yield from sorted((HERE / folder).glob("*.sql"))


def note() -> str:
    """Return the note that a database with the functions, views and triggers of this release has."""
    digest = sha256()
    for script in scripts():
        digest.update(script.read_bytes())
    return f"{__version__} {digest.hexdigest()}"


def _order(release: str) -> list[tuple[int, int, str]]:
    """Return the sort key of a release: 1.0rc1 comes before 1.0, and 1.0 before 1.0.1."""
    parts = re.findall("[0-9]+|[a-z]+", release.lower())
    return [*((2, int(part), "") if part.isdigit() else (0, 0, part) for part in parts), (1, 0, "")]

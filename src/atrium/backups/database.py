"""The tables: copied as one snapshot sees them, and brought back into the schema of their time."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from graphlib import TopologicalSorter
from typing import Any, NamedTuple, TypeAlias
from zipfile import ZipFile

import psycopg
from psycopg import sql
from sqlalchemy import Connection

from atrium.backups import queries
from atrium.backups.archive import TABLES, BrokenBackup, Manifest, Table, Tell, content_of, put_table, some
from atrium.migrations.upgrade import changing_schema, upgrade

Database: TypeAlias = psycopg.RawCursor[Any]
COPY_OUT = sql.SQL("copy (select {columns} from {table}) to stdout")
COPY_IN = sql.SQL("copy {table} ({columns}) from stdin")
DISABLE, ENABLE = (
    sql.SQL("alter table {table} disable trigger user"),
    sql.SQL("alter table {table} enable trigger user"),
)
TRUNCATE = sql.SQL("truncate {tables}")


class NotEmpty(Exception):
    """Something is there already where a backup would be restored to."""


class Piece(NamedTuple):
    """A piece of the storage that the database names."""

    name: str
    size: int


class Snapshot(NamedTuple):
    """What was copied, as of `taken_at`, and the media that belongs to it."""

    revision: str
    taken_at: datetime
    tables: dict[str, Table]
    sequences: dict[str, int]
    pieces: list[Piece]
    sealed: list[bytes]
    left_out: list[str]


class Restored(NamedTuple):
    """Tables that no schema of ours has, and secrets that only the right key opens."""

    foreign: list[str]
    sealed: list[bytes]


@contextmanager
def holding(url: str) -> Iterator[Database]:
    """A connection that keeps what a snapshot names in the storage for as long as it is open."""
    with psycopg.connect(url, autocommit=True) as connection, psycopg.RawCursor(connection) as db:
        db.execute(queries.SESSION)
        db.execute(queries.HOLD_MEDIA)
        yield db


def is_holding(db: Database) -> bool:
    """Whether the connection never broke."""
    try:
        return bool(_value(db, queries.STILL_HELD))
    except psycopg.OperationalError:
        return False


def revision_of(db: Database) -> str | None:
    """The revision of the schema; None where there is none."""
    try:
        return str(_value(db, queries.REVISION))
    except psycopg.errors.UndefinedTable:
        return None


def _value(db: Database, statement: str) -> Any:
    return db.execute(statement).fetchall()[0][0]


def _column(db: Database, statement: str) -> list[Any]:
    return [value for (value,) in db.execute(statement)]


def copy_out(db: Database, archive: ZipFile, tell: Tell) -> Snapshot:
    """Write all tables as they are at one moment; nothing waits for it."""
    db.execute(queries.HOLD_SCHEMA)
    db.execute(queries.BEGIN)
    taken_at, revision = _value(db, queries.NOW), str(_value(db, queries.REVISION))
    tables = _copy_tables(db, archive, tell)
    has_media = {"media_parts", "attachments"} <= tables.keys()
    pieces = [Piece(*row) for row in db.execute(queries.PIECES)] if has_media else []
    sealed = _column(db, queries.SEALED) if "webhooks" in tables else []
    sequences = {name: last for name, last in db.execute(queries.SEQUENCES) if last is not None}
    left_out = _column(db, queries.OTHERS)
    db.execute("commit")
    db.execute(queries.RELEASE_SCHEMA)
    return Snapshot(revision, taken_at, tables, sequences, pieces, sealed, left_out)


def _copy_tables(db: Database, archive: ZipFile, tell: Tell) -> dict[str, Table]:
    found, tables = db.execute(queries.TABLES).fetchall(), {}
    for done, (name, columns) in enumerate(found):
        tell("Tables", done, len(found))
        with db.copy(COPY_OUT.format(columns=_names(columns), table=sql.Identifier(name))) as rows:
            put_table(archive, name, rows)
        tables[name] = Table(columns, db.rowcount)
    tell("Tables", len(found), len(found))
    return tables


def _names(columns: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


@contextmanager
def restoring(url: str, archive: ZipFile, manifest: Manifest, tell: Tell) -> Iterator[Restored]:
    """Bring the tables back: the schema of their time, their rows, then the schema of this release, in one transaction
    that ends well only if what is done meanwhile does.

    Raises NotEmpty, BrokenBackup, SchemaMismatch.
    """
    with changing_schema(url) as connection:
        db = _driver(connection)
        if present := _column(db, queries.PRESENT):
            raise NotEmpty(
                f"the database has tables already ({some(present)}); "
                "drop them if nobody needs them, or restore into an empty database"
            )
        upgrade(connection, manifest.revision)
        db.execute(queries.SESSION)
        foreign = _fill(db, archive, manifest, tell)
        upgrade(connection)
        yield Restored(foreign, _column(db, queries.SEALED))


def is_restored(url: str) -> bool:
    """Whether the transaction of `restoring` took effect, waited for where it is not over. Raises psycopg.Error."""
    with psycopg.connect(url) as connection, psycopg.RawCursor(connection) as db:
        db.execute(queries.WAIT_FOR_RESTORATION)
        return bool(_value(db, queries.IS_THERE))


def _driver(connection: Connection) -> Database:
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError("migrations run on psycopg")
    return psycopg.RawCursor(driver)


def _fill(db: Database, archive: ZipFile, manifest: Manifest, tell: Tell) -> list[str]:
    ours = {name for name, _ in db.execute(queries.TABLES)}
    if lacking := sorted(ours - manifest.tables.keys()):
        raise BrokenBackup(f"it is damaged: it has no table {lacking[0]}")
    _set_triggers(db, ours, DISABLE)
    db.execute(TRUNCATE.format(tables=_names(sorted(ours))))
    if "deliveries" in ours:
        db.execute(queries.MAKE_PARTITIONS, [manifest.taken_at])
        db.execute(queries.SESSION)  # making them sets a limit to waiting for locks
    done, total = 0, sum(archive.getinfo(TABLES + name).file_size for name in ours)
    for name in _in_order(db, ours):
        for size in _fill_table(db, archive, name, manifest.tables[name]):
            done += size
            tell("Tables", done, total)
    _set_sequences(db, manifest.sequences)
    _set_triggers(db, ours, ENABLE)
    return sorted(manifest.tables.keys() - ours)


def _set_triggers(db: Database, tables: set[str], how: sql.SQL) -> None:
    """What triggers do was done when the rows were new."""
    for name in sorted(tables):
        db.execute(how.format(table=sql.Identifier(name)))


def _in_order(db: Database, tables: set[str]) -> Iterator[str]:
    sorter = TopologicalSorter({name: set() for name in sorted(tables)})
    for name, before in db.execute(queries.ORDER):
        if {name, before} <= tables:
            sorter.add(name, before)
    return iter(tuple(sorter.static_order()))


def _fill_table(db: Database, archive: ZipFile, name: str, table: Table) -> Iterator[int]:
    """Bring a table's rows back; yields the bytes as they go."""
    statement = COPY_IN.format(table=sql.Identifier(name), columns=_names(table.columns))
    try:
        with db.copy(statement) as rows:
            for chunk in content_of(archive, TABLES + name):
                rows.write(chunk)
                yield len(chunk)
    except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
        raise BrokenBackup(f"table {name} does not fit: {error.diag.message_primary or error}") from error
    if db.rowcount != table.rows:
        raise BrokenBackup(f"it is damaged: table {name} has {db.rowcount} rows, not {table.rows}")


def _set_sequences(db: Database, sequences: Mapping[str, int]) -> None:
    for name in {name for name, _ in db.execute(queries.SEQUENCES)} & sequences.keys():
        db.execute(queries.SET_SEQUENCE, [name, sequences[name]])

"""Copy the tables of one snapshot, and restore them into the schema that they came from."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from graphlib import TopologicalSorter
from typing import Any, NamedTuple, TypeAlias
from zipfile import ZipFile

import psycopg
from psycopg import sql

from atrium.backups import queries
from atrium.backups.archive import TABLES, BrokenBackup, Manifest, Progress, Table, content_of, first_few, put_table
from atrium.kit.postgres.hosts import writable

Database: TypeAlias = psycopg.RawCursor[Any]
COPY_OUT = sql.SQL("copy (select {columns} from {table}) to stdout")
COPY_IN = sql.SQL("copy {table} ({columns}) from stdin")
TRUNCATE = sql.SQL("truncate {tables}")


class NotEmpty(Exception):
    """The destination of the restore is not empty."""


class Piece(NamedTuple):
    """A part of a media file that the database refers to."""

    name: str
    size: int


class Snapshot(NamedTuple):
    """The copied tables as of `taken_at`, the media that they refer to, and the webhook secrets."""

    revision: str
    taken_at: datetime
    tables: dict[str, Table]
    sequences: dict[str, int]
    pieces: list[Piece]
    encrypted_secrets: list[bytes]
    left_out: list[str]


class RestoreResult(NamedTuple):
    """The tables that are not Atrium's, and the encrypted secrets."""

    foreign: list[str]
    encrypted_secrets: list[bytes]


@contextmanager
def lock_media(url: str) -> Iterator[Database]:
    """Open a connection that keeps the media of a snapshot from being deleted while it is open."""
    with psycopg.connect(url, autocommit=True, **writable(url)) as connection, psycopg.RawCursor(connection) as db:
        db.execute(queries.SESSION)
        db.execute(queries.LOCK_MEDIA)
        yield db


def is_media_locked(db: Database) -> bool:
    """Return whether the connection was never lost."""
    try:
        return bool(_value(db, queries.IS_MEDIA_LOCKED))
    except psycopg.OperationalError:
        return False


def revision_of(db: Database) -> str | None:
    """Return the revision of the schema, or None if there is no schema."""
    try:
        return str(_value(db, queries.REVISION))
    except psycopg.errors.UndefinedTable:
        return None


def _value(db: Database, statement: str) -> Any:
    return db.execute(statement).fetchall()[0][0]


def _column(db: Database, statement: str) -> list[Any]:
    return [value for (value,) in db.execute(statement)]


def copy_out(db: Database, archive: ZipFile, progress: Progress) -> Snapshot:
    """Write all tables as of one moment, without making other transactions wait."""
    db.execute(queries.LOCK_SCHEMA)
    db.execute(queries.BEGIN)
    taken_at, revision = _value(db, queries.NOW), str(_value(db, queries.REVISION))
    tables = _copy_tables(db, archive, progress)
    has_media = {"media_parts", "attachments"} <= tables.keys()
    pieces = [Piece(*row) for row in db.execute(queries.PIECES)] if has_media else []
    encrypted_secrets = _column(db, queries.ENCRYPTED_SECRETS) if "webhooks" in tables else []
    sequences = {name: last for name, last in db.execute(queries.SEQUENCES) if last is not None}
    left_out = _column(db, queries.OTHER_TABLES)
    db.execute("commit")
    db.execute(queries.UNLOCK_SCHEMA)
    return Snapshot(revision, taken_at, tables, sequences, pieces, encrypted_secrets, left_out)


def _copy_tables(db: Database, archive: ZipFile, progress: Progress) -> dict[str, Table]:
    found, tables = db.execute(queries.TABLES).fetchall(), {}
    for done, (name, columns) in enumerate(found):
        progress("Tables", done, len(found))
        source = sql.SQL(queries.SOURCES[name]) if name in queries.SOURCES else sql.Identifier(name)
        with db.copy(COPY_OUT.format(columns=_names(columns), table=source)) as rows:
            put_table(archive, name, rows)
        tables[name] = Table(columns, db.rowcount)
    progress("Tables", len(found), len(found))
    return tables


def _names(columns: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


@contextmanager
def restore_tables(url: str, archive: ZipFile, manifest: Manifest, progress: Progress) -> Iterator[RestoreResult]:
    """Restore the tables in one transaction: the tables that they came from, their rows, then the upgrade to this
    release, which makes the triggers. It commits only if the body of the `with` statement succeeds.

    Raise NotEmpty, BrokenBackup, SchemaMismatch.
    """
    from atrium.migrations import upgrade  # noqa: PLC0415 - half a second, which backups don't need

    with upgrade.changing_schema(url) as connection:
        db = psycopg.RawCursor(upgrade.driver_of(connection))
        if present := _column(db, queries.EXISTING):
            raise NotEmpty(
                f"the database has tables already ({first_few(present)}); "
                "drop them if they are not needed, or restore into an empty database"
            )
        upgrade.upgrade_tables(connection, manifest.revision)
        db.execute(queries.SESSION)
        foreign = _fill(db, archive, manifest, progress)
        upgrade.upgrade(connection)
        yield RestoreResult(foreign, _column(db, queries.ENCRYPTED_SECRETS))


def is_restored(url: str) -> bool:
    """Return whether the transaction of `restore_tables` committed; wait until it ends. Raise psycopg.Error."""
    with psycopg.connect(url, **writable(url)) as connection, psycopg.RawCursor(connection) as db:
        db.execute(queries.WAIT_FOR_RESTORE)
        return bool(_value(db, queries.HAS_SCHEMA))


def _fill(db: Database, archive: ZipFile, manifest: Manifest, progress: Progress) -> list[str]:
    ours = [name for name, _ in db.execute(queries.TABLES)]
    if missing := sorted({*ours} - manifest.tables.keys()):
        raise BrokenBackup(f"it is damaged: table {missing[0]} is missing")
    db.execute(TRUNCATE.format(tables=_names(ours)))
    if "deliveries" in ours:
        db.execute(queries.CREATE_PARTITIONS, [manifest.taken_at])
        db.execute(queries.SESSION)  # creating partitions changed lock_timeout
    done, total = 0, sum(archive.getinfo(TABLES + name).file_size for name in ours)
    for name in _in_order(db, ours):
        for size in _fill_table(db, archive, name, manifest.tables[name]):
            done += size
            progress("Tables", done, total)
    _set_sequences(db, manifest.sequences)
    return sorted(manifest.tables.keys() - {*ours})


def _in_order(db: Database, tables: Collection[str]) -> Iterator[str]:
    sorter = TopologicalSorter({name: set() for name in sorted(tables)})
    for name, before in db.execute(queries.ORDER):
        if name in tables and before in tables:
            sorter.add(name, before)
    return iter(tuple(sorter.static_order()))


def _fill_table(db: Database, archive: ZipFile, name: str, table: Table) -> Iterator[int]:
    """Restore a table's rows; yield the number of bytes of each chunk."""
    statement = COPY_IN.format(table=sql.Identifier(name), columns=_names(table.columns))
    try:
        with db.copy(statement) as rows:
            for chunk in content_of(archive, TABLES + name):
                rows.write(chunk)
                yield len(chunk)
    except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
        raise BrokenBackup(f"table {name} cannot be restored: {error.diag.message_primary or error}") from error
    if db.rowcount != table.rows:
        raise BrokenBackup(f"it is damaged: table {name} has {db.rowcount} rows, not {table.rows}")


def _set_sequences(db: Database, sequences: Mapping[str, int]) -> None:
    for name, _ in db.execute(queries.SEQUENCES).fetchall():
        if name in sequences:
            db.execute(queries.SET_SEQUENCE, [name, sequences[name]])

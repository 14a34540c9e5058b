"""`atrium worker`: run a worker process, on the server's machine or on another one with the same database.

It delivers webhook events, sends mail, indexes messages, transcribes recordings and deletes expired data (worker.py).
"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import structlog
import uvloop

from atrium.cli.installation import DatabaseUnreachable, DataDir, open_database, settings_with
from atrium.cli.output import console
from atrium.kit.process.logs import configure_logs
from atrium.kit.process.memory import tune_garbage_collector
from atrium.kit.process.open_files import raise_open_files
from atrium.kit.settings import Settings
from atrium.worker import run_worker

COMMAND = [sys.executable, "-c", "from atrium.cli.main import main; main()", "worker"]
SUPERVISED = "ATRIUM_SUPERVISED_WORKER"  # the process id of `atrium serve`, for the worker that it starts
MIN_BACKOFF, MAX_BACKOFF, MIN_UPTIME = 1.0, 30.0, 60.0  # seconds
NICENESS = 10  # requests have priority over background work
STOP_TIMEOUT, PARENT_CHECK_INTERVAL = 30.0, 1.0
DATABASE_RETRY_INTERVAL = 0.5  # seconds between attempts to connect to an unavailable database

log = structlog.get_logger()


def worker(data_dir: DataDir = None) -> None:
    """Run one more worker: webhook deliveries, mail, the search index, transcripts.

    `atrium serve` runs one. Run more if needed, on the same machine or on another with the same database.
    """
    settings = settings_with(data_dir=data_dir)
    configure_logs(settings.log_format, settings.log_level)
    parent = int(os.environ.get(SUPERVISED, "0"))
    raise_open_files()
    with ExitStack() as stack:
        ready = _open(settings, parent, stack)
        if parent:
            with suppress(OSError):  # a sandbox may forbid it
                os.nice(NICENESS)
        else:
            console().print("The worker is running. Press Ctrl-C to stop.")
        tune_garbage_collector()
        uvloop.run(_until_signal(ready, parent))


def _open(settings: Settings, parent: int, stack: ExitStack) -> Settings:
    """Return the settings of a running database. The worker of a server waits until the server has restarted it."""
    is_logged = False
    while True:
        try:
            return stack.enter_context(open_database(settings))
        except DatabaseUnreachable:
            if not parent:
                raise
            if os.getppid() != parent:
                sys.exit()  # the parent process has exited
        if not is_logged:
            log.warning("the database is unavailable; the worker is waiting for it")
            is_logged = True
        time.sleep(DATABASE_RETRY_INTERVAL)


async def _until_signal(settings: Settings, parent: int) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    watch = asyncio.create_task(_end_with(parent, stop)) if parent else None
    await run_worker(settings, stop)
    if watch:
        watch.cancel()


async def _end_with(parent: int, stop: asyncio.Event) -> None:
    while os.getppid() == parent:
        await asyncio.sleep(PARENT_CHECK_INTERVAL)
    stop.set()


@contextmanager
def supervised_worker() -> Iterator[None]:
    """Run a worker process with this process's environment, and restart it if it exits.

    The first is started here rather than in the thread: the server forks, and a fork is safe while the thread waits.
    """
    stopping, running = threading.Event(), [_start_process()]

    def watch() -> None:
        pause = MIN_BACKOFF
        while not stopping.is_set():
            began = time.monotonic()
            running[0].wait()
            pause = MIN_BACKOFF if time.monotonic() - began > MIN_UPTIME else min(2 * pause, MAX_BACKOFF)
            if not stopping.wait(pause):
                running[0] = _start_process()

    thread = threading.Thread(target=watch, name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        _stop(running)
        thread.join(STOP_TIMEOUT)


def _start_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(COMMAND, env={**os.environ, SUPERVISED: str(os.getpid())})  # noqa: S603 - our own command


def _stop(running: list[subprocess.Popen[bytes]]) -> None:
    for process in running:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_TIMEOUT)
        if process.poll() is None:
            process.kill()

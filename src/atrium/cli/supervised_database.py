"""Restart the embedded PostgreSQL of `atrium serve` when it ends, until starts fail too often."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from atrium.cli.errors import CommandError
from atrium.kit.postgres.embedded import restart_if_stopped
from atrium.kit.postgres.postmaster import has_room
from atrium.kit.process.failures import log_unavailable

log = structlog.get_logger()
CHECK_INTERVAL, PAUSE_AFTER_FAILURE, PAUSE_WITHOUT_ROOM = 0.25, 0.5, 2.0  # seconds
FAILED_STARTS = 8  # in a row; then the supervisor of the server has to restart it
STOP_TIMEOUT = 30.0


class DatabaseSupervisor:
    """Restarts the server of `data_dir`; after too many failures, ends this process as SIGTERM does."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self.stopping = threading.Event()
        self.failure: str | None = None

    def run(self) -> None:
        """Watch the server until `stopping`."""
        failed, pause = 0, CHECK_INTERVAL
        while not self.stopping.wait(pause):
            try:
                if restart_if_stopped(self._data_dir, self.stopping.is_set):
                    log.warning("the database had stopped and was restarted")
                failed, pause = 0, CHECK_INTERVAL
            except Exception as error:  # if the thread ended silently, nothing would restart the database
                if not has_room(self._data_dir / "postgres"):  # another process would not start it either
                    log_unavailable("the database waits for room on its disk", error)
                    pause = PAUSE_WITHOUT_ROOM
                    continue
                failed, pause = failed + 1, PAUSE_AFTER_FAILURE
                log.error("the database did not start", error=str(error), attempt=failed, of=FAILED_STARTS)
                if failed == FAILED_STARTS:
                    return self._give_up(str(error))
        return None

    def _give_up(self, reason: str) -> None:
        self.failure = f"the database stopped, and {FAILED_STARTS} attempts to restart it failed. {reason}"
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def supervised_database(data_dir: Path) -> Iterator[None]:
    """Keep PostgreSQL in `data_dir` running, inside embedded_postgres.

    Raise CommandError on exit if the database could not be restarted.
    """
    supervisor = DatabaseSupervisor(data_dir)
    thread = threading.Thread(target=supervisor.run, name="database", daemon=True)
    thread.start()
    try:
        yield
    finally:
        supervisor.stopping.set()
        thread.join(STOP_TIMEOUT)
    if supervisor.failure:
        raise CommandError(supervisor.failure)

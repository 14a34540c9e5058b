"""The HTTP processes, run by Granian. Processes that exit are restarted, unless they repeatedly crash at startup."""

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any

from granian.server.mp import MPServer, WorkerProcess

MIN_UPTIME = 5.5  # seconds; Granian stops the server if a process exits earlier
MAX_EARLY_EXITS = 10  # in a row; then restarts are pointless
PAUSE = 0.5  # seconds, after an early exit
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class HttpProcesses(MPServer):
    """Granian's server, which also restarts processes that exit early, up to several times in a row."""

    _early_exits = 0

    def _spawn_workers(self, spawn_target: Any, target_loader: Any) -> None:
        end_forks_by_signal()
        spawn: Callable[..., None] = super()._spawn_workers
        spawn(spawn_target, target_loader)

    def _spawn_worker(self, *args: Any, **options: Any) -> WorkerProcess:
        """Return a new process, which is alive until its sentinel says that it has ended.

        Granian waits for it in two threads. To the second, a process that has ended would seem alive: it would be
        killed, and logged as one that did not stop.
        """
        process = super()._spawn_worker(*args, **options)
        process.is_alive = lambda: not wait([process.inner.sentinel], timeout=0)  # type: ignore[method-assign]
        return process

    def _respawn_workers(self, workers: list[int], spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        exited_early = any(time.monotonic() - self.wrks[each].birth < MIN_UPTIME for each in workers)
        self._early_exits = self._early_exits + 1 if exited_early else 0
        if exited_early:
            time.sleep(PAUSE)
        respawn: Callable[..., None] = super()._respawn_workers
        respawn(sorted(set(workers)), spawn_target, target_loader, delay)
        if self._early_exits < MAX_EARLY_EXITS:
            self.respawned_wrks.clear()
        self._find_missed_exits()

    def _find_missed_exits(self) -> None:
        """Find processes that exited while Granian cleared its list of exited processes."""
        exited = [number for number, each in enumerate(self.wrks) if each.inner.exitcode is not None]
        missed = [number for number in exited if number not in self.interrupt_children]
        if missed:
            self.interrupt_children.extend(missed)
            self.main_loop_interrupt.set()


def end_forks_by_signal() -> None:
    """From now on, a stop signal ends each forked process while it loads the application.

    It would otherwise inherit its parent's handlers, ignore the signal, and run until it is killed. Signals wait while
    the process is forked: one that arrived before the handlers are restored would be lost.
    """

    def restore_handlers() -> None:
        for each in STOP_SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        deliver()

    def deliver() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)

    os.register_at_fork(
        before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS),
        after_in_parent=deliver,
        after_in_child=restore_handlers,
    )

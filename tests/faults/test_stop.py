"""A server that receives a stop signal while starting stops like a running one."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from atrium.kit.settings import Settings
from tests.conftest import ATRIUM, free_port
from tests.wait_until import wait_until

PROCESSES = 4


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_cleanly_while_its_processes_are_starting(
    settings: Settings, stop_signal: signal.Signals
) -> None:
    own = settings.with_changes(port=free_port(), workers=PROCESSES)
    output = settings.data_dir / f"serve-{own.port}.log"
    with output.open("w") as log:
        server = subprocess.Popen(
            [ATRIUM, "serve"], env=os.environ | own.environment(), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        supervisor = psutil.Process(server.pid)
        wait_until(lambda: len(_forks(supervisor)) == PROCESSES, "all HTTP processes are forked")
        forks = _forks(supervisor)
        server.send_signal(stop_signal)
        assert server.wait(60) == 0
        assert not any(each.is_running() for each in forks)
    finally:
        server.kill()


def _forks(supervisor: psutil.Process) -> list[psutil.Process]:
    """Return processes with the supervisor's command line; the worker has another one."""
    return [each for each in supervisor.children() if "serve" in each.cmdline()]


FORK = """
import os, signal
from atrium.cli.http_server import end_by_signal

signal.signal({signal}, lambda *_: None)  # as the supervisor, which only notes the signal
os.register_at_fork(after_in_child=end_by_signal)
child = os.fork()
if child == 0:
    os.kill(os.getpid(), {signal})
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os.kill(os.getpid(), {signal})  # the parent keeps its own handler
"""


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_ends_a_process_that_was_just_forked(stop_signal: signal.Signals) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORK.format(signal=int(stop_signal))],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout.strip()) == (0, str(-stop_signal)), done.stderr

"""A server that receives a stop signal while starting stops like a running one."""

import os
import signal
import subprocess

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
        assert "refused to gracefully stop" not in output.read_text(), (
            "it got the signal, and was killed when its time was up"
        )
        assert not any(each.is_running() for each in forks)
    finally:
        server.kill()


def _forks(supervisor: psutil.Process) -> list[psutil.Process]:
    """Return processes with the supervisor's command line; the worker has another one."""
    return [each for each in supervisor.children() if "serve" in each.cmdline()]

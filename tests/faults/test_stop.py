"""A server that receives a stop signal while starting stops like a running one."""

import asyncio
import os
import signal
import subprocess
import sys

import psutil
import pytest
import uvloop

from atrium.cli.http_processes import HttpProcesses
from atrium.kit.settings import Settings
from atrium.server.service import on_stop
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


def test_a_process_that_has_ended_is_not_alive_although_another_thread_waited_for_it() -> None:
    """Granian waits for each process in a thread too, and kills those that seem alive when the server stops."""
    server = HttpProcesses("tests:none", port=free_port())
    server._init_shared_socket()
    process = server._spawn_worker(idx=0, target=lambda *_: None, callback_loader=None)
    process.inner.start()
    assert os.waitpid(process.inner.pid, 0)[1] == 0
    assert not process.is_alive()


FORK = """
import os, signal, time
from atrium.cli.http_processes import end_forks_by_signal

os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), {signal}))
end_forks_by_signal()
signal.signal({signal}, lambda *_: None)  # as the supervisor, which only notes the signal
child = os.fork()
if child == 0:
    time.sleep(30)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os.kill(os.getpid(), {signal})  # the parent keeps its own handler
"""


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_is_not_lost_while_a_process_is_forked(stop_signal: signal.Signals) -> None:
    """It arrives before the new process has run anything of ours."""
    done = subprocess.run(
        [sys.executable, "-c", FORK.format(signal=int(stop_signal))],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout.strip()) == (0, str(-stop_signal)), done.stderr


@pytest.mark.parametrize("when", ["at the end of the start", "between the start and serving"])
def test_a_stop_signal_is_not_lost_between_two_runs_of_the_loop(when: str) -> None:
    """Granian runs the loop once for the start and once to serve. On a busy machine, time passes between the two."""
    steps: list[str] = []
    stopped = asyncio.Event()

    async def start() -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, steps.append, "not replaced")
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopped.set)
        on_stop(lambda: steps.append("streams"))
        if when == "at the end of the start":
            os.kill(os.getpid(), signal.SIGTERM)

    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    loop = uvloop.new_event_loop()
    try:
        loop.run_until_complete(start())
        if when == "between the start and serving":
            os.kill(os.getpid(), signal.SIGTERM)
        loop.run_until_complete(asyncio.wait_for(stopped.wait(), 30))
    finally:
        loop.close()
        for each, handler in before.items():
            signal.signal(each, handler)
    assert steps == ["streams"]

"""The server of a run: restarted whenever it ends, as systemd would, and killed in parts."""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psutil

from atrium.kit.settings import Settings
from tests.conftest import ATRIUM, RunningServer
from tests.faults.running import postmaster_of

Processes = list[psutil.Process]
CHECK_INTERVAL, RECOVERS_WITHIN = 0.1, 10.0  # seconds


class Service:
    """`atrium serve` and its database."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.url = settings, f"http://127.0.0.1:{settings.port}"
        self.log = settings.data_dir / "serve.log"
        self.starts = 0
        self._ending = False
        self._start()

    def _start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
        self.starts += 1
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [ATRIUM, "serve"],
                env=environment | self.settings.environment(),
                text=True,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def running(self) -> RunningServer:
        return RunningServer(self.url, self.settings, self.process, self.log)

    async def keep(self) -> None:
        """Restart it whenever it ends."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL)
            if self.process.poll() is not None:
                self._start()

    async def end(self) -> None:
        """Stop it as an operator would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(self.process.wait, 60)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)


@asynccontextmanager
async def running_service(settings: Settings) -> AsyncIterator[Service]:
    """Run a service."""
    service = Service(settings)
    keeping = asyncio.create_task(service.keep())
    try:
        yield service
    finally:
        keeping.cancel()
        await service.end()


def postmaster(service: Service) -> Processes:
    with contextlib.suppress(OSError, ValueError, IndexError, psutil.Error):
        return [postmaster_of(service.settings)]
    return []


def _backends(service: Service) -> Processes:
    """Return the processes of connections."""
    return [each for parent in postmaster(service) for each in _children(parent) if " atrium " in _command_line(each)]


def _own(service: Service) -> Processes:
    """Return the auxiliary processes of the database."""
    own = [each for parent in postmaster(service) for each in _children(parent)]
    return [each for each in own if " atrium " not in _command_line(each)]


def _recovery(service: Service) -> Processes:
    """Return the process that replays after a crash. It lives only moments: kill the database and poll for it."""
    killed, deadline = postmaster(service), time.monotonic() + RECOVERS_WITHIN
    _kill(killed)
    while killed and time.monotonic() < deadline:
        if found := [each for each in _own(service) if "startup" in _command_line(each)]:
            return found
    return killed


def _http(service: Service) -> Processes:
    return [each for each in _family(service)[1:] if " serve" in _command_line(each)]


def _worker(service: Service) -> Processes:
    return [each for each in _family(service)[1:] if " worker" in _command_line(each)]


def _family(service: Service) -> Processes:
    with contextlib.suppress(psutil.Error):
        supervisor = psutil.Process(service.process.pid)
        return [supervisor, *supervisor.children(recursive=True)]
    return []


def _children(process: psutil.Process) -> Processes:
    with contextlib.suppress(psutil.Error):
        return list(process.children())
    return []


def _command_line(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline()) + " "
    return ""


def _everything(service: Service) -> Processes:
    database = postmaster(service)
    return [*_family(service), *database, *(each for parent in database for each in _children(parent))]


# What to kill, and whether all of it or one.
KINDS: dict[str, tuple[Callable[[Service], Processes], bool]] = {
    "postmaster": (postmaster, True),
    "backend": (_backends, False),
    "database process": (_own, False),
    "recovery": (_recovery, True),
    "http process": (_http, False),
    "all http processes": (_http, True),
    "worker": (_worker, True),
    "supervisor": (lambda service: _family(service)[:1], True),
    "everything": (_everything, True),
}


def kill_part(service: Service, kind: str, chance: random.Random) -> bool:
    """Kill what `kind` names with SIGKILL; return whether there was anything to kill."""
    find, together = KINDS[kind]
    found = find(service)
    chosen = found if together else [chance.choice(found)] if found else []
    _kill(chosen)
    return bool(chosen)


def _kill(processes: Processes) -> None:
    for each in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()

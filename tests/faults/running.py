"""`atrium serve` as an operator runs it, its processes, and how tests kill them."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psutil

from atrium.kit.settings import Settings
from tests.conftest import ATRIUM, TLS, Api, RunningServer
from tests.messages.walk import messages_of, walk
from tests.wait_until import wait_until

# The leases of a killed worker would last a minute; tests do not wait for that. Rows that a living worker has locked stay
# as they are: it locks them in another order, so that waiting for them could end in a deadlock.
LET_LEASES_END = """
update due_deliveries set due_at = now()
where ctid in (select ctid from due_deliveries where leased and due_at > now() for update skip locked)
"""


@contextmanager
def running_atrium(settings: Settings) -> Iterator[RunningServer]:
    """Run `atrium serve` as an operator does, with its log in a file; kill it at the end if it still runs."""
    log = settings.data_dir / f"serve-{os.urandom(3).hex()}.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    with log.open("w") as file:
        process = subprocess.Popen(
            [ATRIUM, "serve"],
            env=environment | settings.environment(),
            text=True,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{settings.port}"
    try:
        wait_until(lambda: process.poll() is not None or answers(url), f"atrium serve comes up: {log}")
        assert process.poll() is None, log.read_text()
        yield RunningServer(url, settings, process, log)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(10)


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/docs/problems", timeout=2, verify=TLS).status_code < 500
    except httpx.TransportError:
        return False


def postmaster_of(settings: Settings) -> psutil.Process:
    """Return the PostgreSQL server process of the data folder."""
    return psutil.Process(int((settings.data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0]))


def is_gone(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    return True


def kill_all(processes: list[psutil.Process]) -> None:
    for each in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()
    wait_until(lambda: all(map(is_gone, processes)), "the killed processes end")


def organization_on(running: RunningServer) -> Api:
    """Create the first organization of a server with `atrium init` while it runs."""
    made = subprocess.run(
        [ATRIUM, "init", "--organization", "Acme", "--email", "ada@example.org", "--json",
         "--data-dir", str(running.settings.data_dir)],
        capture_output=True, text=True, timeout=60, check=False, env=os.environ | running.settings.environment(),
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return Api(running.url, running.settings, **json.loads(made.stdout))


def texts_of(api: Api) -> list[str]:
    client = api.integration
    met = messages_of(walk(client, api.room_id, limit=200))
    ids = [message["message_id"] for message in met]
    assert ids == sorted(set(ids), reverse=True)
    return [message["text"] for message in met]


def http_processes(running: RunningServer) -> list[psutil.Process]:
    """Return the HTTP processes, which the supervisor forked."""
    found = []
    for each in psutil.Process(running.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "serve" in each.cmdline() and not is_gone(each):
                found.append(each)
    return found


def stop_postgres(settings: Settings) -> None:
    """Stop a PostgreSQL server that a test left running."""
    with contextlib.suppress(OSError, ValueError, psutil.NoSuchProcess):
        postmaster = postmaster_of(settings)
        postmaster.send_signal(signal.SIGINT)
        postmaster.wait(120)  # it writes what is in memory, which takes long on a busy disk


def worker_of(running: RunningServer) -> psutil.Process:
    """Return the delivery worker that `atrium serve` started."""
    found: list[psutil.Process] = []

    def look() -> bool:
        for each in psutil.Process(running.process.pid).children():
            with contextlib.suppress(psutil.Error):
                found.extend([each] if each.cmdline()[-1:] == ["worker"] else [])
        return bool(found)

    wait_until(look, "the server has its delivery worker")
    return found[0]

"""The embedded PostgreSQL restarts after any of its processes is killed, or the server says why it cannot."""

import asyncio
import contextlib
from collections.abc import Callable

import httpx
import psutil
import psycopg
import pytest

from atrium.kit.settings import Settings
from tests.conftest import Api
from tests.faults.running import (
    http_processes,
    kill_all,
    organization_on,
    postmaster_of,
    running_atrium,
    texts_of,
    worker_of,
)
from tests.messages.concurrent import callers
from tests.wait_until import wait_until

MUCH_TO_REPLAY = """
drop table if exists much; create table much as select repeat('x', 200) as one from generate_series(1, 60000)
"""


async def _send_through(api: Api, strike: Callable[[], None]) -> list[str]:
    """Send from ten callers until the service was killed and has come back. Return the acknowledged texts."""
    acknowledged: list[str] = []
    after = asyncio.Event()

    async def call(number: int, client: httpx.AsyncClient) -> None:
        for turn in range(100_000):
            if after.is_set():
                return
            text = f"{number} {turn}"
            answer = await client.post(api.messages, json={"text": text})
            if answer.status_code == 201:
                acknowledged.append(text)
            else:
                assert answer.status_code == 503, answer.text
                assert answer.headers["retry-after"], answer.headers
                assert answer.json()["code"] == "unavailable"

    async def direct() -> None:
        while len(acknowledged) < 100:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(strike)
        before = len(acknowledged)
        while len(acknowledged) < before + 100:
            await asyncio.sleep(0.01)
        after.set()

    async with callers(api, 10) as clients:
        await asyncio.gather(direct(), *(call(number, client) for number, client in enumerate(clients)))
    return acknowledged


def _startup_of(settings: Settings) -> psutil.Process | None:
    """Return the process that replays after a crash, if there is one."""
    with contextlib.suppress(OSError, ValueError, IndexError, psutil.Error):
        for each in postmaster_of(settings).children():
            if "startup" in " ".join(each.cmdline()):
                return each
    return None


def _kill_during_recovery(settings: Settings, url: str) -> None:
    """Kill the server, and then the replaying process; try again if replaying ended too soon."""
    while True:
        with contextlib.suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as db:
            db.execute(MUCH_TO_REPLAY)
            killed = postmaster_of(settings)
            kill_all([killed])
            while not _answers(url):
                if (replaying := _startup_of(settings)) is not None:
                    kill_all([replaying])
                    return


def _answers(url: str) -> bool:
    with contextlib.suppress(psycopg.Error), psycopg.connect(url):
        return True
    return False


@pytest.mark.contract("Crashes and restarts 3")
def test_a_killed_database_is_restarted_and_nothing_acknowledged_is_lost(own_folder: Settings) -> None:
    with running_atrium(own_folder) as running:
        api = organization_on(running)
        worker, serving_requests = worker_of(running), http_processes(running)
        url = f"postgresql://postgres@/atrium?host={own_folder.data_dir / 'postgres'}"

        def strike() -> None:
            kill_all([postmaster_of(own_folder), worker])
            wait_until(lambda: _answers(url), "the killed database comes back")
            _kill_during_recovery(own_folder, url)
            wait_until(lambda: _answers(url), "and again, although its recovery was killed")

        acknowledged = asyncio.run(_send_through(api, strike))
        texts = texts_of(api)
        assert len(texts) == len(set(texts)), "no message is there twice"
        assert set(acknowledged) <= set(texts)
        wait_until(lambda: worker_of(running) != worker, "another worker delivers")
        assert [each.pid for each in http_processes(running)] == [each.pid for each in serving_requests]
        assert "ATRIUM_DATABASE_URL" not in running.output.read_text(), "nobody has set that"
    assert running.process.returncode == 0
    assert not (own_folder.data_dir / "postgres" / "postmaster.pid").exists(), "the one it started again is stopped too"


@pytest.mark.contract("Crashes and restarts 4")
def test_the_server_ends_with_the_reason_if_the_database_cannot_restart(own_folder: Settings) -> None:
    with running_atrium(own_folder) as running:
        with (own_folder.data_dir / "postgres" / "postgresql.conf").open("a") as configuration:
            configuration.write("\nno_such_parameter = on\n")
        postmaster = postmaster_of(own_folder)
        kill_all([postmaster, *postmaster.children(recursive=True)])
        assert running.process.wait(200) == 1, "so that the supervisor of the server starts it again"
        log = running.output.read_text()
        last = log.strip().splitlines()[-1]
        assert last.startswith("atrium: the database stopped"), log
        assert "does not start" in last
        assert "configuration file" in last, "PostgreSQL's own word"
        assert "Traceback" not in log

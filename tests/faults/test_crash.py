"""After any kill at any time, everything acknowledged is there once and the service recovers automatically."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack

import httpx
import psutil
import psycopg
import pytest

from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from tests.conftest import (
    ATRIUM,
    Api,
    free_port,
    new_organization,
    own_postgres,
    scratch_folder,
)
from tests.faults.running import (
    answers,
    http_processes,
    is_gone,
    kill_all,
    organization_on,
    postmaster_of,
    running_atrium,
    texts_of,
)
from tests.messages.concurrent import callers
from tests.wait_until import wait_until

FIRST_SECONDS = 6.0  # a little longer than a process has to run for Granian to restart it


async def _send_until_it_breaks(api: Api, count: int, enough: int, strike: Callable[[], None]) -> list[str]:
    """Send from `count` callers without pause, call `strike` after `enough` responses, and return acknowledged
    texts.
    """
    acknowledged: list[str] = []
    struck = False

    async def call(number: int, client: httpx.AsyncClient) -> None:
        nonlocal struck
        for turn in range(100_000):
            text = f"{number} {turn}"
            try:
                answer = await client.post(api.messages, json={"text": text})
            except httpx.TransportError:
                return
            if answer.status_code == 201:
                acknowledged.append(text)
            elif struck:
                return
            if len(acknowledged) >= enough and not struck:
                struck = True
                await asyncio.to_thread(strike)

    async with callers(api, count) as clients:
        await asyncio.gather(*(call(number, client) for number, client in enumerate(clients)))
    return acknowledged


@pytest.mark.contract("Crashes and restarts 1")
def test_after_all_processes_are_killed_every_acknowledged_message_exists_once(own_folder: Settings) -> None:
    with running_atrium(own_folder) as first:
        api = organization_on(first)
        postmaster = postmaster_of(own_folder)
        group = [psutil.Process(first.process.pid), *psutil.Process(first.process.pid).children(recursive=True)]

        def strike() -> None:
            kill_all([*group, postmaster, *postmaster.children(recursive=True)])

        acknowledged = asyncio.run(_send_until_it_breaks(api, 20, 400, strike))
        assert first.process.wait(10) == -signal.SIGKILL
    with running_atrium(own_folder):
        texts = texts_of(api)
        assert len(texts) == len(set(texts)), "no message is there twice"
        assert set(acknowledged) <= set(texts)
        assert len(set(texts) - set(acknowledged)) <= 20, "beyond them, at most what was being answered"
        assert api.send("after")["text"] == "after"


def test_after_the_supervisor_is_killed_its_workers_end_and_a_new_server_starts(own_folder: Settings) -> None:
    with running_atrium(own_folder) as first:
        api = organization_on(first)
        api.send("before")
        workers = psutil.Process(first.process.pid).children(recursive=True)
        assert workers
        kill_all([psutil.Process(first.process.pid)])
        first.process.wait(10)
        own = [each for each in workers if not is_gone(each) and each.pid != postmaster_of(own_folder).pid]
        wait_until(lambda: all(map(is_gone, own)), "the HTTP processes end by themselves")
    with running_atrium(own_folder):
        assert texts_of(api) == ["before"]


@pytest.mark.contract("Crashes and restarts 11")
def test_a_second_server_on_a_folder_in_use_fails_with_one_line(own_folder: Settings) -> None:
    with running_atrium(own_folder) as first:
        environment = own_folder.with_changes(port=free_port()).environment()
        second = subprocess.run(
            [ATRIUM, "serve"], env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert second.returncode == 1
        assert second.stderr.strip().count("\n") == 0, second.stderr
        assert str(own_folder.data_dir) in second.stderr
        assert answers(first.url), "the first one goes on"
        taken = subprocess.run(
            [ATRIUM, "serve", "--data-dir", str(own_folder.data_dir / "other"), "--port", str(own_folder.port)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert taken.returncode == 1
        assert f"127.0.0.1:{own_folder.port}" in taken.stderr
        assert taken.stderr.strip().count("\n") == 0, taken.stderr


def test_a_terminated_server_finishes_its_requests_and_stops_postgresql(own_folder: Settings) -> None:
    with running_atrium(own_folder) as running:
        api = organization_on(running)
        postmaster = postmaster_of(own_folder)
        broken: list[Exception] = []
        begun = []

        async def example() -> None:
            async with callers(api, 20) as clients:

                async def call(client: httpx.AsyncClient) -> None:
                    while running.process.poll() is None:
                        try:
                            begun.append((await client.post(api.messages, json={"text": "m"})).status_code)
                        except (httpx.ConnectError, httpx.ConnectTimeout):
                            return
                        except httpx.TransportError as error:
                            broken.append(error)
                            return

                calls = asyncio.gather(*map(call, clients))
                while len(begun) < 200:
                    await asyncio.sleep(0.01)
                running.process.send_signal(signal.SIGTERM)
                await calls

        asyncio.run(example())
        assert running.process.wait(40) == 0
        assert set(begun) == {201}
        # A request written to a kept-alive connection at the moment it closes may fail.
        assert all(isinstance(each, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError) for each in broken)
        assert is_gone(postmaster)
        assert not (own_folder.data_dir / "postgres" / "postmaster.pid").exists()
    with running_atrium(own_folder):
        found = len(texts_of(api))
        assert len(begun) <= found <= len(begun) + len(broken)


@pytest.mark.contract("Crashes and restarts 10")
def test_killed_http_processes_are_replaced_and_the_service_continues(own_folder: Settings) -> None:
    with running_atrium(own_folder) as running:
        api = organization_on(running)
        for number in range(2):
            wait_until(lambda number=number: _ok(lambda: _send(api, f"before {number}")), "it is sent")
            wait_until(lambda: min(map(_age, http_processes(running))) > FIRST_SECONDS, "they have started long ago")
            kill_all(http_processes(running))
            wait_until(lambda: answers(running.url), "another process answers")
            wait_until(lambda: len(http_processes(running)) == 2, "the killed processes are replaced")
        wait_until(lambda: _ok(lambda: api.integration.get(api.messages)), "the service goes on")
        assert texts_of(api) == ["before 1", "before 0"]
        assert running.process.poll() is None


@pytest.mark.contract("Crashes and restarts 10")
def test_a_server_whose_http_processes_keep_dying_ends_so_that_it_is_restarted(own_folder: Settings) -> None:
    with running_atrium(own_folder) as running:
        api = organization_on(running)
        api.send("before")

        def ends() -> bool:
            kill_all(http_processes(running))
            return running.process.poll() is not None

        wait_until(ends, "the server ends")
        assert running.process.returncode == 1
    with running_atrium(own_folder):
        assert texts_of(api) == ["before"]


def _age(process: psutil.Process) -> float:
    return time.time() - process.create_time()


def _send(api: Api, text: str) -> httpx.Response:
    return api.person.post(api.messages, json={"text": text})


def _ok(ask: Callable[[], httpx.Response]) -> bool:
    try:
        return ask().is_success
    except httpx.TransportError:
        return False


def test_while_postgresql_is_down_the_answer_is_503_and_it_recovers_without_a_restart() -> None:
    with ExitStack() as stack:
        settings = stack.enter_context(own_postgres()).with_changes(port=free_port(), workers=2)
        running = stack.enter_context(running_atrium(settings))
        api = new_organization(settings, running.url)
        api.send("before")
        for how in (signal.SIGINT, signal.SIGKILL):  # fast shutdown; crash
            postmaster = postmaster_of(settings)
            family = [postmaster, *postmaster.children(recursive=True)]
            statuses: list[int] = []

            def strike(how: signal.Signals = how, family: list[psutil.Process] = family) -> None:
                if how is signal.SIGKILL:
                    return kill_all(family)
                family[0].send_signal(how)
                wait_until(lambda: is_gone(family[0]), "PostgreSQL ends")
                return None

            acknowledged = asyncio.run(asyncio.wait_for(_send_until_it_breaks(api, 20, 200, strike), 60))
            for _ in range(6):
                for method, path in (("GET", api.messages), ("POST", api.messages), ("GET", "/v1/me/profile")):
                    refused = api.person.request(method, path, json={"text": "m"} if method == "POST" else None)
                    statuses.append(refused.status_code)
                    assert refused.headers["content-type"] == "application/problem+json", refused.text
                    assert refused.json()["code"] == "unavailable", refused.text
            assert set(statuses) == {503}
            with embedded_postgres(settings.data_dir):  # the outer context stops it
                wait_until(lambda: _ok(lambda: api.person.get(api.messages)), "pages are read again")
                assert set(acknowledged) <= set(texts_of(api))
                for _ in range(8):
                    api.send("after")
                    assert api.integration.get(api.organization).status_code == 200


@pytest.mark.contract("Crashes and restarts 12")
def test_an_external_database_works(settings: Settings) -> None:
    name = f"other_{os.urandom(4).hex()}"
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url, autocommit=True) as db:
        db.execute(f"create database {name}")
    url = settings.database_url.replace("/atrium?", f"/{name}?")
    with scratch_folder() as folder:
        other = Settings(data_dir=folder, database_url=url, port=free_port(), workers=1, rate_limit=0)
        with running_atrium(other) as running:
            api = new_organization(other, running.url)
            api.send("here")
            assert texts_of(api) == ["here"]
            assert not (folder / "postgres").exists()
        assert running.process.returncode == 0


@pytest.mark.parametrize(
    "url", ["postgresql://nobody:secret@127.0.0.1:1/none", "postgresql://postgres@/atrium?host=/nowhere", "mysql://x/y"]
)
def test_an_unreachable_database_is_one_clear_line(url: str) -> None:
    with scratch_folder() as folder:
        environment = Settings(data_dir=folder, database_url=url, port=free_port()).environment()
        refused = subprocess.run(
            [ATRIUM, "serve"], env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
        )
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert "ATRIUM_DATABASE_URL" in refused.stderr
    assert "secret" not in refused.stderr

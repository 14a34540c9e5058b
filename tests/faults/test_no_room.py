"""The ground is full, not down: the database, its disk, the storage of media, the open files of a process.

Requests are answered 503, nothing is acknowledged that is not stored, and everything goes on without a restart.
"""

import asyncio
import getpass
import json
import os
import resource
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest
from structlog.testing import capture_logs

from atrium.kit.encryption import KEY_FILE
from atrium.kit.errors import Unavailable
from atrium.kit.postgres.database import connection, open_pool
from atrium.kit.settings import Settings
from atrium.media.parts import PART
from atrium.operations.readiness import NotReady, require_ready
from atrium.routes import ROUTES
from atrium.webhooks.delivery.worker import LEASE
from tests.conftest import (
    ATRIUM,
    Api,
    RunningServer,
    free_port,
    fresh_database,
    new_organization,
    prepare,
    running_server,
)
from tests.contract.tour import populate
from tests.faults.no_room import CODES, Disk, database_on, database_to_fill, small_disk
from tests.faults.running import running_atrium, stop_postgres, texts_of
from tests.recordings.media import TUS, append, begin, offset_of, video_room, webm
from tests.wait_until import wait_until
from tests.webhooks.harness import Harness, with_harness

WRITES = 80  # routes, at least, that change something with the requests of the tour
AUDITED_READS = {"read_mail"}
FILL_THE_LOG = "select pg_logical_emit_message(false, 'tests', repeat('x', 1000000)) from generate_series(1, 40)"


def failures_in(log: str) -> Counter[tuple[str, str]]:
    """Count the events of a JSON log that have an error, other than requests."""
    found = Counter[tuple[str, str]]()
    for line in log.splitlines():
        with suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            found[entry["event"], entry["error"].partition("(")[0]] += 1
    return found


def assert_answered(answer: httpx.Response, where: str) -> bool:
    """Assert that a request succeeded, was wrong, or can be repeated; return whether it has to be."""
    assert answer.status_code < 500 or answer.status_code == 503, f"{where}: {answer.text[:300]}"
    if answer.status_code == 503:
        assert answer.headers["retry-after"], where
    return answer.status_code == 503


@pytest.mark.contract("Crashes and restarts 5")
def test_every_request_that_finds_no_room_is_answered_503_and_succeeds_later(settings: Settings) -> None:
    with fresh_database(settings) as own, database_to_fill(own.database_url or "") as database:
        database.begin_log()
        database.fill()
        with running_server(own.with_changes(workers=1)) as running:  # it starts for those who read
            database.make_room()
            api = new_organization(own, running.url)
            world, without_room = populate(api), list[str]()
            bodies = {each.handler: world.body(each) for each in ROUTES if each.body is not None}
            for number, route in enumerate(ROUTES):
                database.fill(CODES[number % len(CODES)])
                answer = world.ask(route, **({"json": bodies[route.handler]} if route.body is not None else {}))
                if assert_answered(answer, f"{route.method} {route.path}"):
                    assert not route.is_read_only or route.handler.__name__ in AUDITED_READS, route.path
                    without_room.append(route.handler.__name__)
            database.make_room()
            _assert_all_goes_on(api, running, without_room)


def _assert_all_goes_on(api: Api, running: RunningServer, without_room: list[str]) -> None:
    assert len(without_room) >= WRITES, without_room
    assert {"send_message", "create_session", "create_attachment", "create_import"} <= {*without_room}
    log = running.output.read_text()
    assert "Traceback" not in log, log
    assert max(failures_in(log).values()) <= len(CODES), "once a minute and type of error, in each process"
    before = texts_of(api)
    api.send("there is room")
    assert texts_of(api) == ["there is room", *before], "no request without room left a message"
    api.close()


async def _send_together(harness: Harness, texts: list[str]) -> list[int]:
    """Send messages together, each with its own Idempotency-Key."""
    path = f"/v2/rooms/{harness.made['room_id']}/messages"
    sending = [harness.client.post(path, json={"text": text}, headers={"idempotency-key": text}) for text in texts]
    return [each.status_code for each in await asyncio.gather(*sending)]


@pytest.mark.contract("Crashes and restarts 5")
def test_a_batch_without_room_stores_nothing_and_its_sends_repeat_once(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        texts = [f"m{number}" for number in range(30)]
        with database_to_fill(harness.settings.database_url or "", "messages") as database:
            database.fill()
            assert set(await _send_together(harness, texts)) == {503}
            database.make_room()
            assert set(await _send_together(harness, texts)) == {201}
            database.fill()
            assert set(await _send_together(harness, texts)) <= {201, 503}
            database.make_room()
        stored = [row["text"] for row in await harness.db.fetch("select text from messages")]
        assert sorted(stored) == sorted(texts)

    with_harness(settings, act)


@pytest.mark.contract("Crashes and restarts 5")
def test_an_upload_without_room_in_the_database_can_be_continued(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        content, metadata = webm(PART + 100), "filename ZmlsbQ==,kind YXR0YWNobWVudA=="
        begun = await harness.client.post(
            f"/v2/rooms/{harness.made['room_id']}/uploads",
            headers={**TUS, "upload-length": str(len(content)), "upload-metadata": metadata},
        )
        more = {**TUS, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
        url, upload = harness.settings.database_url or "", begun.headers["location"]
        with database_to_fill(url, "media_parts") as database:
            database.fill()
            assert assert_answered(await harness.client.patch(upload, content=content, headers=more), "append")
            database.make_room()
            assert (await harness.client.patch(upload, content=content, headers=more)).status_code == 204

    with_harness(settings, act)


@pytest.mark.contract("Crashes and restarts 7")
def test_deliveries_without_room_for_their_results_are_repeated_under_the_same_id(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        hook = await harness.subscribe()
        for number in range(5):
            await harness.send(f"m{number}")
        await harness.worker.queue_events()
        with database_to_fill(harness.settings.database_url or "", "deliveries") as database, capture_logs() as logs:
            database.fill()
            await harness.worker.deliver_due()
            assert len([each for each in logs if each["event"] == "an attempt could not be recorded"]) == 1
            database.make_room()
        assert not await harness.worker.deliver_due(), "the leases of the first attempts have not ended"
        harness.pass_time(seconds=LEASE.total_seconds() + 1)
        await harness.worker.deliver_due()
        assert set(Counter(each.delivery_id for each in harness.receiver.received).values()) == {2}
        assert {each["status"] for each in await harness.log(hook)} == {"DELIVERY_STATUS_SUCCEEDED"}

    with_harness(settings, act)


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_events_without_room_for_their_deliveries_are_queued_later_and_hold_up_no_others(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        stop, received = asyncio.Event(), harness.receiver.received
        await harness.subscribe()
        early = (await harness.send("early"))["message_id"]
        await harness.worker.queue_events()
        late = {(await harness.send(f"m{number}"))["message_id"] for number in range(5)}
        with database_to_fill(harness.settings.database_url or "", "live_positions") as database:
            database.fill()
            with capture_logs() as logs:
                working = asyncio.create_task(harness.worker.run(stop))
                await _until(lambda: len(received) == 1 and logs != [])
            assert {each["event"] for each in logs} == {"events could not be queued and will be retried"}
            database.make_room()
        await _until(lambda: len(received) > len(late))
        stop.set()
        await working
        first, *others = [json.loads(each.body)["data"]["message_id"] for each in received]
        assert first == early
        assert sorted(others) == sorted(late)

    with_harness(settings, act)


@contextmanager
def no_more_files() -> Iterator[None]:
    """Let this process open no more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.contract("Crashes and restarts 7")
def test_a_worker_without_files_blames_no_receiver(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        hook = await harness.subscribe()
        await harness.worker.deliver_due()  # it has its connections to the database
        await harness.send()
        with capture_logs() as logs, no_more_files():
            await harness.worker.deliver_due()
        assert [each["event"] for each in logs] == ["an attempt could not be recorded"], logs
        assert "Too many open files" in logs[0]["error"]
        assert not harness.receiver.received
        harness.pass_time(seconds=LEASE.total_seconds() + 1)
        await harness.worker.deliver_due()
        [delivery] = await harness.log(hook)
        assert (delivery["status"], len(delivery["attempts"])) == ("DELIVERY_STATUS_SUCCEEDED", 1)

    with_harness(settings, act)


def _send_until_full(api: Api, client: httpx.Client) -> list[str]:
    """Send messages until there is no room for another; return those that were acknowledged."""
    acknowledged = list[str]()
    for _ in range(2000):
        text = os.urandom(2000).hex()
        if assert_answered(client.post(api.messages, json={"text": text}), "send"):
            return acknowledged
        acknowledged.append(text)
    raise AssertionError("the disk is not full")


def _failed_checks(settings: Settings) -> list[str]:
    done = subprocess.run(
        [ATRIUM, "doctor", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | settings.environment(),
    )
    return [each["check"] for each in json.loads(done.stdout) if each["verdict"] == "fail"]


@pytest.mark.contract("Crashes and restarts 6")
def test_a_server_goes_on_when_the_disk_of_its_database_media_and_log_has_room_again(settings: Settings) -> None:
    content = webm(6 << 20)
    with (
        small_disk(72) as disk,
        database_on(disk, settings, workers=1, rate_limit=1000) as own,
        running_atrium(own) as running,
    ):
        wait_until((disk.folder / KEY_FILE).exists, "the worker has started")
        api = new_organization(own, running.url)
        client, room_id = api.person, video_room(api)
        upload = begin(client, room_id, len(content))
        disk.fill(leave=1 << 20)
        refused = client.post(f"/v2/rooms/{room_id}/recordings", content=content)
        assert (refused.status_code, refused.json()["code"]) == (503, "storage_unavailable")
        assert disk.files == {}, "no half of an object is left"
        disk.fill(leave=5 << 20)
        assert assert_answered(append(client, upload, 0, content), "append")
        disk.fill()
        acknowledged = _send_until_full(api, client)
        assert client.get(api.messages).status_code == 200
        assert "disk" in _failed_checks(running.settings)
        disk.make_room()
        acknowledged.append(api.send("there is room")["text"])
        assert sorted(texts_of(api)) == sorted(acknowledged)
        known = offset_of(client, upload)
        assert known == PART
        assert append(client, upload, known, content[known:]).status_code == 204
        parts = api.sql("select object || '/' || part as name, size from media_parts")
        assert disk.files == {row["name"]: row["size"] for row in parts}
        assert "Traceback" not in running.output.read_text()
        api.close()


@pytest.mark.contract("Crashes and restarts 6")
def test_the_embedded_database_comes_back_when_its_log_has_room_again() -> None:
    with small_disk(150) as disk:
        prepare(disk.folder)
        settings = Settings(data_dir=disk.folder, port=free_port(), workers=1, rate_limit=0)
        try:
            with running_atrium(settings) as running:
                _fill_and_empty(disk, running)
        finally:
            stop_postgres(settings)


def _fill_and_empty(disk: Disk, running: RunningServer) -> None:
    url = f"postgresql://postgres@/atrium?host={disk.folder / 'postgres'}"
    api = new_organization(running.settings.with_changes(database_url=url), running.url)
    api.send("before")
    disk.fill(leave=2 << 20)
    with psycopg.connect(url, autocommit=True) as db, pytest.raises(psycopg.OperationalError):
        db.execute(FILL_THE_LOG)
    waits = '"the database waits for room on its disk"'
    wait_until(lambda: waits in running.output.read_text(), "a start of the database has failed")
    assert assert_answered(api.person.post(api.messages, json={"text": "meanwhile"}), "send")
    assert httpx.get(f"{running.url}/readyz").status_code == 503
    disk.make_room()
    wait_until(lambda: httpx.get(f"{running.url}/readyz").status_code == 200, "the database is back")
    api.send("after")
    assert texts_of(api) == ["after", "before"]
    assert "did not start" not in running.output.read_text(), "such a start counts, and the server ends after a few"
    api.close()


@pytest.mark.contract("Crashes and restarts 5")
def test_a_database_without_a_free_connection_is_unavailable_and_the_probe_says_so(settings: Settings) -> None:
    with role_with_one_connection(settings.database_url or "") as url:

        async def act() -> None:
            pool = await open_pool(url, size=2)
            async with pool.acquire():
                with pytest.raises(Unavailable):
                    async with connection(pool, writing=False):
                        pass
                with pytest.raises(NotReady, match="all its connections are in use"):
                    await require_ready(pool)
            await require_ready(pool)
            await pool.close()

        asyncio.run(act())


@contextmanager
def role_with_one_connection(url: str) -> Iterator[str]:
    """Create a role that this user of the machine may use; yield the URL with it."""
    role = f"few_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as db:
        [found] = db.execute("show ident_file").fetchone() or [""]
        users = Path(found)
        written = users.read_text()
        db.execute(f"create role {role} login connection limit 1 in role pg_read_all_data".encode())
        try:
            users.write_text(f'{written}atrium "{getpass.getuser()}" {role}\n')
            db.execute("select pg_reload_conf()")
            limited = url.replace("//postgres@", f"//{role}@")
            wait_until(lambda: can_connect(limited), "the role may connect")
            yield limited
        finally:
            users.write_text(written)
            db.execute("select pg_reload_conf()")
            db.execute(f"drop role {role}".encode())


def can_connect(url: str) -> bool:
    with suppress(psycopg.OperationalError), psycopg.connect(url):
        return True
    return False

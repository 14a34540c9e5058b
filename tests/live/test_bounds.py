"""Limits of streams: their number, the buffer of a slow client, and how the server stops while they are open."""

import asyncio
import signal
import socket
import time
from urllib.parse import urlsplit

import asyncpg
import pytest

from atrium.kit.settings import Settings
from atrium.live.listener import MAX_WAITING
from tests.conftest import Api, fresh_database, new_organization, running_server
from tests.contract.tour import assert_problem
from tests.live.client import TIMEOUT, listen, streams


@pytest.mark.contract("Live events 12")
def test_the_streams_of_an_actor_are_limited_across_all_keys(settings: Settings) -> None:
    with running_server(settings.with_changes(streams_per_actor=2, workers=1)) as running:
        api = new_organization(settings, running.url)

        spare = api.person.post("/v1/me/integrations", json={"content": {"name": "x"}}).json()["key"]

        async def act() -> None:
            async with streams(*(listen(running.url, key) for key in (api.personal_key, spare))) as [one, _]:
                refused = await asyncio.to_thread(api.person.get, "/v2/events")
                assert assert_problem(refused, 429)["code"] == "too_many_streams"
                assert refused.headers["retry-after"]
                other = await asyncio.to_thread(api.client(spare).get, "/v2/events")
                assert assert_problem(other, 429)["code"] == "too_many_streams", "a key more is no stream more"
                async with streams(listen(running.url, api.organization_key)):
                    one.close()
                async with asyncio.timeout(TIMEOUT):
                    while (again := await listen(running.url, api.personal_key)).status == 429:
                        again.close()
                assert again.status == 200
                again.close()

        asyncio.run(act())
        api.close()


@pytest.mark.contract("Live events 13")
def test_an_organization_leaves_streams_for_the_others(settings: Settings) -> None:
    with running_server(settings.with_changes(streams=6, workers=1)) as running:
        api, other = new_organization(settings, running.url), new_organization(settings, running.url)

        async def act() -> None:
            keys = (api.personal_key, api.personal_key, api.organization_key)
            async with streams(*(listen(running.url, key) for key in keys)) as [one, *_]:
                for client in (api.person, api.integration):
                    refused = await asyncio.to_thread(client.get, "/v2/events")
                    problem = assert_problem(refused, 429)
                    assert (problem["code"], refused.headers["retry-after"]) == ("too_many_streams", "15")
                    assert "share of your organization" in problem["detail"]
                async with streams(listen(running.url, other.personal_key)) as [joined]:
                    assert joined.status == 200
                one.close()
                async with asyncio.timeout(TIMEOUT):
                    while (again := await listen(running.url, api.personal_key)).status == 429:
                        again.close()
                assert again.status == 200
                again.close()

        asyncio.run(act())
        api.close()
        other.close()


PUBLISH_TO_BOTH = """
select emit_to_actor('read_marker.moved', actor, null, null, null,
                     jsonb_build_object('nr', $2::int, 'x', repeat('x', 100000)))
from unnest($1::uuid[]) actor
"""


@pytest.mark.contract("Live events 12")
def test_a_client_that_does_not_read_is_disconnected_and_others_receive_on(api: Api) -> None:
    enough = MAX_WAITING * 10 // 100_000
    person_id, key = api.new_person()

    async def act() -> None:
        async with streams(listen(api.url, api.personal_key)) as [reading]:
            slow = _slow_stream(api.url, key)
            await asyncio.to_thread(slow.recv, 1, socket.MSG_PEEK)  # it is open
            for nr in range(enough):
                await asyncio.to_thread(api.sql, PUBLISH_TO_BOTH, [api.person_id, person_id], nr)
                await reading.until("read_marker.moved", nr=nr)
            assert [event.data["nr"] for event in reading.events[1:]] == list(range(enough))
            got = await asyncio.to_thread(_all_of, slow)
            assert got.endswith(b"0\r\n\r\n"), "the stream was ended"
            assert 0 < got.count(b"event: read_marker.moved") < enough, "before the last event"

    asyncio.run(act())


SEND_TOGETHER = """
with sent as (
    insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
    select $1::text::uuid, id_at(((extract(epoch from now()) * 1000)::bigint << 12) + nr), $2::text::uuid, 'person',
           nr || repeat('x', size), now()
    from unnest($3::int[]) with ordinality as sizes (size, nr) returning room_id, message_id
)
insert into live_events (kind, space_id, room_id, message_id)
select 'message.sent', space_id, room_id, message_id from sent join rooms using (room_id) order by message_id
"""


@pytest.mark.contract("Messages and blocks 21")
@pytest.mark.parametrize(
    "sizes", [[120_000] * 9, [2 * MAX_WAITING], [10, 2 * MAX_WAITING, 10]], ids=["many", "one", "one among others"]
)
def test_a_burst_of_large_messages_ends_no_stream(api: Api, sizes: list[int]) -> None:
    async def act() -> None:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            await asyncio.to_thread(api.sql, SEND_TOGETHER, api.room_id, api.person_id, sizes)
            await asyncio.to_thread(api.send, "the last one")
            await stream.until("message.sent", text="the last one")
            came = [event for event in stream.events if event.kind == "message.sent"]
            assert [len(event.data["text"]) for event in came[:-1]] == [
                size + len(str(nr)) for nr, size in enumerate(sizes, 1)
            ]
            assert "reset" not in stream.kinds()
            again = await listen(api.url, api.personal_key, stream.events[0].id)
            await again.until("message.sent", text="the last one")
            assert len(again.events) == len(stream.events), "a resumed stream gets the same events"
            again.close()

    asyncio.run(act())


def _slow_stream(url: str, key: str) -> socket.socket:
    """Open a stream of a client that reads as little as possible."""
    slow, at = socket.socket(), urlsplit(url)
    slow.settimeout(TIMEOUT)
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect((at.hostname, at.port))
    slow.sendall(f"GET /v2/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
    return slow


def _all_of(connection: socket.socket) -> bytes:
    parts = []
    while not parts or not parts[-1].endswith(b"0\r\n\r\n"):
        parts.append(connection.recv(1 << 20))
        if not parts[-1]:
            break
    connection.close()
    return b"".join(parts)


@pytest.mark.contract("Live events 12")
def test_idle_streams_use_only_the_connection_that_follows_the_log(settings: Settings) -> None:
    with running_server(settings.with_changes(connections=3, workers=1)) as running:
        api = new_organization(settings, running.url)

        async def act() -> None:
            opening = (listen(running.url, api.personal_key) for _ in range(20))
            async with streams(*opening) as open_streams:
                for nr in range(20):
                    await asyncio.to_thread(api.send, f"{nr}")
                for stream in open_streams:
                    await stream.until("message.sent", text="19")
                    assert stream.texts() == [f"{nr}" for nr in range(20)]

        asyncio.run(act())
        api.close()


FOLLOWING = """
select count(*) from pg_stat_activity
where datname = current_database() and query like '%live_unseen%' and pid <> pg_backend_pid()
"""


def test_the_log_is_not_read_while_no_stream_is_open(settings: Settings) -> None:
    with fresh_database(settings) as own, running_server(own.with_changes(workers=1)) as running:
        api = new_organization(own, running.url)

        async def count() -> int:
            db = await asyncpg.connect(own.database_url)
            try:
                return int(await db.fetchval(FOLLOWING))
            finally:
                await db.close()

        async def until(wanted: int) -> None:
            async with asyncio.timeout(TIMEOUT):
                while await count() != wanted:
                    await asyncio.sleep(0.05)

        async def act() -> None:
            assert await count() == 0
            async with streams(listen(running.url, api.personal_key)):
                await until(1)
            await until(0)

        asyncio.run(act())
        api.close()


@pytest.mark.contract("Live events 7")
def test_a_server_that_receives_a_stop_signal_ends_its_streams_and_stops(settings: Settings) -> None:
    with running_server(settings.with_changes(workers=2)) as running:
        api = new_organization(settings, running.url)

        async def act() -> str:
            async with streams(*(listen(running.url, api.personal_key) for _ in range(10))) as open_streams:
                running.process.send_signal(signal.SIGTERM)
                for stream in open_streams:
                    await stream.until_ended()
                return open_streams[0].last_id

        began = time.monotonic()
        last_id = asyncio.run(act())
        running.process.wait(30)
        assert time.monotonic() - began < 18, "it did not wait to be killed"
        api.close()
    api = Api(**{**vars(api), "_clients": []})
    with running_server(settings.with_changes(workers=1, port=running.settings.port)) as again:

        async def resume() -> None:
            await asyncio.to_thread(api.send, "after the restart")
            async with streams(listen(again.url, api.personal_key, last_id)) as [stream]:
                await stream.until("message.sent", text="after the restart")
                assert stream.kinds()[0] == "hello"

        asyncio.run(resume())
        api.close()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_event_path_accepts_only_get(api: Api, method: str) -> None:
    assert_problem(api.person.request(method, "/v2/events"), 405)

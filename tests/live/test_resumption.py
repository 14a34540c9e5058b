"""A client resumes by its last event id: it gets each event once and misses none, even if one committed late."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as some

from atrium.kit.settings import Settings
from atrium.live import stream as live_stream
from atrium.live.model import RETENTION, StreamPosition
from atrium.live.queries import MAINTAIN_PARTITIONS
from atrium.messages.queries import EDIT
from atrium.server.app import create_app
from tests.conftest import Api, FakeClock, new_organization, own_postgres
from tests.live.client import LocalStream, ReceivedEvent, listen, streams
from tests.messages.concurrent import callers

LATE, SENT = 25, 80


async def _edit_late(api: Api, message_id: str, dice: random.Random) -> None:
    """Edit a message in a transaction that is old when it commits."""
    db = await asyncpg.connect(api.settings.database_url)
    try:
        async with db.transaction():
            await db.fetchval("select pg_current_xact_id()")
            await asyncio.sleep(dice.random() * 0.7)
            at = (api.room_id, message_id, api.space_id)
            await db.fetchval(EDIT, *at, "edited", "[]", [], datetime.now(UTC))
            await asyncio.sleep(dice.random() * 0.7)
    finally:
        await db.close()


async def _cut_again_and_again(api: Api, last_id: str, dice: random.Random, until: str) -> list[ReceivedEvent]:
    """Return the events received over many connections, each cut at a random place."""
    received: list[ReceivedEvent] = []
    while True:
        stream = await listen(api.url, api.organization_key, last_id)
        stop = dice.randrange(1, 12)
        while len(stream.events) <= stop and not any(event.data.get("text") == until for event in stream.events):
            if not await stream.read_some():
                break
        taken = stream.events[: stop + 1]
        stream.close()
        received += taken
        last_id = taken[-1].id  # the rest of the same chunk counts as lost
        if any(event.data.get("text") == until for event in taken):
            return received


@pytest.mark.contract("Live events 7")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_stream_cut_anywhere_receives_each_event_once_while_writers_commit_out_of_order(api: Api, seed: int) -> None:
    dice = random.Random(seed)
    messages = [api.send(f"edited later {nr}")["message_id"] for nr in range(LATE)]

    async def act() -> tuple[list[ReceivedEvent], list[str]]:
        async def send(client: Any) -> list[str]:
            sent = []
            for nr in range(SENT // 4):
                answer = await client.post(api.messages, json={"text": f"{nr}"})
                sent.append(answer.json()["message_id"])
                await asyncio.sleep(dice.random() * 0.05)
            return sent

        async with streams(listen(api.url, api.organization_key)) as [first]:
            begin = first.last_id
        hearing = asyncio.create_task(_cut_again_and_again(api, begin, dice, "the end"))
        async with callers(api, 5) as clients:
            late = [_edit_late(api, message, dice) for message in messages]
            *_, a, b, c, d = await asyncio.gather(*late, *(send(client) for client in clients[:4]))
            last = await clients[4].post(api.messages, json={"text": "the end"})
        return await hearing, [*a, *b, *c, *d, last.json()["message_id"]]

    received, sent = asyncio.run(act())
    counts = Counter((event.kind, event.data["message_id"]) for event in received if event.kind != "hello")
    assert set(counts.values()) == {1}
    assert set(counts) == {("message.sent", each) for each in sent} | {("message.edited", each) for each in messages}
    in_order = [event.data["message_id"] for event in received if event.kind == "message.sent"]
    assert in_order == sorted(in_order)


def test_a_client_that_reconnects_receives_missed_events_and_then_new_ones(api: Api) -> None:
    async def act() -> list[str]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            await asyncio.to_thread(api.send, "heard")
            last = (await stream.until("message.sent")).id
        for nr in range(5):
            await asyncio.to_thread(api.send, f"missed {nr}")
        async with streams(listen(api.url, api.personal_key, query=f"?last_event_id={last}")) as [stream]:
            await stream.until("message.sent", text="missed 4")
            await asyncio.to_thread(api.send, "present")
            await stream.until("message.sent", text="present")
            return stream.texts()

    assert asyncio.run(act()) == [*(f"missed {nr}" for nr in range(5)), "present"]


def test_an_idle_client_resumes_from_its_first_id(api: Api) -> None:
    async def act() -> list[str]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            first = stream.last_id
        await asyncio.to_thread(api.send, "missed")
        async with streams(listen(api.url, api.personal_key, first)) as [stream]:
            await stream.until("message.sent", text="missed")
            return stream.kinds()

    assert asyncio.run(act()) == ["hello", "message.sent"]


def test_missed_events_are_replayed_only_from_reachable_resources(api: Api) -> None:
    person_id, key = api.new_person()
    space = api.new_space("private")
    room = api.new_room(space)["room_id"]
    member = f"/v1/spaces/{space}/members/{person_id}"
    api.person.put(member, json={"content": {"role": "reader"}})

    async def act() -> list[str]:
        async with streams(listen(api.url, key)) as [stream]:
            last = stream.last_id
        await asyncio.to_thread(api.person.post, f"/v2/rooms/{room}/messages", json={"text": "secret"})
        await asyncio.to_thread(api.person.delete, member)
        await asyncio.to_thread(api.send, "open")
        async with streams(listen(api.url, key, last)) as [stream]:
            await stream.until("message.sent", text="open")
            return stream.texts()

    assert asyncio.run(act()) == ["open"]


def test_the_event_of_a_message_deleted_meanwhile_has_no_text(api: Api) -> None:
    async def act() -> list[ReceivedEvent]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            last = stream.last_id
        sent = await asyncio.to_thread(api.send, "regretted")
        await asyncio.to_thread(api.person.delete, f"{api.messages}/{sent['message_id']}")
        async with streams(listen(api.url, api.personal_key, last)) as [stream]:
            await stream.until("message.deleted")
            return stream.events

    _, sent, deleted = asyncio.run(act())
    assert (sent.kind, sent.data["status"], sent.data["text"]) == ("message.sent", "DELETED", "")
    assert deleted.data == sent.data


@pytest.mark.contract("Live events 5")
def test_of_a_room_deleted_meanwhile_only_the_deletion_is_replayed(api: Api) -> None:
    room = api.new_room()["room_id"]

    async def act() -> list[str]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            last = stream.last_id
        path, block = f"/v2/rooms/{room}", {"type": "paragraph", "content": {"text": "secret"}}
        await asyncio.to_thread(api.person.patch, path, json={"description": "secret"})
        await asyncio.to_thread(api.person.post, f"{path}/blocks", json=block)
        await asyncio.to_thread(api.person.post, f"{path}/messages", json={"text": "secret"})
        assert (await asyncio.to_thread(api.person.delete, path)).status_code == 204
        async with streams(listen(api.url, api.personal_key, last)) as [stream]:
            await stream.until("room.deleted", room_id=room)
            return stream.kinds()

    assert asyncio.run(act()) == ["hello", "room.deleted"]


@pytest.mark.contract("Live events 3")
def test_typing_is_never_replayed(api: Api) -> None:
    async def act() -> list[str]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            last = stream.last_id
            await asyncio.to_thread(api.person.post, f"/v2/rooms/{api.room_id}/typing")
            await asyncio.to_thread(api.send, "typed")
            await stream.until("message.sent")  # time moves from here on
        async with streams(listen(api.url, api.personal_key, last)) as [stream]:
            await stream.until("message.sent")
            return stream.kinds()

    assert asyncio.run(act()) == ["hello", "message.sent"]


UNUSABLE = {
    "none of ours": "42", "empty snapshot": "{0}.{1}.::", "backwards": "{0}.{1}.9:3:", "of another database":
    "ffffffff.{1}.{2}", "of times to come": "{0}.{1}.999999999999:999999999999:", "long": "x" * 5000,
    "running out of range": "{0}.{1}.3:9:12", "unordered": "{0}.{1}.3:9:5,4",
}  # fmt: skip


@pytest.mark.contract("Live events 10")
@pytest.mark.parametrize("what", UNUSABLE)
def test_an_id_that_cannot_be_resumed_from_gets_a_reset(api: Api, what: str) -> None:
    async def act() -> list[ReceivedEvent]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            parts = stream.last_id.split(".")
            await asyncio.to_thread(api.send, "before")
            await stream.until("message.sent")
        async with streams(listen(api.url, api.personal_key, UNUSABLE[what].format(*parts))) as [stream]:
            await asyncio.to_thread(api.send, "after")
            await stream.until("message.sent", text="after")
            return stream.events

    reset, sent = asyncio.run(act())
    assert (reset.kind, reset.data, sent.data["text"]) == ("reset", {}, "after")
    assert StreamPosition.parse(reset.id)


@asynccontextmanager
async def _application(api: Api, clock: FakeClock) -> AsyncIterator[Any]:
    app = create_app(api.settings, clock)
    async with app.lifespan():
        yield app


@pytest.mark.contract("Live events 10")
def test_an_id_is_valid_for_a_day_and_then_resets() -> None:
    with own_postgres() as settings:
        api, clock = new_organization(settings, "http://atrium.test"), FakeClock(datetime.now(UTC))
        publish = "select emit_to_actor('read_marker.moved', $1, null, null, null, '{}')"

        async def act() -> None:
            await asyncio.to_thread(api.sql, MAINTAIN_PARTITIONS, clock.at)
            async with _application(api, clock) as app:
                first = LocalStream(app, api.personal_key)
                await first.until("hello")
                await first.close()
                await asyncio.to_thread(api.sql, publish, api.person_id)
                clock.at += RETENTION
                await asyncio.to_thread(api.sql, MAINTAIN_PARTITIONS, clock.at)
                second = LocalStream(app, api.personal_key, first.last_id)
                text = await second.until("read_marker.moved")
                await second.close()
                assert "event: hello" in text
                clock.at += timedelta(milliseconds=1)
                third = LocalStream(app, api.personal_key, first.last_id)
                await third.until("event: reset")
                await third.close()

        asyncio.run(act())


@pytest.mark.contract("Live events 10")
def test_too_many_missed_events_reset_the_stream(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(live_stream, "PAGE", 2)
    monkeypatch.setattr(live_stream, "MAX_MISSED", 3)
    api = new_organization(settings, "http://unused")
    publish = "select emit_to_actor('read_marker.moved', $1, null, null, null, $2)"

    async def act(count: int) -> str:
        async with _application(api, FakeClock(datetime.now(UTC))) as app:
            first = LocalStream(app, api.personal_key)
            await first.until("hello")
            await first.close()
            for nr in range(count):
                await asyncio.to_thread(api.sql, publish, api.person_id, f'{{"nr": {nr}}}')
            second = LocalStream(app, api.personal_key, first.last_id)
            text = await second.until("reset" if count > 5 else f'"nr": {count - 1}')
            await second.close()
            return text

    assert asyncio.run(act(5)).count("read_marker.moved") == 5
    assert asyncio.run(act(7)).count("read_marker.moved") == 6


def test_old_days_of_the_log_are_dropped_and_the_last_day_stays() -> None:
    parts = "select relname from pg_class where relname ~ '^live_events_[0-9]{8}$' order by 1"
    with own_postgres() as made:

        async def act() -> list[list[str]]:
            db = await asyncpg.connect(made.database_url)
            found = []
            for day in (1, 2, 3):
                await db.execute(MAINTAIN_PARTITIONS, datetime(2026, 11, day, 12, tzinfo=UTC))
                found.append([row["relname"].removeprefix("live_events_202611") for row in await db.fetch(parts)])
            await db.close()
            return found

        assert asyncio.run(act()) == [["01", "02"], ["01", "02", "03"], ["02", "03", "04"]]


def test_the_log_of_a_restored_database_is_emptied(settings: Settings) -> None:
    with own_postgres() as made:

        async def act() -> list[int]:
            db = await asyncpg.connect(made.database_url)
            await db.execute(MAINTAIN_PARTITIONS, datetime.now(UTC))
            await db.execute("select emit_access(gen_random_uuid(), gen_random_uuid())")
            counts = [await db.fetchval("select count(*) from live_events")]
            await db.execute("update live_positions set seen = pg_current_snapshot()")
            await db.execute("update live_origin set identity = 'elsewhere'")
            await db.execute("select begin_log()")
            counts.append(await db.fetchval("select count(*) from live_events"))
            await db.close()
            return counts

        assert asyncio.run(act()) == [1, 0]


@some.composite
def snapshots(draw: some.DrawFn) -> str:
    low = draw(some.integers(1, 1 << 40))
    running = sorted(draw(some.sets(some.integers(low, low + 50), max_size=8)))
    return f"{low}:{max([*running, low]) + 1}:{','.join(map(str, running))}"


@given(snapshots(), some.none() | snapshots(), some.integers(0, 1 << 50), some.integers(0, 1 << 45))
def test_an_id_decodes_to_its_position(seen: str, until: str | None, seq: int, at: int) -> None:
    position = StreamPosition("00c0ffee", at, seen, until, seq if until else 0)
    assert StreamPosition.parse(str(position)) == position


@given(
    some.text() | some.from_regex(r"[0-9a-f]{8}\.[0-9]+\.[0-9]*:[0-9]*:[0-9,]*(\.[0-9:,]*\.[0-9]*)?", fullmatch=True)
)
def test_any_other_text_is_rejected_or_a_valid_id(text: str) -> None:
    found = StreamPosition.parse(text)
    assert found is None or str(found.identity) in text

"""Events are queued behind what they are about: each once, for the webhooks as they were when it was acknowledged."""

import asyncio
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from atrium.kit.settings import Settings
from atrium.live.queries import MAINTAIN_PARTITIONS
from atrium.webhooks.queue import events as event_queue
from atrium.webhooks.queue.events import EventQueue
from tests.contract.tour import subscription
from tests.webhooks.harness import NOON, Harness, with_harness

SEND_UNCOMMITTED = """
insert into live_events (kind, space_id, room_id, data)
select 'room.updated', space_id, room_id, '{}' from rooms where room_id = $1
"""
UPDATED = "WEBHOOK_SUBSCRIPTION_TYPE_ROOM_UPDATED"
WAITING = "select from pg_locks where not granted"


async def logged_ids(harness: Harness, webhook: dict[str, Any]) -> list[str]:
    """Return the ids of the messages in the log of a webhook, oldest first."""
    rows = await harness.db.fetch(
        """select convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'message_id' as id from deliveries
           where webhook_id = $1 order by delivery_id""",
        webhook["webhook"]["id"],
    )
    return [row["id"] for row in rows]


@pytest.mark.contract("Events and deliveries 5")
def test_a_long_log_is_queued_in_parts_and_in_order(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        while await harness.worker.queue_events():
            pass
        sent = [(await harness.send(f"{nr}"))["message_id"] for nr in range(10)]
        events = EventQueue(harness.worker.pool, max_events=4)
        for queued in (4, 8, 10, 10):
            await events.queue_next(NOON)
            assert await logged_ids(harness, webhook) == sent[:queued]
        rows = await harness.db.fetch("select delivery_id from due_deliveries order by position")
        assert len(rows) == 10
        assert await harness.worker.deliver_due() == 10

    with_harness(settings, act)


def test_long_texts_are_compared_in_parts(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_queue, "MAX_TEXT", 25)

    async def act(harness: Harness) -> None:
        room = harness.made["room_id"]
        webhook = await harness.subscribe(subscriptions=[subscription(room, filter={"words": ["ten"]})])
        while await harness.worker.queue_events():
            pass
        sent = [
            (await harness.send(text))["message_id"] for text in ("ten letter", "ten letter", "not", "ten letter") * 2
        ]
        wanted = [each for nr, each in enumerate(sent) if nr % 4 != 2]
        for queued in (3, 6):
            assert await harness.worker.queue_events()
            assert await logged_ids(harness, webhook) == wanted[:queued]
        assert not await harness.worker.queue_events()

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 5")
def test_what_commits_late_is_queued_once(settings: Settings) -> None:
    """Also if parts of the log were queued before and after, by several workers together."""

    async def act(harness: Harness) -> None:
        room = harness.made["room_id"]
        webhook = await harness.subscribe(subscriptions=[{**subscription(room), "subscription_type": UPDATED}])
        late = await asyncpg.connect(harness.settings.database_url)
        async with late.transaction():
            await late.execute(SEND_UNCOMMITTED, room)
            for _ in range(5):
                await harness.db.execute(SEND_UNCOMMITTED, room)
            await EventQueue(harness.worker.pool, max_events=2).queue_next(NOON)
        await late.close()
        await harness.db.execute(SEND_UNCOMMITTED, room)
        for _ in range(8):
            await asyncio.gather(*(EventQueue(harness.worker.pool, max_events=2).queue_next(NOON) for _ in range(3)))
        assert len(await logged_ids(harness, webhook)) == 7

    with_harness(settings, act)


STEPS = st.lists(
    st.sampled_from(["send", "send", "subscribe", "unsubscribe", "disable", "enable", "queue"]), max_size=14
)


@pytest.mark.contract("Events and deliveries 5")
@given(STEPS)
@examples(max_examples=10)
def test_an_event_goes_to_the_webhooks_as_they_were_when_it_was_acknowledged(
    settings: Settings, steps: list[str]
) -> None:
    async def act(harness: Harness) -> None:
        room, other = harness.made["room_id"], {**subscription(harness.made["room_id"]), "subscription_type": UPDATED}
        webhook = await harness.subscribe()
        subscribed, active, expected = True, True, list[tuple[str, bool]]()
        for step in steps:
            if step == "send":
                sent = await harness.send()
                expected += [(sent["message_id"], active)] * subscribed
            elif step == "queue":
                await EventQueue(harness.worker.pool, max_events=2).queue_next(NOON)
            elif step.endswith("subscribe"):
                subscribed = step == "subscribe"
                await harness.change(webhook, subscriptions=[subscription(room) if subscribed else other])
            else:
                active = step == "enable"
                await harness.change(webhook, status=f"WEBHOOK_STATUS_{'ACTIVE' if active else 'INACTIVE'}")
        while await harness.worker.queue_events():
            pass
        rows = await harness.db.fetch(
            """select convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'message_id' as id, status from deliveries
               where event_type = 'message_sent'"""
        )
        missed = "DELIVERY_STATUS_MISSED"
        assert sorted((row["id"], row["status"] != missed) for row in rows) == sorted(expected)

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 6")
def test_no_text_of_a_message_is_queued_once_it_is_deleted(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        room = harness.made["room_id"]
        webhook = await harness.subscribe(subscriptions=[subscription(room, include=["message"])])
        message = f"/v2/rooms/{room}/messages/{(await harness.send('a secret'))['message_id']}"
        holding = await asyncpg.connect(harness.settings.database_url)
        async with holding.transaction():
            await holding.execute("lock table due_deliveries in access exclusive mode")
            queueing = asyncio.create_task(harness.worker.queue_events())
            await _until_waiting(harness, 1)
            deleting = asyncio.create_task(harness.client.delete(message))
            await _until_waiting(harness, 2)
        await holding.close()
        await queueing
        assert (await deleting).status_code == 204
        [entry] = await harness.log(webhook)
        assert "DELETED" in entry["request_body"]
        assert "secret" not in entry["request_body"]

    with_harness(settings, act)


async def _until_waiting(harness: Harness, number: int) -> None:
    while len(await harness.db.fetch(WAITING)) < number:
        await asyncio.sleep(0.01)


@pytest.mark.contract("Events and deliveries 5")
def test_no_event_is_removed_before_it_is_queued(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        day = NOON + timedelta(days=2)
        await harness.db.execute(MAINTAIN_PARTITIONS, day)
        while await harness.worker.queue_events():
            pass
        sent = await harness.send()
        await harness.db.execute("update live_events set at = $1 where kind = 'message.sent'", day)
        part = "select to_regclass('live_events_20261123') is not null"
        for taken in (False, True):
            await harness.db.execute(MAINTAIN_PARTITIONS, day + timedelta(days=5))
            assert await harness.db.fetchval(part) != taken
            await harness.worker.queue_events()
        assert await logged_ids(harness, webhook) == [sent["message_id"]]

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 5")
def test_a_database_that_is_restored_elsewhere_queues_what_was_not_queued(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        queued = await harness.send("queued")
        while await harness.worker.queue_events():
            pass
        waiting = await harness.send("waiting")
        await harness.db.execute("update live_origin set identity = 'elsewhere'")
        await harness.db.execute("select begin_log()")
        later = await harness.send("later")
        while await harness.worker.queue_events():
            pass
        assert await logged_ids(harness, webhook) == [each["message_id"] for each in (queued, waiting, later)]

    with_harness(settings, act)


def test_a_delivery_whose_queueing_was_lost_has_the_same_id_again(settings: Settings) -> None:
    """As a crash of the database can lose what the worker commits without waiting for the disk."""

    async def act(harness: Harness) -> None:
        await harness.subscribe()
        await harness.send()
        before = await harness.db.fetchrow("select seen, until, last_seq from live_positions")
        ids = list[list[Any]]()
        for _ in range(2):
            while await harness.worker.queue_events():
                pass
            ids.append(await harness.db.fetch("select webhook_id, delivery_id from deliveries"))
            await harness.db.execute("truncate deliveries, due_deliveries")
            await harness.db.execute("update live_positions set seen = $1, until = $2, last_seq = $3", *before)
        assert ids[0] == ids[1] != []

    with_harness(settings, act)

"""The clock was ahead and is set back: with the statements of the guide, nothing waits until it has caught up."""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest

from atrium.keys.queries import RECORD_USE
from atrium.kit.clock import MAX_SKEW, to_ms
from atrium.kit.postgres.database import open_pool
from atrium.kit.settings import Settings
from atrium.live.model import StreamPosition
from atrium.server.rate_limit import RateBuckets
from atrium.webhooks.delivery.worker import LEASE
from tests.faults.wrong_clock import run_statements
from tests.webhooks.harness import NOON, Harness, with_harness

AHEAD = timedelta(days=40)
COUNT = "select count(*) from live_events where kind = 'typing'"
DENIALS = "select count(*) from audit_entries where action = 'request.refused'"

FILL_MINUTE = """
insert into audit_entries
select (jsonb_populate_record(e, jsonb_build_object('entry_id', id_at((id_ms(entry_id) << 12) + nr)))).*
from audit_entries e cross join generate_series(1, 99) as nr where action = 'request.refused'
"""


async def set_back(harness: Harness, at: datetime = NOON) -> None:
    """Set the clock, and run the statements of the guide."""
    harness.clock.at = at
    await run_statements(harness.db, at)


def received_ids(harness: Harness) -> list[str]:
    return [json.loads(each.body)["data"]["message_id"] for each in harness.receiver.received]


@pytest.mark.contract("Messages and blocks 2")
@pytest.mark.parametrize("kind", [{}, {"ordering": "room"}, {"rate_limit": 1}, {"ordering": "room", "rate_limit": 1}])
def test_new_messages_are_delivered_immediately(settings: Settings, kind: dict[str, Any]) -> None:
    """Also those of a room whose newest message has a time that is still to come."""

    async def act(harness: Harness) -> None:
        await harness.subscribe(**kind)
        harness.clock.at = NOON + AHEAD
        ahead = await harness.send()
        assert await harness.worker.deliver_due() == 1
        await set_back(harness)
        sent = await harness.send()
        assert sent["created_at"] >= ahead["created_at"]
        assert await harness.worker.deliver_due() == 1
        assert received_ids(harness) == [ahead["message_id"], sent["message_id"]]

    with_harness(settings, act)


@pytest.mark.contract("Messages and blocks 2")
@pytest.mark.parametrize("kind", [{}, {"ordering": "room"}])
@pytest.mark.parametrize("left", ["queued", "leased", "failed"])
def test_what_waits_for_a_time_ahead_is_delivered_and_what_comes_after_it(
    settings: Settings, kind: dict[str, Any], left: str
) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe(**kind)
        harness.clock.at = NOON + AHEAD
        sent = [await harness.send()]
        if left == "failed":
            harness.receiver.status = 500
            await harness.worker.deliver_due()
            harness.receiver.status = 200
            harness.receiver.received.clear()
        if left == "leased":
            await harness.db.execute("update due_deliveries set leased = true, due_at = $1", NOON + AHEAD + LEASE)
        await set_back(harness)
        sent.append(await harness.send())
        while await harness.worker.deliver_due():
            pass
        assert received_ids(harness) == [each["message_id"] for each in sent]

    with_harness(settings, act)


def test_an_attempt_under_way_keeps_its_delivery(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe()
        await harness.send()
        rows = "update due_deliveries set leased = true, due_at = $1 returning due_at, leased"
        before = await harness.db.fetch(rows, NOON + LEASE)
        await set_back(harness)
        assert await harness.db.fetch("select due_at, leased from due_deliveries") == before

    with_harness(settings, act)


async def send_typing(harness: Harness) -> None:
    assert (await harness.client.post(f"/v2/rooms/{harness.made['room_id']}/typing")).status_code == 204


async def make_denied_request(harness: Harness) -> None:
    own = {"authorization": f"Bearer {harness.made['organization_key']}"}
    assert (await harness.client.get("/v1/me/profile", headers=own)).status_code == 403


@pytest.mark.contract("Messages and blocks 2")
@pytest.mark.parametrize(("act", "count"), [(send_typing, COUNT), (make_denied_request, DENIALS)])
def test_typing_and_denied_requests_are_seen(
    settings: Settings, act: Callable[[Harness], Awaitable[None]], count: str
) -> None:
    async def scenario(harness: Harness) -> None:
        for nr, at in enumerate((NOON + AHEAD, NOON), start=1):
            await set_back(harness, at)
            harness.clock.at += timedelta(seconds=3)
            for _ in range(2):
                await act(harness)
            assert await harness.db.fetchval(count) == nr

    with_harness(settings, scenario)


def test_a_hundred_denials_from_before_do_not_fill_the_minute(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.clock.at = NOON + AHEAD
        await make_denied_request(harness)
        await harness.db.execute(FILL_MINUTE)
        harness.clock.at = NOON
        await make_denied_request(harness)
        assert await harness.db.fetchval(DENIALS) == 101

    with_harness(settings, act)


def test_uses_of_a_key_are_recorded_again(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        keys = await harness.db.fetch("update api_keys set last_used_at = $1 returning api_key_id", NOON + AHEAD)
        await harness.db.execute(RECORD_USE, [each["api_key_id"] for each in keys], NOON)
        assert {each["last_used_at"] for each in await harness.db.fetch("select last_used_at from api_keys")} == {NOON}

    with_harness(settings, act)


def test_a_key_that_had_expired_then_works_with_the_limit_of_its_person(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        key = sha256(harness.made["personal_key"].encode()).digest()
        await harness.db.execute("update api_keys set expires_at = $1", NOON + timedelta(days=10))
        buckets = RateBuckets(await open_pool(harness.settings.database_url or "", size=1), harness.clock)
        harness.clock.at = NOON + AHEAD
        assert (await buckets.find(key)).api_key_id is None
        harness.clock.at = NOON
        assert (await buckets.find(key)).api_key_id is not None

    with_harness(settings, act)


def test_a_stream_from_before_is_not_resumed() -> None:
    """Its events may be deleted long before the clock has caught up."""

    def at(time: datetime) -> StreamPosition:
        return StreamPosition("a", to_ms(time), "1:1:")

    assert at(NOON).can_be_resumed(at(NOON), NOON)
    assert at(NOON + MAX_SKEW).can_be_resumed(at(NOON), NOON), "of another server"
    assert not at(NOON + AHEAD).can_be_resumed(at(NOON), NOON)

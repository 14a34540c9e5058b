"""Partitions are made and dropped while others write: that of the day, too, for which there was no room before."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import TypeVar

import asyncpg
import pytest

from atrium.kit.settings import Settings
from tests.before_it_commits import WAITING
from tests.webhooks.harness import NOON, Harness, with_harness

DELIVERIES, LIVE_EVENTS = f"select keep_deliveries('{NOON}', 30)", "select keep_live_events(now())"
# Rows of a day in the default partition, as of the organization, keep its partition from being made.
FORGET = "delete from live_events"
T = TypeVar("T")


async def wait_for_partition(harness: Harness, late: str, work: Awaitable[T]) -> T:
    """Return the result of work that waits for the partition."""
    if late == LIVE_EVENTS:
        await harness.db.execute(FORGET)
    async with harness.db.transaction():
        await harness.db.execute(late)
        working = asyncio.ensure_future(work)
        while not await harness.db.fetch(WAITING):
            assert not working.done(), working.result()
            await asyncio.sleep(0.01)
    return await working


@pytest.mark.contract("Messages and blocks 3")
def test_a_message_that_meets_the_new_partition_is_sent(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        hook = await harness.subscribe()
        path = f"/v2/rooms/{harness.made['room_id']}/messages"
        answer = await wait_for_partition(harness, LIVE_EVENTS, harness.client.post(path, json={"text": "hello"}))
        assert answer.status_code == 201, answer.text
        await harness.worker.deliver_due()
        assert len(await harness.log(hook)) == len(harness.receiver.received) == 1

    with_harness(settings, act)


def test_events_that_meet_the_new_partition_are_queued_once(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        hook = await harness.subscribe()
        for number in range(3):
            await harness.send(f"m{number}")
        with pytest.raises(asyncpg.CheckViolationError):
            await wait_for_partition(harness, DELIVERIES, harness.worker.queue_events())
        assert not await harness.db.fetch("select from deliveries")
        await harness.worker.deliver_due()
        assert len(await harness.log(hook)) == len(harness.receiver.received) == 3

    with_harness(settings, act)


@pytest.mark.contract("Messages and blocks 3")
def test_any_other_request_that_meets_it_can_be_repeated(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        path, body = f"/v2/spaces/{harness.made['space_id']}/rooms", {"name": "another"}
        answer = await wait_for_partition(harness, LIVE_EVENTS, harness.client.post(path, json=body))
        assert (answer.status_code, "retry-after" in answer.headers) == (503, True), answer.text
        assert (await harness.client.post(path, json=body)).status_code == 201

    with_harness(settings, act)


@pytest.mark.parametrize(
    ("table", "keep"), [("live_events", "keep_live_events($1)"), ("deliveries", "keep_deliveries($1, 30)")]
)
def test_a_statement_is_in_no_deadlock_with_what_makes_and_drops_partitions(
    settings: Settings, table: str, keep: str
) -> None:
    """It has locked the table and not yet its partitions."""

    async def act(harness: Harness) -> None:
        await harness.db.execute(f"select {keep}", NOON - timedelta(days=900))
        other = await asyncpg.connect(harness.settings.database_url)
        await other.execute("set deadlock_timeout = '10ms'")
        async with other.transaction():
            await other.execute(f"lock table only {table} in row exclusive mode")
            keeping = asyncio.ensure_future(harness.db.execute(f"select {keep}", NOON - timedelta(days=800)))
            while not await other.fetch(WAITING):
                assert not keeping.done(), "it waits to drop a partition"
                await asyncio.sleep(0.01)
            assert await other.fetchval(f"select count(*) from {table} where {table} is null") == 0
        await keeping
        await other.close()

    with_harness(settings, act)

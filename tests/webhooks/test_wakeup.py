"""A delivery wakes a sleeping worker; an awake one is not notified, and nothing is left behind."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from atrium.kit.postgres import locks
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import worker as workers
from atrium.webhooks.log import queries
from atrium.webhooks.queue import wakeup as wakeups
from atrium.webhooks.queue.wakeup import CHANNEL, Wakeup
from tests.webhooks.harness import Harness, with_harness
from tests.webhooks.waiting import until

LOCKED = f"""
select count(*) from pg_locks join pg_database db on db.oid = pg_locks.database and db.datname = current_database()
where locktype = 'advisory' and objid = {locks.AWAKE_WORKER} and mode = 'ExclusiveLock'
"""
LISTENING = "select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%'"


@asynccontextmanager
async def notifications_of(harness: Harness) -> AsyncIterator[list[str]]:
    """Listen on the channel of deliveries; yield the list of payloads that it fills."""
    received: list[str] = []
    db = await asyncpg.connect(harness.settings.database_url)
    await db.add_listener(CHANNEL, lambda *arguments: received.append(arguments[-1]))
    yield received
    await db.close()


@asynccontextmanager
async def wakeup_of(harness: Harness) -> AsyncIterator[Wakeup]:
    wakeup = Wakeup(harness.settings.database_url or "")
    async with wakeup.listening():
        await until(wakeup.notified.is_set)
        wakeup.notified.clear()
        yield wakeup


async def awake_locks(harness: Harness) -> int:
    return await harness.db.fetchval(LOCKED)


@pytest.mark.contract("Events and deliveries 22")
def test_a_worker_that_is_awake_is_not_woken(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe()
        async with notifications_of(harness) as received, wakeup_of(harness) as wakeup:
            await harness.send("rings")
            await until(wakeup.notified.is_set)
            await wakeup.mark_polled(found=True)
            assert wakeup.awake
            for nr in range(3):
                await harness.send(f"is found anyway {nr}")
            while await awake_locks(harness):
                await wakeup.mark_polled(found=False)
            assert wakeup.awake, "it stays awake for a while, for senders that saw the lock and commit afterwards"
            await harness.send("rings again")
            await until(lambda: len(received) > 1)
            await harness.db.execute("notify deliveries, 'last'")
            await until(lambda: received[-1] == "last")
            assert received == ["", "", "last"], "notifications arrive in the order of commits, so none can follow"

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 22")
def test_one_of_several_workers_takes_the_wakeup_lock_and_notifications_resume_when_it_stops(
    settings: Settings,
) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe()
        async with wakeup_of(harness) as second:
            async with wakeup_of(harness) as first:
                await first.mark_polled(found=True)
                await second.mark_polled(found=True)
                assert await awake_locks(harness) == 1
            async with asyncio.timeout(30):
                while await awake_locks(harness):
                    await asyncio.sleep(0.01)
            await harness.send()
            await until(second.notified.is_set)
            await second.mark_polled(found=True)
            assert await awake_locks(harness) == 1

    with_harness(settings, act)


def test_a_connection_that_does_not_answer_blocks_nothing_and_is_replaced(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "RESPONSE_TIMEOUT", 0.5)

    async def act(harness: Harness) -> None:
        async with wakeup_of(harness) as wakeup:
            frozen = await harness.db.fetchval(LISTENING)
            os.kill(frozen, signal.SIGSTOP)
            try:
                async with asyncio.timeout(30):
                    await wakeup.mark_polled(found=True)
                await until(wakeup.notified.is_set)
                await wakeup.mark_polled(found=True)
                assert await awake_locks(harness) == 1
            finally:
                os.kill(frozen, signal.SIGCONT)

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 22")
def test_a_delivery_written_while_a_worker_goes_to_sleep_is_found(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MAX_SLEEP", 0.5)

    async def act(harness: Harness) -> None:
        webhook, stop = await harness.subscribe(), asyncio.Event()
        running = asyncio.create_task(harness.worker.run(stop))
        for number in range(1, 4):
            await harness.send()
            await until(lambda number=number: len(harness.receiver.received) == number)
        (entry, *_) = await harness.log(webhook)
        async with asyncio.timeout(30):
            while not await awake_locks(harness):
                await harness.send()
            while await harness.db.fetchval("select exists (select from due_deliveries)"):
                await asyncio.sleep(0.01)
            async with harness.db.transaction():
                await harness.db.execute(
                    queries.RESEND, webhook["webhook"]["id"], entry["delivery_id"], harness.clock()
                )
                while await awake_locks(harness):
                    await asyncio.sleep(0.02)
                await asyncio.sleep(2 * wakeups.POLL_DURATION)
                before = len(harness.receiver.received)
        await until(lambda: len(harness.receiver.received) > before)
        assert harness.receiver.received[-1].delivery_id == entry["delivery_id"]
        stop.set()
        await running

    with_harness(settings, act)

"""The loop of a worker that sleeps between deliveries: no due delivery is missed while it goes to sleep."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from atrium.kit.settings import Settings
from atrium.webhooks.delivery import worker as workers
from atrium.webhooks.delivery.worker import open_delivery_worker
from atrium.webhooks.queue import wakeup as wakeups
from tests.conftest import FakeClock
from tests.webhooks.harness import NOON, Harness, with_harness
from tests.webhooks.waiting import until

RETRIES = 20
LOCK = "select from webhooks for update"


class TickingClock(FakeClock):
    """A clock that advances by `step` whenever it is read, so that time passes between any two reads."""

    step = timedelta(0)
    looks = 0

    def __call__(self) -> object:
        self.looks += 1
        self.at += self.step
        return self.at


@pytest.fixture(autouse=True)
def sound_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make workers sleep as soon as they can, and wake only for due deliveries."""
    monkeypatch.setattr(workers, "MAX_SLEEP", 3600.0)
    monkeypatch.setattr(wakeups, "LOCK_DURATION", 0.0)
    monkeypatch.setattr(wakeups, "POLL_DURATION", 0.0)


@asynccontextmanager
async def running_worker(harness: Harness, clock: FakeClock) -> AsyncIterator[None]:
    """Run the loop of a worker with `clock`."""
    stop = asyncio.Event()
    async with open_delivery_worker(harness.settings, clock) as worker:
        running = asyncio.create_task(worker.run(stop))
        yield
        stop.set()
        await running


@pytest.mark.contract("Events and deliveries 23")
def test_a_delivery_that_falls_due_between_claim_and_sleep_is_found(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        clock = TickingClock(NOON)
        clock.step, harness.receiver.status = timedelta(milliseconds=70), 500
        await harness.subscribe()
        await harness.send()
        async with running_worker(harness, clock):
            await until(lambda: len(harness.receiver.received) == 1 + RETRIES)

    with_harness(settings, act, retry_schedule=",".join(["100ms"] * RETRIES))


@pytest.mark.contract("Events and deliveries 23")
def test_a_delivery_locked_during_the_claim_is_found_after_the_lock_is_released(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        clock = TickingClock(NOON)
        harness.receiver.status = 500
        webhook = await harness.subscribe()
        await harness.send()
        async with running_worker(harness, clock):
            while [each["status"] for each in await harness.log(webhook)] != ["DELIVERY_STATUS_RETRYING"]:
                await asyncio.sleep(0.01)
            async with harness.db.transaction():
                await harness.db.execute(LOCK)
                clock.at += timedelta(seconds=1)
                looks = clock.looks
                await until(lambda: clock.looks >= looks + 3)  # a claim and its results
            await until(lambda: len(harness.receiver.received) == 2)

    with_harness(settings, act, retry_schedule="1s")

"""Queue events, claim due deliveries, send them, record the results. Any number of delivery workers may run.

A claim is a lease, not a transaction: no database connection is held while a receiver responds, and the claims of a
killed worker are due again when their lease ends.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from uuid import UUID

import structlog

from atrium.kit.clock import Clock, utc_now
from atrium.kit.encryption import WrongKey, installation_cipher
from atrium.kit.metrics import ATTEMPTS, ATTEMPTS_NOW, LATE
from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.outbound import Outbound
from atrium.kit.postgres.database import Pool, open_pool
from atrium.kit.process.failures import log_failure
from atrium.kit.process.shares import Shares
from atrium.kit.settings import Settings
from atrium.operations.instrumentation import Instrumentation
from atrium.webhooks.authentication.access_tokens import AccessTokens
from atrium.webhooks.delivery.attempt import AttemptResult, ClaimedDelivery, attempt, claimed_delivery
from atrium.webhooks.delivery.due import DeliveryQueue
from atrium.webhooks.delivery.pause_rules import failure_cutoff
from atrium.webhooks.delivery.turns import CLAIMED_PER_PLACE, LEAST, START, Endpoints
from atrium.webhooks.health.counts import HealthCounts
from atrium.webhooks.queue.events import EventQueue
from atrium.webhooks.queue.wakeup import Wakeup

log = structlog.get_logger()

LEASE = timedelta(seconds=60)  # an attempt takes at most 15 seconds
CONCURRENT = 2000  # claimed deliveries of one worker, for all organizations
SLOTS_AHEAD = timedelta(seconds=0.2)  # longer than RECHECK_INTERVAL, so that a webhook with a rate is never late
# On all workers. Fewer are under way (turns.py), and those that wait too long for their turn are given back.
CLAIMED_PER_WEBHOOK, CLAIMED_AFTER_FAILURES = CLAIMED_PER_PLACE * START, LEAST
MAX_SLEEP, PAUSE_AFTER_ERROR = 5.0, 1.0  # seconds; a new delivery wakes the workers
RECHECK_INTERVAL = 0.1  # seconds between claims while something is due
CLAIM_INTERVAL = 0.01  # seconds; a claim reads every webhook with pending deliveries: fewer, larger ones cost less
POLL_INTERVAL, BUSY = 0.04, 0.5  # seconds; while there are events, but none for a webhook since the last claim
DRAIN_TIMEOUT = 20.0
CONNECTIONS = 6


class DeliveryWorker:
    """Delivers due deliveries."""

    def __init__(self, pool: Pool, outbound: Outbound, settings: Settings, clock: Clock, *, places: int) -> None:
        self.pool, self._outbound, self._vault = pool, outbound, installation_cipher(settings)
        self._clock, self._tokens = clock, AccessTokens(outbound, clock)
        self.instrumentation = Instrumentation(settings)
        self._events, self._queue = EventQueue(pool), DeliveryQueue(pool, settings)
        self._endpoints = Endpoints()
        self._in_progress: set[asyncio.Task[None]] = set()
        self._places = Shares(places)
        self.health = HealthCounts()
        self._wakeup = Wakeup(settings.database_url or "")
        self._claimed_at, self._busy_until = clock(), 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until `stop`, then wait for the attempts in progress."""
        async with self._wakeup.listening():
            while not stop.is_set():
                try:
                    queued, claimed = await self._queue_events(), await self.claim()
                    await self._wakeup.mark_polled(found=queued or claimed > 0)
                    await asyncio.sleep(self._interval(claimed))
                    if not self._wakeup.awake:
                        await self._sleep(stop)
                except Exception as error:
                    log_failure("claiming failed and will be retried", error)
                    await self._wakeup.mark_polled(found=False)
                    await _first_of(stop.wait(), asyncio.sleep(PAUSE_AFTER_ERROR))
        self._endpoints.close()
        if self._in_progress:
            await asyncio.wait(self._in_progress, timeout=DRAIN_TIMEOUT)

    def _interval(self, claimed: int) -> float:
        """Return the seconds until the next claim."""
        if claimed:
            self._busy_until = monotonic() + BUSY
        return CLAIM_INTERVAL if self._in_progress or monotonic() < self._busy_until else POLL_INTERVAL

    async def deliver_due(self) -> int:
        """Deliver what is due now and wait for it. Return the number of claims, repeated ones included."""
        made, ended = 0, False
        while not ended:
            idle = not self._in_progress  # else an attempt may end unnoticed during the claim
            queued, claimed = await self.queue_events(), await self.claim()
            made, ended = made + claimed, idle and not queued and not claimed
            await asyncio.gather(*self._in_progress)
        return made

    async def queue_events(self) -> bool:
        """Queue the next events of the log. Return whether there were any."""
        self._wakeup.notified.clear()
        return await self._events.queue_next(self._clock())

    async def _queue_events(self) -> bool:
        """Do so, but let what is queued already go out if this fails."""
        try:
            return await self.queue_events()
        except Exception as error:
            log_failure("events could not be queued and will be retried", error)
            return False

    async def claim(self) -> int:
        """Claim due deliveries, as many as there is room for, and start to deliver them. Return their number."""
        self._claimed_at = now = self._clock()
        places = self._places
        if places.free <= 0:
            return 0
        limits = (CLAIMED_PER_WEBHOOK, CLAIMED_AFTER_FAILURES, places.free, failure_cutoff(now))
        rows = await self._queue.claim(
            now,
            now + LEASE,
            *limits,
            *self._endpoints.limits(),
            now + SLOTS_AHEAD,
            list(places.taken),
            list(places.taken.values()),
        )
        for row in rows:
            LATE.observe(max(0.0, (now - row["due_at"]).total_seconds()))
            ATTEMPTS_NOW.inc()
            task = asyncio.create_task(self._deliver(claimed_delivery(row)))
            self._in_progress.add(task)
            places.take(row["organization_id"])
            task.add_done_callback(partial(self._ended, row["organization_id"]))
        return len(rows)

    def _ended(self, organization_id: UUID, task: asyncio.Task[None]) -> None:
        self._in_progress.discard(task)
        ATTEMPTS_NOW.dec()
        self._places.give_back(organization_id)
        self._wakeup.notified.set()

    async def _deliver(self, claimed: ClaimedDelivery) -> None:
        """Send a delivery in its turn and record the result. One that cannot be recorded is due again when the lease
        ends."""
        try:
            await self._queue.record(claimed, await self._attempt(claimed))
        except WrongKey as error:
            log.error("a webhook's secret cannot be decrypted", webhook_id=str(claimed.webhook_id), error=str(error))
        except Exception as error:
            log_failure("an attempt could not be recorded", error, delivery_id=str(claimed.delivery_id))

    async def _attempt(self, claimed: ClaimedDelivery) -> AttemptResult | None:
        """Return the result of an attempt, or None if its turn did not come soon enough. Raise WrongKey."""
        if claimed.begins_in > 0:
            await asyncio.sleep(claimed.begins_in)
        endpoint = await self._endpoints.turn(claimed.webhook_id)
        if endpoint is None:
            return None
        succeeded = False
        try:
            result = await attempt(
                claimed, vault=self._vault, outbound=self._outbound, tokens=self._tokens, clock=self._clock
            )
            succeeded = result.exchange.succeeded
        finally:
            endpoint.ended(succeeded=succeeded)
        self._measure(claimed, result)
        return result

    def _measure(self, claimed: ClaimedDelivery, result: AttemptResult) -> None:
        exchange = result.exchange
        seconds, outcome = exchange.duration_ms / 1000, "succeeded" if exchange.succeeded else "failed"
        ATTEMPTS.labels(outcome).observe(seconds)
        self.health.count(claimed.webhook_id, exchange, result.ended_at)
        if self.instrumentation.tracer is not None:
            found = {
                "atrium.webhook_id": str(claimed.webhook_id),
                "atrium.delivery_id": str(claimed.delivery_id),
                "atrium.event_type": claimed.event_type,
                "atrium.attempt": result.log.attempt,
                "http.request.method": "POST",
                "http.response.status_code": exchange.response_code,
            }
            self.instrumentation.tracer.attempt(found, seconds, failed=not exchange.succeeded)

    async def _sleep(self, stop: asyncio.Event) -> None:
        """Sleep until a delivery is queued, an attempt ends, something is due, or `stop`."""
        seconds = pause_until(await self._queue.next_due(), claimed_at=self._claimed_at, now=self._clock())
        await _first_of(self._wakeup.notified.wait(), stop.wait(), asyncio.sleep(seconds))


def pause_until(due: datetime | None, *, claimed_at: datetime, now: datetime) -> float:
    """Return the seconds to sleep before the next claim, where `due` is the earliest time that an attempt is due.

    An attempt that became due since the last claim is claimed immediately. One that the claim skipped, because its
    webhook was locked or at its limit, is claimed after a short pause: nothing signals when that ends.
    """
    if due is None:
        return MAX_SLEEP
    if due <= claimed_at:
        return RECHECK_INTERVAL
    return min(MAX_SLEEP, max(0.0, (due - now).total_seconds()))


@asynccontextmanager
async def open_delivery_worker(
    settings: Settings, clock: Clock = utc_now, *, places: int | None = None
) -> AsyncIterator[DeliveryWorker]:
    """Open a delivery worker with `places` for deliveries, or as many as usual. `settings.database_url` must be set.

    Its commits do not wait for the disk: if a crash loses a claim or a result, the delivery is due again.
    """
    places = places or CONCURRENT
    async with (
        await open_pool(settings.database_url or "", size=CONNECTIONS, durable=False, by_index=True) as pool,
        Outbound(AddressRules(settings.allowed_networks), connections=places) as outbound,
    ):
        worker = DeliveryWorker(pool, outbound, settings, clock, places=places)
        async with worker.instrumentation, worker.health.writing(pool):
            yield worker


async def _first_of(*waits: Awaitable[object]) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()

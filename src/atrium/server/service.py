"""The shared state of an HTTP process, from its start to its end."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from atrium.keys.uses import KeyUses, UseCounts
from atrium.kit.clock import Clock, utc_now
from atrium.kit.metrics import PROCESSES, show_connections
from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.outbound import Outbound
from atrium.kit.postgres.database import Pool, open_pool
from atrium.kit.postgres.hosts import following
from atrium.kit.postgres.replicas import Replicas, open_replicas
from atrium.kit.process.periodic import run_every
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, open_storage
from atrium.live.hub import Hub
from atrium.messages.batches import MessageBatches
from atrium.operations.instrumentation import Instrumentation
from atrium.server.denials import RecentDenials
from atrium.server.rate_limit import RateBuckets, RateLimit

log = structlog.get_logger()
KEY_USES_INTERVAL, GAUGES_INTERVAL, PARENT_INTERVAL = 5.0, 1.0, 1.0  # seconds


@dataclass(frozen=True)
class Service:
    """The shared state of an HTTP process: connections to the database, caches, clients and counters."""

    settings: Settings
    clock: Clock
    pool: Pool
    replicas: Replicas | None
    batches: MessageBatches
    uses: KeyUses
    use_counts: UseCounts
    limit: RateLimit | None
    rate_buckets: RateBuckets
    denials: RecentDenials
    outbound: Outbound
    storage: Storage
    hub: Hub
    instrumentation: Instrumentation

    async def close(self) -> None:
        """End all connections to the database."""
        await self.pool.close()
        if self.replicas is not None:
            await self.replicas.close()


@asynccontextmanager
async def open_service(settings: Settings, clock: Clock = utc_now) -> AsyncIterator[Service]:
    """Open the service, and run its background tasks. `settings.database_url` must be set."""
    if settings.database_url is None:
        raise ValueError("a service needs the URL of its database")
    service = await _open(settings, clock)
    hub = service.hub
    writing = run_every(KEY_USES_INTERVAL, lambda: _write_key_uses(service), delay=KEY_USES_INTERVAL)
    gauges = run_every(GAUGES_INTERVAL, lambda: show_connections(service.pool))
    tasks = [*map(asyncio.create_task, (hub.run(), writing, gauges))]
    PROCESSES.labels("http").set(1)
    try:
        async with following(settings.database_url), service.outbound, service.instrumentation:
            yield service
    finally:
        hub.end_all()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(Exception):
            await _write_key_uses(service)
        await service.close()


async def _write_key_uses(service: Service) -> None:
    await service.uses.flush(service.pool, service.clock())
    await service.use_counts.flush(service.pool, service.clock())


async def _open(settings: Settings, clock: Clock) -> Service:
    pool = await open_pool(settings.database_url or "", size=settings.connections)
    replicas = await open_replicas(settings.database_replicas, size=settings.connections)
    uses = KeyUses()
    limit = RateLimit(settings.rate_limit, time.monotonic) if settings.rate_limit else None
    outbound = Outbound(AddressRules(settings.allowed_networks))
    batches, hub = MessageBatches(pool, replicas, settings, clock, uses), Hub(pool, settings, clock)
    instrumentation = Instrumentation(settings)
    storage = open_storage(settings)
    return Service(
        settings,
        clock,
        pool,
        replicas,
        batches,
        uses,
        UseCounts(),
        limit,
        RateBuckets(pool, clock),
        RecentDenials(),
        outbound,
        storage,
        hub,
        instrumentation,
    )


async def end_with_parent(parent: int) -> None:
    """Exit when the supervisor `parent` exits, so that no HTTP process outlives `atrium serve`."""
    while os.getppid() == parent:
        await asyncio.sleep(PARENT_INTERVAL)
    log.warning("the supervising process has exited; stopping")
    os.kill(os.getpid(), signal.SIGKILL)


@asynccontextmanager
async def supervised(service: Service, parent: int | None) -> AsyncIterator[None]:
    """Run as one of the HTTP processes of `parent`, if there is one: stop on SIGTERM, and end with it."""
    if parent is None:
        yield
        return
    following = asyncio.create_task(end_with_parent(parent))
    on_stop(service.hub.end_all)
    try:
        yield
    finally:
        following.cancel()


def on_stop(end_streams: Callable[[], None]) -> None:
    """On SIGTERM, end the streams, which would never end otherwise, then stop the HTTP server as SIGINT does.

    It waits for all responses in progress. The clients of streams resume from the last event id.
    """

    def stop() -> None:
        end_streams()
        os.kill(os.getpid(), signal.SIGINT)

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)

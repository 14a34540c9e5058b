"""The worker process: deliveries, mail, the search index, transcription, imports, and the removal of expired data."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import datetime
from functools import cache, partial
from typing import Any

from atrium.cleanup.actions import advance, clean_up
from atrium.imports.jobs import Importer
from atrium.integrations.expiry_mails import mail_about_expiring_keys
from atrium.kit.clock import Clock, utc_now
from atrium.kit.mail.queue import send_due_mail
from atrium.kit.metrics import PROCESSES, show_connections
from atrium.kit.postgres.database import Pool, open_pool
from atrium.kit.postgres.hosts import connect, following
from atrium.kit.process.periodic import run_every
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from atrium.live import queries as live_queries
from atrium.messages.packing import pack_history
from atrium.operations.metrics_server import metrics_port
from atrium.search.indexing import run_indexer
from atrium.transcripts.indexing import index_transcripts
from atrium.transcripts.jobs import Transcriber
from atrium.unread.participation import record_participation
from atrium.webhooks.delivery.mails import mail_about_ending_certificates
from atrium.webhooks.delivery.worker import open_delivery_worker
from atrium.webhooks.log import queries as log_queries
from atrium.webhooks.log.reach import RETENTION_DAYS

CLEANUP_INTERVAL, PACK_INTERVAL, EXPIRY_INTERVAL = 600.0, 600.0, 300.0  # seconds
RECORD_INTERVAL, MAIL_INTERVAL, INDEX_INTERVAL, GAUGES_INTERVAL = 30.0, 2.0, 1.0, 1.0  # seconds
TASK_CONNECTIONS = 3


async def maintain_partitions(settings: Settings, clock: Clock = utc_now) -> None:
    """Create the partitions of the logs before rows for them are written, and drop those past their retention."""
    db = await connect(settings.database_url or "")
    try:
        await db.execute(log_queries.MAINTAIN_PARTITIONS, clock(), RETENTION_DAYS)
        await db.execute(live_queries.MAINTAIN_PARTITIONS, clock())
    finally:
        await db.close()


async def run_worker(settings: Settings, stop: asyncio.Event, clock: Clock = utc_now) -> None:
    """Deliver events, send mail, index messages and remove expired data, until `stop`."""
    pool = await open_pool(settings.database_url or "", size=TASK_CONNECTIONS)
    chores = [asyncio.create_task(chore) for chore in (*_chores(pool, settings, clock), run_indexer(settings, clock))]
    try:
        async with (
            following(settings.database_url or ""),
            open_delivery_worker(settings, clock) as worker,
            metrics_port(settings, pool, clock),
        ):
            gauges = run_every(GAUGES_INTERVAL, lambda: show_connections(pool, worker.pool))
            chores.append(asyncio.create_task(gauges))
            PROCESSES.labels("worker").set(1)
            await worker.run(stop)
    finally:
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        await pool.close()


def _chores(pool: Pool, settings: Settings, clock: Clock) -> Sequence[Coroutine[Any, Any, None]]:
    def at_the_time(task: Callable[[Pool, datetime], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        return lambda: task(pool, clock())

    chores = [
        run_every(CLEANUP_INTERVAL, lambda: maintain_partitions(settings, clock)),
        run_every(CLEANUP_INTERVAL, _cleanup(pool, settings, clock), delay=CLEANUP_INTERVAL),
        run_every(PACK_INTERVAL, at_the_time(pack_history)),
        run_every(EXPIRY_INTERVAL, at_the_time(partial(mail_about_expiring_keys, base_url=settings.base_url))),
        run_every(EXPIRY_INTERVAL, at_the_time(partial(mail_about_ending_certificates, base_url=settings.base_url))),
        run_every(INDEX_INTERVAL, partial(index_transcripts, pool, settings.search_languages)),
        run_every(RECORD_INTERVAL, partial(record_participation, pool)),
        Importer(pool, cache(lambda: open_storage(settings)), settings, clock).run(),
    ]
    if (smtp := settings.smtp_url) is not None:
        chores.append(run_every(MAIL_INTERVAL, lambda: send_due_mail(pool, smtp, settings.mail_from, clock())))
    if settings.transcriber is not None:
        chores.append(Transcriber(pool, open_storage(settings), settings, clock).run())
    return chores


def _cleanup(pool: Pool, settings: Settings, clock: Clock) -> Callable[[], Awaitable[None]]:
    storage = cache(lambda: open_storage(settings))

    async def clean() -> None:
        has_media = settings.storage is not None or (settings.data_dir / "media").is_dir()  # else on another machine
        cutoff = await advance(pool, clock())
        await clean_up(pool, storage() if has_media else None, settings, clock, cutoff)

    return clean

"""Delete expired rows and media, in the worker, so that no request waits for it."""

import asyncio

from atrium.attachments import queries as attachments
from atrium.attachments.model import UNSENT_EXPIRE_AFTER
from atrium.audit import queries as audit
from atrium.blocks import queries as blocks
from atrium.blocks.restoring import RESTORABLE_FOR
from atrium.buckets.routing import Buckets
from atrium.keys import usage_queries as usage
from atrium.keys.usage import RETENTION as USAGE_RETENTION
from atrium.kit.clock import Clock
from atrium.kit.http import idempotency
from atrium.kit.postgres.database import Pool
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage
from atrium.media.parts import remove_dropped
from atrium.recordings import queries as recordings
from atrium.rooms.queries import PURGE_MESSAGES
from atrium.sessions.actions import delete_old_sessions
from atrium.uploads import queries as uploads
from atrium.webhooks import health, health_queries

PAUSE = 0.1  # seconds between two slices of one table


async def clean_up(buckets: Buckets, storage: Storage | None, settings: Settings, clock: Clock) -> None:
    """Delete idempotency keys after a day, the usage of keys after 90 days, audit entries after the operator's
    retention, the health of webhooks after 30 days, ended sessions, unused media, and the messages and media of deleted
    rooms.

    Without a storage, dropped media stays in it until another worker deletes it.
    """
    pool = buckets.directory.pool
    await pool.execute(usage.DELETE_OLD, (clock() - USAGE_RETENTION).date())
    await pool.execute(usage.DELETE_OLD_ADDRESSES, clock() - USAGE_RETENTION)
    if settings.audit_retention:
        await pool.execute(audit.DELETE_OLD, clock() - settings.audit_retention)
    await pool.execute(health_queries.DELETE_OLD, clock() - health.RETENTION)
    await delete_old_sessions(pool, clock())
    await _clean_up_media(pool, storage, clock)
    await buckets.in_each(lambda each: _clean_up_bucket(each, clock))


async def _clean_up_bucket(pool: Pool, clock: Clock) -> None:
    await pool.execute(idempotency.DELETE_OLD, clock() - idempotency.RETENTION)
    while await pool.execute(PURGE_MESSAGES, clock()) != "DELETE 0":
        await asyncio.sleep(PAUSE)


async def _clean_up_media(pool: Pool, storage: Storage | None, clock: Clock) -> None:
    """Delete expired uploads, attachments that were never used, and media of deleted blocks and rooms."""
    now = clock()
    await pool.execute(uploads.EXPIRE, now)
    await pool.execute(attachments.DROP_UNUSED, now, now - UNSENT_EXPIRE_AFTER)
    await pool.execute(blocks.PURGE, now, now - RESTORABLE_FOR)
    for statement in (attachments.DELETE_IN_DELETED_ROOMS, recordings.DELETE_IN_DELETED_ROOMS):
        while await pool.execute(statement, now) != "INSERT 0 0":
            await asyncio.sleep(PAUSE)
    if storage is not None:
        await remove_dropped(pool, storage, now)

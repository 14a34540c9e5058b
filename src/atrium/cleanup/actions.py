"""Delete expired rows and media, in the worker, so that no request waits for it."""

import asyncio
from datetime import datetime

from atrium.attachments import queries as attachments
from atrium.attachments.model import UNSENT_EXPIRE_AFTER
from atrium.audit import queries as audit
from atrium.blocks import queries as blocks
from atrium.blocks.restoring import RESTORABLE_FOR
from atrium.buckets.routing import Buckets
from atrium.cleanup import queries
from atrium.keys import usage_queries as usage
from atrium.keys.usage import RETENTION as USAGE_RETENTION
from atrium.kit.clock import Clock
from atrium.kit.http import idempotency
from atrium.kit.mail.queue import delete_old_mail
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


async def advance(pool: Pool, now: datetime) -> datetime:
    """Move the time up to which data expires towards `now`, by an hour at most, and return it, or `now` if that is
    earlier.

    So a clock that is ahead deletes no more than what expires in an hour, each time, and one that is behind for a
    moment does not put off deletions for years.
    """
    expired: datetime = await pool.fetchval(queries.ADVANCE, now)
    return expired


async def clean_up(
    buckets: Buckets, storage: Storage | None, settings: Settings, clock: Clock, expired: datetime
) -> None:
    """Delete idempotency keys after a day, mail, ended sessions and the health of webhooks after 30 days, the usage of
    keys after 90 days, audit entries after the operator's retention, unused media, and the messages and media of
    deleted rooms. What expires does so up to the time `expired`.

    Without a storage, dropped media stays in it until another worker deletes it.
    """
    pool = buckets.directory.pool
    await _delete_expired(pool, settings, expired)
    await _clean_up_media(pool, storage, clock(), expired)
    await buckets.in_each(lambda each: _clean_up_bucket(each, clock, expired))


async def _delete_expired(pool: Pool, settings: Settings, expired: datetime) -> None:
    await delete_old_mail(pool, expired)
    await pool.execute(usage.DELETE_OLD, (expired - USAGE_RETENTION).date())
    await pool.execute(usage.DELETE_OLD_ADDRESSES, expired - USAGE_RETENTION)
    if settings.audit_retention:
        await pool.execute(audit.DELETE_OLD, expired - settings.audit_retention)
    await pool.execute(health_queries.DELETE_OLD, expired - health.RETENTION)
    await delete_old_sessions(pool, expired)


async def _clean_up_bucket(pool: Pool, clock: Clock, expired: datetime) -> None:
    await pool.execute(idempotency.DELETE_OLD, expired - idempotency.RETENTION)
    while await pool.execute(PURGE_MESSAGES, clock()) != "DELETE 0":
        await asyncio.sleep(PAUSE)


async def _clean_up_media(pool: Pool, storage: Storage | None, now: datetime, expired: datetime) -> None:
    """Delete expired uploads, attachments that were never used, and media of deleted blocks and rooms."""
    await pool.execute(uploads.EXPIRE, now, expired)
    await pool.execute(attachments.DROP_UNUSED, now, expired - UNSENT_EXPIRE_AFTER)
    await pool.execute(blocks.PURGE, now, expired - RESTORABLE_FOR)
    for statement in (attachments.DELETE_IN_DELETED_ROOMS, recordings.DELETE_IN_DELETED_ROOMS):
        while await pool.execute(statement, now) != "INSERT 0 0":
            await asyncio.sleep(PAUSE)
    if storage is not None:
        await remove_dropped(pool, storage, now)

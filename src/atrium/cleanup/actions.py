"""Delete expired rows and media, in the worker, so that no request waits for it."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from atrium.attachments import queries as attachments
from atrium.attachments.model import UNSENT_EXPIRE_AFTER
from atrium.audit import queries as audit
from atrium.blocks import queries as blocks
from atrium.blocks.restoring import RESTORABLE_FOR
from atrium.cleanup import queries
from atrium.cleanup.deleted_rooms import purge_deleted
from atrium.keys import usage_queries as usage
from atrium.keys.usage import RETENTION as USAGE_RETENTION
from atrium.kit.clock import Clock
from atrium.kit.http import idempotency
from atrium.kit.mail.queue import delete_old_mail
from atrium.kit.postgres.database import Pool
from atrium.kit.process.failures import log_failure
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage
from atrium.media.parts import remove_dropped
from atrium.organizations.invitations import queries as invitations
from atrium.recordings import queries as recordings
from atrium.sessions.actions import delete_old_sessions
from atrium.uploads import queries as uploads
from atrium.webhooks.health import queries as health_queries
from atrium.webhooks.health.reach import RETENTION as HEALTH_RETENTION

ENDED_INVITATIONS = timedelta(days=30)


async def advance(pool: Pool, now: datetime) -> datetime:
    """Move the time up to which data expires towards `now`, by an hour at most, and return it, or `now` if that is
    earlier.

    So a clock that is ahead deletes no more than what expires in an hour, each time, and one that is behind for a
    moment does not put off deletions for years.
    """
    cutoff: datetime = await pool.fetchval(queries.ADVANCE, now)
    return cutoff


async def clean_up(pool: Pool, storage: Storage | None, settings: Settings, clock: Clock, cutoff: datetime) -> None:
    """Delete what expired or was deleted (docs/retention.md). What expires does so up to the time `cutoff`. What fails
    is logged; the rest is done.

    Without a storage, dropped media stays in it until another worker deletes it.
    """
    for task in _tasks(pool, storage, settings, clock(), cutoff):
        try:
            await task()
        except Exception as error:
            log_failure("expired or deleted data could not be removed; the next time will try again", error)


def _tasks(
    pool: Pool, storage: Storage | None, settings: Settings, now: datetime, cutoff: datetime
) -> Iterator[Callable[[], Awaitable[object]]]:
    yield partial(delete_old_mail, pool, cutoff)
    yield partial(pool.execute, usage.DELETE_OLD, (cutoff - USAGE_RETENTION).date())
    yield partial(pool.execute, usage.DELETE_OLD_ADDRESSES, cutoff - USAGE_RETENTION)
    if settings.audit_retention:
        yield partial(pool.execute, audit.DELETE_OLD, cutoff - settings.audit_retention)
    yield partial(pool.execute, health_queries.DELETE_OLD, cutoff - HEALTH_RETENTION)
    yield partial(delete_old_sessions, pool, cutoff)
    yield partial(pool.execute, invitations.DELETE_OLD, cutoff - ENDED_INVITATIONS)
    yield partial(pool.execute, uploads.EXPIRE, now, cutoff)
    yield partial(pool.execute, attachments.DROP_UNUSED, now, cutoff - UNSENT_EXPIRE_AFTER)
    yield partial(pool.execute, blocks.PURGE, now, cutoff - RESTORABLE_FOR)
    yield partial(pool.execute, recordings.REMOVE_DELETED, now)
    yield partial(pool.execute, idempotency.DELETE_OLD, cutoff - idempotency.RETENTION)
    yield partial(purge_deleted, pool, now)
    if storage is not None:
        yield partial(remove_dropped, pool, storage, now)

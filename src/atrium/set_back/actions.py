"""Bring back times that are ahead."""

from datetime import datetime, timedelta

from atrium.buckets.routing import Buckets
from atrium.kit.clock import MAX_SKEW
from atrium.kit.settings import Settings
from atrium.set_back import queries
from atrium.webhooks.delivery_worker import LEASE

LONGEST_PAUSE = timedelta(days=1)  # of a webhook's own schedule


async def bring_back(buckets: Buckets, settings: Settings, now: datetime) -> None:
    """Let the times of what has happened be `now` if they are further ahead than clocks may differ: what happens from
    now on is after them. Let deliveries be due that wait for such a time. The times of messages stay."""
    await buckets.directory.pool.execute(queries.BRING_BACK, now, now + MAX_SKEW)
    lease, pause = LEASE + MAX_SKEW, max(LONGEST_PAUSE, *settings.retry_schedule) + MAX_SKEW
    await buckets.in_each(lambda each: each.execute(queries.BRING_BACK_DELIVERIES, now, now + lease, now + pause))

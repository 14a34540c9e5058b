"""Bring back times that are ahead."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from time import monotonic

from atrium.kit.clock import MAX_SKEW, Clock
from atrium.kit.postgres.database import Pool
from atrium.kit.settings import Settings
from atrium.set_back import queries
from atrium.webhooks.delivery_worker import LEASE
from atrium.webhooks.model import LONGEST_PAUSE


async def bring_back(pool: Pool, settings: Settings, now: datetime) -> None:
    """Let times that limit what happens next be `now` if they are further ahead than clocks may differ, and let
    deliveries be due that wait for such a time."""
    await pool.execute(queries.BRING_BACK, now, now + MAX_SKEW)
    lease, pause = LEASE + MAX_SKEW, max(timedelta(seconds=LONGEST_PAUSE), *settings.retry_schedule) + MAX_SKEW
    await pool.execute(queries.BRING_BACK_DELIVERIES, now, now + lease, now + pause)


def when_set_back(
    clock: Clock, act: Callable[[datetime], Awaitable[None]], since_start: Callable[[], float] = monotonic
) -> Callable[[], Awaitable[None]]:
    """Return a task that calls `act` if the clock was set back by more than clocks may differ since the last call that
    succeeded. The times in the database would not show it: from a clock that is behind, all of them are ahead."""
    begun = clock() - timedelta(seconds=since_start())

    async def look() -> None:
        nonlocal begun
        now = clock()
        begins = now - timedelta(seconds=since_start())
        if begins < begun - MAX_SKEW:
            await act(now)
        begun = begins

    return look

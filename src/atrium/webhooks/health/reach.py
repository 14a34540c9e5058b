"""The health of a webhook by hour or day, and what waits in its queue."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct, field

from atrium.keys.caller import Call
from atrium.kit.clock import rfc3339
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import Timestamp
from atrium.organizations.reach import Organization
from atrium.webhooks.health import histogram, queries
from atrium.webhooks.manage.reach import find_webhook

RETENTION = timedelta(days=30)
MOST_WAITING = 10_000


class Period(StrEnum):
    """The length of the periods: the last 48 hours, or the last 30 days, in UTC."""

    HOUR = "hour"
    DAY = "day"

    @property
    def length(self) -> timedelta:
        """The length of a period."""
        return timedelta(**{f"{self}s": 1})

    def starts(self, now: datetime) -> list[datetime]:
        """Return when the periods begin, oldest first; the last one is under way."""
        last = now.replace(minute=0, second=0, microsecond=0)
        last, number = (last, 48) if self is Period.HOUR else (last.replace(hour=0), 30)
        return [last - self.length * before for before in reversed(range(number))]


class PeriodHealth(Struct, frozen=True):
    """The attempts that ended in a period. Tests of the webhook do not count."""

    from_: Annotated[Timestamp, Meta(description="when the hour or the day, in UTC, begins")] = field(name="from")
    attempts: int
    succeeded: int
    failed: int
    success_rate: Annotated[float | None, Meta(description="0 to 1; null without attempts", examples=[0.998])]
    p50_ms: Annotated[
        int | None,
        Meta(description="half of the answers took this long or less, to within 1/16; null without answers"),
    ]
    p95_ms: Annotated[int | None, Meta(description="95 percent of the answers took this long or less, to within 1/16")]


class Backlog(Struct, frozen=True):
    """The deliveries that wait."""

    due: Annotated[int, Meta(description="for their attempt, which is due")]
    under_way: Annotated[int, Meta(description="for the answer of the endpoint")]
    retrying: Annotated[int, Meta(description="for another attempt, later")]
    replaying: Annotated[int, Meta(description="for their turn after a replay, or after a pause")]
    oldest_due_at: Annotated[Timestamp | None, Meta(description="since when the oldest of those that are due is due")]
    has_more: Annotated[
        bool, Meta(description="10000 or more deliveries wait; only the 10000 that are due first are counted")
    ]


class WebhookHealth(Struct, frozen=True):
    """The health of a webhook. Every period is there, oldest first, also those without attempts."""

    health: list[PeriodHealth]
    backlog: Backlog


async def read_health(call: Call, organization: Organization, webhook_id: UUID, by: Period) -> WebhookHealth:
    """Return the health of a webhook and its backlog. Raise WebhookNotFound."""
    webhook = await find_webhook(call, organization, webhook_id)
    starts = by.starts(call.now)
    rows = await call.db.fetch(queries.HOURS, webhook.id, starts[0])
    backlog = await call.db.fetchrow(queries.BACKLOG, webhook.id, call.now, MOST_WAITING)
    return WebhookHealth(health_of(rows, starts, by.length), as_struct(backlog, Backlog))


def health_of(rows: Iterable[Record], starts: Sequence[datetime], length: timedelta) -> list[PeriodHealth]:
    """Return the health of each period, from rows of HOURS."""
    hours: dict[datetime, list[Record]] = {start: [] for start in starts}
    for row in rows:
        start = starts[0] + (row["hour"] - starts[0]) // length * length
        if start in hours:  # else it has begun since the request did
            hours[start].append(row)
    return [_period(start, rows) for start, rows in hours.items()]


def _period(start: datetime, hours: Sequence[Record]) -> PeriodHealth:
    attempts, succeeded = (sum(hour[name] for hour in hours) for name in ("attempts", "succeeded"))
    durations = histogram.total(hour["durations"] for hour in hours)
    rate = succeeded / attempts if attempts else None
    p50, p95 = (histogram.quantile(durations, fraction) for fraction in (0.5, 0.95))
    return PeriodHealth(rfc3339(start), attempts, succeeded, attempts - succeeded, rate, p50, p95)

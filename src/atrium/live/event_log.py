"""Read the log: new events, and what callers can access."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias
from uuid import UUID

import asyncpg

from atrium.kit.clock import to_ms
from atrium.kit.postgres.database import Pool, Record
from atrium.live import queries
from atrium.live.model import Access, Event, StreamPosition, Subscription

Reader: TypeAlias = "asyncpg.Connection[Record] | Pool"


class LogFilter(NamedTuple):
    """The spaces, actors and organizations whose events to fetch."""

    spaces: Sequence[UUID]
    actors: Sequence[UUID]
    organizations: Sequence[UUID]


async def begin(db: Reader, now: datetime) -> StreamPosition:
    """Return the current position of the log."""
    row = await db.fetchrow(queries.START)
    return StreamPosition(row["identity"], to_ms(now), row["position"])


async def read_unseen(
    db: Reader, by: LogFilter, *, seen: str, until: str | None = None, after: int = 0, max_events: int, max_bytes: int
) -> tuple[list[Event], bool, str]:
    """Return the events after number `after` that became visible between the snapshots `seen` and `until` (by default
    the current one), whether there may be more, and the later snapshot."""
    rows = await db.fetch(queries.UNSEEN, seen, until, after, *by, max_events, max_bytes)
    events = [Event(*tuple(row)[2:]) for row in rows if row["seq"] is not None]
    more = bool(events) and (len(events) < rows[0]["found"] or len(events) == max_events)
    return events, more, rows[0]["position"]


async def read_access(db: Reader, subscriptions: Sequence[Subscription], now: datetime) -> list[Access | None]:
    """Return the access of each subscriber now; None if the key no longer works."""
    hashes = [each.key_hash for each in subscriptions]
    organizations = [each.organization_id for each in subscriptions]
    addresses = [each.address for each in subscriptions]
    rows = await db.fetch(queries.ACCESS, hashes, organizations, now, addresses)
    return [_access(row) for row in rows]


def _access(row: Record) -> Access | None:
    if row["actor_id"] is None:
        return None
    spaces, organizations = frozenset(row["spaces"]), frozenset(row["organizations"])
    return Access(row["actor_id"], spaces, organizations, row["expires_at"])

"""Reading the log: what is new for someone, and what he reaches."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias
from uuid import UUID

import asyncpg

from atrium.kit.clock import to_ms
from atrium.kit.database import Pool, Record
from atrium.live import queries
from atrium.live.model import Event, Position, Reach, Wanted

Reader: TypeAlias = "asyncpg.Connection[Record] | Pool"


class ReadBy(NamedTuple):
    """What the log is asked for: events for anything else are not fetched at all."""

    spaces: Sequence[UUID]
    actors: Sequence[UUID]
    organizations: Sequence[UUID]


async def begin(db: Reader, now: datetime) -> Position:
    """Where the log stands now."""
    row = await db.fetchrow(queries.START)
    return Position(row["identity"], to_ms(now), row["position"])


async def read_unseen(
    db: Reader, by: ReadBy, *, seen: str, upto: str | None = None, after: int = 0, most: int, most_bytes: int
) -> tuple[list[Event], bool, str]:
    """At most so many, and so many bytes, of the events that became visible between the snapshots, with numbers beyond
    `after`; whether there may be more; and the later snapshot, which is the present one where none is given."""
    rows = await db.fetch(queries.UNSEEN, seen, upto, after, *by, most, most_bytes)
    events = [Event(*tuple(row)[2:]) for row in rows if row["seq"] is not None]
    more = bool(events) and (len(events) < rows[0]["found"] or len(events) == most)
    return events, more, rows[0]["position"]


async def read_reaches(db: Reader, asked: Sequence[Wanted], now: datetime) -> list[Reach | None]:
    """What each of them reaches now; None where the key has stopped."""
    hashes, organizations = [each.key_hash for each in asked], [each.organization_id for each in asked]
    rows = await db.fetch(queries.REACH, hashes, organizations, now)
    return [_reach(row) for row in rows]


def _reach(row: Record) -> Reach | None:
    if row["actor_id"] is None:
        return None
    spaces, organizations = frozenset(row["spaces"]), frozenset(row["organizations"])
    return Reach(row["actor_id"], spaces, organizations, row["expires_at"])

"""Move messages next to others of their room in the table, in the background.

Messages are written in the order of time. The fifty of a page therefore lie between those of all other rooms, on up to
fifty pages of the table, and once the table is larger than the memory that PostgreSQL has for it, a page costs fifty
reads. An UPDATE writes a new version of a message, at the end of the table or in free pages. In the order of rooms, the
new versions of a room lie next to each other. decisions/0034-packing.md has the reasons for each step.
"""

from datetime import datetime, timedelta
from uuid import UUID

from atrium.kit.clock import to_ms
from atrium.kit.postgres.database import Connection, Pool, connection
from atrium.messages import packing_queries as queries

SETTLED_AFTER = timedelta(minutes=10)
PER_ROOM, MOST, SLICE = 100, 500_000, 500  # messages: a room's in a full batch on average, a batch's, a statement's
VACUUM_TIMEOUT = 3600.0  # seconds


async def pack_history(pool: Pool, now: datetime) -> None:
    """Move what was sent since the last time, but for the last ten minutes, if it is enough to be worth it and the
    table does not fit into memory."""
    while await _pack_next(pool, to_ms(now - SETTLED_AFTER)):
        await pool.execute(queries.VACUUM, timeout=VACUUM_TIMEOUT)


async def _pack_next(pool: Pool, latest: int) -> bool:
    """Move the messages of the next batch, a span of time, all in one go, so that the pages they leave are empty."""
    async with connection(pool, writing=True) as holder:
        start = await holder.fetchval(queries.BEGIN)
        end = None if start is None else await _end_of_batch(holder, start, latest)
        if end is None:
            return False
        for room in await holder.fetch(queries.ROOMS, start):
            await _pack_room(pool, room["room_id"], start, end)
        await holder.execute(queries.END, end)
    return True


async def _end_of_batch(db: Connection, start: int, latest: int) -> int | None:
    """Return the end in ms of a batch that has few enough messages, or None if there are too few yet."""
    end = latest
    while end > start:
        found = await db.fetchrow(queries.COUNT, start, end, MOST + 1)
        if found["messages"] <= MOST or end == start + 1:
            is_full = end < latest or found["messages"] >= max(1, found["rooms"]) * PER_ROOM
            return end if is_full else None
        end = start + (end - start) // 2
    return None


async def _pack_room(pool: Pool, room_id: UUID, start: int, end: int) -> None:
    """Move a room's messages of a batch, a few at a time: a change to one of them waits for no more than these."""
    moved: UUID | None = UUID(int=start << 80)
    while moved is not None:
        moved = await pool.fetchval(queries.MOVE, room_id, moved, end, SLICE)

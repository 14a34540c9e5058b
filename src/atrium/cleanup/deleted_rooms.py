"""Remove deleted rooms and spaces with everything in them. What may stay is in docs/retention.md.

The row of a room goes last: a room that is not empty is found again the next time.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from atrium.attachments import queries as attachments
from atrium.cleanup import queries
from atrium.incoming import queries as incoming
from atrium.kit.postgres.database import Pool, Record, is_unavailable
from atrium.kit.process.failures import log_failure
from atrium.media.parts import REMOVE_AFTER
from atrium.recordings import queries as recordings
from atrium.rooms.queries import PURGE_MESSAGES

ROOMS = 100  # at a time
PAUSE = 0.1  # seconds between two slices
IN_ROOMS = (
    "blocks", "deleted_blocks", "idempotency_keys", "mentions", "message_search", "participation_heads", "read_markers",
    "room_changes", "thread_markers", "thread_participants", "transcript_heads", "transcript_search",
    "transcript_versions", "transcriptions",
)  # fmt: skip
HEADS = ("search_heads", "room_heads")


async def purge_deleted(pool: Pool, now: datetime) -> None:
    """Remove the rooms and spaces that were deleted before `now`.

    The names of a room and a space go some minutes later, with the rows that requests wrote before they knew of the
    deletion.
    """
    last = UUID(int=0)
    while rows := await pool.fetch(queries.DELETED_ROOMS, now, now - REMOVE_AFTER, last, ROOMS):
        last = rows[-1]["room_id"]
        await _remove(pool, rows, now)
    for row in await pool.fetch(queries.DELETED_SPACES, now - REMOVE_AFTER):
        await _remove_space(pool, row["space_id"])


async def _remove_space(pool: Pool, space_id: UUID) -> None:
    try:
        await pool.execute(queries.EMPTY_SPACES, [space_id])
        await pool.execute(queries.REMOVE_SPACES, [space_id])
    except Exception as error:
        if is_unavailable(error):
            raise
        log_failure("a deleted space could not be removed", error, space_id=str(space_id))


async def _remove(pool: Pool, rows: Sequence[Record], now: datetime) -> None:
    """Remove rooms; if that fails, one by one, so that the one that fails is alone."""
    try:
        await _purge_rooms(pool, [row["room_id"] for row in rows], now)
        await _remove_rooms(pool, [row["room_id"] for row in rows if row["is_last"]])
    except Exception as error:
        if is_unavailable(error):
            raise
        if len(rows) == 1:
            log_failure("a deleted room could not be removed", error, room_id=str(rows[0]["room_id"]))
        else:
            for row in rows:
                await _remove(pool, [row], now)


async def _purge_rooms(pool: Pool, rooms: Sequence[UUID], now: datetime) -> None:
    """Delete the contents of rooms."""
    await _repeat(pool, (PURGE_MESSAGES, attachments.PURGE, recordings.PURGE, incoming.PURGE), rooms, now)
    await _repeat(pool, await _purges(pool, IN_ROOMS), rooms)


async def _remove_rooms(pool: Pool, rooms: Sequence[UUID]) -> None:
    """Remove the rows of rooms, which are empty."""
    if rooms:
        await _repeat(pool, await _purges(pool, HEADS), rooms)
        await pool.execute(queries.REMOVE_ROOMS, rooms)


async def _purges(pool: Pool, tables: Sequence[str]) -> list[str]:
    return [row["statement"] for row in await pool.fetch(queries.PURGES, tables)]


async def _repeat(pool: Pool, statements: Sequence[str], *parameters: object) -> None:
    """Execute statements that delete a slice each, until none of them finds anything."""
    while any([not (await pool.execute(each, *parameters)).endswith(" 0") for each in statements]):
        await asyncio.sleep(PAUSE)

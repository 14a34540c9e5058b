"""Index maintenance: a worker adds new messages shortly after they were sent; edits and deletions apply immediately."""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Connection, Pool, Record, open_pool
from atrium.kit.process.failures import log_failure
from atrium.kit.settings import Settings
from atrium.search import queries
from atrium.search.documents import Searchable, block_types, distinct_words, document_of, searchable_text
from atrium.search.words import FOLDING, stemmer

Languages = tuple[str, ...]

ROOMS_PER_BATCH, MESSAGES_PER_BATCH, BYTES_PER_BATCH = 100, 400, 1 << 20
POLL_INTERVAL, PURGE_INTERVAL = 1.0, 600.0  # seconds
COUNT_INTERVAL = 0.1  # seconds between measurements of the send rate
MANY_SENDS = 50  # per second; from then on sends have priority
BUSY_SHARE, IDLE_SHARE = 0.05, 0.5  # fraction of time spent indexing


class Throttle:
    """Limits the share of time spent indexing, more while many messages are sent, so that sends do not slow down."""

    def __init__(self) -> None:
        self._share, self._sends, self._at = BUSY_SHARE, 0, 0.0

    async def pause(self, pool: Pool, worked: float) -> None:
        """Pause for as long as `worked` seconds of work require."""
        now = time.monotonic()
        if now > self._at + COUNT_INTERVAL:
            sends = await pool.fetchval(queries.SENDS)
            busy = self._at == 0 or sends - self._sends > MANY_SENDS * (now - self._at)
            self._share, self._sends, self._at = BUSY_SHARE if busy else IDLE_SHARE, sends, now
        await asyncio.sleep(worked * (1 / self._share - 1))


async def run_indexer(settings: Settings, clock: Clock) -> None:
    """Index new messages until canceled. A commit does not wait for the disk: what a crash undoes is indexed again."""
    async with await open_pool(settings.database_url or "", size=1, durable=False) as pool:
        await _index_loop(pool, settings.search_languages, clock)


async def _index_loop(pool: Pool, languages: Languages, clock: Clock) -> None:
    purged, applied, throttle = 0.0, False, Throttle()
    while True:
        began = time.monotonic()
        try:
            if not applied:  # once, so that two machines with different settings do not undo each other's work forever
                await apply_languages(pool, languages)
                applied = True
            while await index_batch(pool, languages):
                await throttle.pause(pool, time.monotonic() - began)
                began = time.monotonic()
            if began > purged + PURGE_INTERVAL:
                await purge(pool, clock())
                purged = began
        except Exception as error:
            log_failure("indexing failed and will be retried", error)
        # Each poll reads the head of every room: the more rooms, the longer the pause.
        await asyncio.sleep(max(POLL_INTERVAL, 20 * (time.monotonic() - began)))


async def apply_languages(pool: Pool, languages: Languages) -> None:
    """Start indexing again if the documents were written for other languages, or with another folding of words."""
    async with pool.acquire() as db, db.transaction():
        if await db.fetchval(queries.SET_LANGUAGES, sorted(languages), FOLDING) is not None:
            await db.execute(queries.RESTART)


async def index_batch(pool: Pool, languages: Languages) -> int:
    """Index some new messages of some rooms. Return the number of rooms, 0 if nothing is new."""
    async with pool.acquire() as db, db.transaction():
        rooms = [row["room_id"] for row in await db.fetch(queries.CLAIM, ROOMS_PER_BATCH)]
        if rooms:
            per_room = MESSAGES_PER_BATCH // len(rooms)
            rows = await db.fetch(queries.UNINDEXED, rooms, per_room, BYTES_PER_BATCH)
            await _put(db, [row for row in rows if row["text"] is not None], languages)
            await _advance(db, rows, per_room)
        return len(rooms)


async def _advance(db: Connection, rows: Sequence[Record], per_room: int) -> None:
    """Mark the rooms as indexed as far as they were read: up to their heads if nothing remains."""
    last: dict[UUID, UUID] = {}
    count: dict[UUID, int] = {}
    for row in rows:
        room_id = row["room_id"]
        count[room_id] = count.get(room_id, 0) + 1
        is_complete = row["found"] < per_room and count[room_id] >= row["found"]
        last[room_id] = row["last_message_id"] if is_complete else row["message_id"]
    await db.execute(queries.ADVANCE, list(last), list(last.values()))


async def _put(db: Connection, rows: Sequence[Record], languages: Languages) -> None:
    if not rows:
        return
    messages = [_searchable(row, row["user_id"], row["text"], row["blocks"]) for row in rows]
    stems = stemmer(languages)
    await stems.load(db, distinct_words(messages))
    await db.execute(
        queries.PUT,
        [row["room_id"] for row in rows],
        [row["message_id"] for row in rows],
        [row["user_id"] for row in rows],
        [document_of(message, stems) for message in messages],
    )


def _searchable(place: Record, user_id: UUID, text: str, blocks: str) -> Searchable:
    return Searchable(
        place["room_id"],
        place["space_id"],
        place["organization_id"],
        user_id,
        searchable_text(text, blocks),
        block_types(blocks),
    )


async def index_edited(
    db: Connection, room_id: UUID, message_id: UUID, *, user_id: UUID, text: str, blocks: str, languages: Languages
) -> None:
    """Index the new content of a message, in the transaction of its edit."""
    await db.execute(queries.LOCK, room_id)
    message = _searchable(await db.fetchrow(queries.PLACE, room_id), user_id, text, blocks)
    stems = stemmer(languages)
    await stems.load(db, distinct_words([message]))
    await db.execute(queries.PUT, [room_id], [message_id], [user_id], [document_of(message, stems)])


async def remove_from_index(db: Connection, room_id: UUID, message_id: UUID) -> None:
    """Remove a message from the index permanently, in the transaction of its deletion."""
    await db.execute(queries.LOCK, room_id)
    await db.execute(queries.REMOVE, room_id, message_id)


async def index_from(db: Connection, room_id: UUID, oldest: UUID) -> None:
    """Index the messages from `oldest` on again, in the transaction of an import."""
    await db.execute(queries.REWIND, room_id, UUID(int=oldest.int - 1))


async def purge(pool: Pool, now: datetime) -> None:
    """Drop the documents of deleted rooms and spaces."""
    while await pool.execute(queries.PURGE, now) != "DELETE 0":
        await asyncio.sleep(0.1)

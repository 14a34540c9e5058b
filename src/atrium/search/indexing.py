"""Keeping the index: new messages by a worker, a moment after they were sent; what is edited or deleted at once."""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import structlog

from atrium.kit.clock import Clock
from atrium.kit.database import Connection, Pool, Record, is_lost, open_pool
from atrium.kit.settings import Settings
from atrium.search import queries
from atrium.search.documents import Searchable, block_types, distinct_words, document_of, what_is_said
from atrium.search.words import stemmer

log = structlog.get_logger()
Languages = tuple[str, ...]

ROOMS_AT_ONCE, MESSAGES_AT_ONCE, BYTES_AT_ONCE = 100, 400, 1 << 20
LOOK_EVERY, PURGE_EVERY = 1.0, 600.0  # seconds
COUNT_EVERY = 0.1  # seconds; so soon it makes way
MANY_SENDS = 50  # a second; from then on people come first
SHARE_BESIDE_SENDS, SHARE_ALONE = 0.05, 0.5  # of its time, that a worker indexes where there is much to do


class Pace:
    """How much of its time a worker may index: little while much is sent, so that sends do not slow down."""

    def __init__(self) -> None:
        self._share, self._sends, self._at = SHARE_BESIDE_SENDS, 0, 0.0

    async def rest(self, pool: Pool, worked: float) -> None:
        """Pause as long as is due after so many seconds of work."""
        now = time.monotonic()
        if now > self._at + COUNT_EVERY:
            sends = await pool.fetchval(queries.SENDS)
            busy = self._at == 0 or sends - self._sends > MANY_SENDS * (now - self._at)
            self._share, self._sends, self._at = SHARE_BESIDE_SENDS if busy else SHARE_ALONE, sends, now
        await asyncio.sleep(worked * (1 / self._share - 1))


async def keep_index(settings: Settings, clock: Clock) -> None:
    """Index what is new, for as long as this runs. What a crash takes back is new again, so no disk is waited for."""
    pool = await open_pool(settings.database_url or "", size=1, durable=False)
    try:
        await _keep(pool, settings.search_languages, clock)
    finally:
        await pool.close()


async def _keep(pool: Pool, languages: Languages, clock: Clock) -> None:
    purged, taken, pace = 0.0, False, Pace()
    while True:
        began = time.monotonic()
        try:
            if not taken:  # once: where two machines are set differently, they do not undo each other's work for ever
                await take_languages(pool, languages)
                taken = True
            while await index_some(pool, languages):
                await pace.rest(pool, time.monotonic() - began)
                began = time.monotonic()
            if began > purged + PURGE_EVERY:
                await purge(pool, clock())
                purged = began
        except Exception as error:
            log.log(30 if is_lost(error) else 40, "indexing failed and will be tried again", error=repr(error))
        # A look reads every room's head: the more rooms, the longer the pause.
        await asyncio.sleep(max(LOOK_EVERY, 20 * (time.monotonic() - began)))


async def take_languages(pool: Pool, languages: Languages) -> None:
    """Where the documents are written in other languages, all are written again."""
    async with pool.acquire() as db, db.transaction():
        if await db.fetchval(queries.TAKE_LANGUAGES, sorted(languages)) is not None:
            await db.execute(queries.START_AGAIN)


async def index_some(pool: Pool, languages: Languages) -> int:
    """Index some of what is new in some rooms; in how many of them, 0 where nothing is new."""
    async with pool.acquire() as db, db.transaction():
        rooms = [row["room_id"] for row in await db.fetch(queries.CLAIM, ROOMS_AT_ONCE)]
        if rooms:
            each = MESSAGES_AT_ONCE // len(rooms)
            rows = await db.fetch(queries.UNINDEXED, rooms, each, BYTES_AT_ONCE)
            await _put(db, [row for row in rows if row["text"] is not None], languages)
            await _move(db, rows, each)
        return len(rooms)


async def _move(db: Connection, rows: Sequence[Record], each: int) -> None:
    """The rooms are indexed as far as they were read: up to their heads where all that is there has come."""
    last: dict[UUID, UUID] = {}
    count: dict[UUID, int] = {}
    for row in rows:
        room_id = row["room_id"]
        count[room_id] = count.get(room_id, 0) + 1
        came_whole = row["found"] < each and count[room_id] >= row["found"]
        reached = row["last_message_id"] if came_whole else row["message_id"]
        last[room_id] = reached
    await db.execute(queries.MOVE, list(last), list(last.values()))


async def _put(db: Connection, rows: Sequence[Record], languages: Languages) -> None:
    if not rows:
        return
    messages = [_searchable(row, row["user_id"], row["text"], row["blocks"]) for row in rows]
    stems = stemmer(languages)
    await stems.learn(db, distinct_words(messages))
    await db.execute(
        queries.PUT, [row["room_id"] for row in rows], [row["message_id"] for row in rows],
        [row["user_id"] for row in rows], [document_of(message, stems) for message in messages],
    )  # fmt: skip


def _searchable(place: Record, user_id: UUID, text: str, blocks: str) -> Searchable:
    return Searchable(
        place["room_id"], place["space_id"], place["organization_id"], user_id,
        what_is_said(text, blocks), block_types(blocks),
    )  # fmt: skip


async def index_edited(
    db: Connection, room_id: UUID, message_id: UUID, *, user_id: UUID, text: str, blocks: str, languages: Languages
) -> None:
    """In the transaction of an edit: the message is found by what it says now, and by nothing else."""
    await db.execute(queries.LOCK, room_id)
    message = _searchable(await db.fetchrow(queries.PLACE, room_id), user_id, text, blocks)
    stems = stemmer(languages)
    await stems.learn(db, distinct_words([message]))
    await db.execute(queries.PUT, [room_id], [message_id], [user_id], [document_of(message, stems)])


async def forget_message(db: Connection, room_id: UUID, message_id: UUID) -> None:
    """In the transaction of a deletion: no word of the message is left in the index, nor will one come."""
    await db.execute(queries.LOCK, room_id)
    await db.execute(queries.FORGET, room_id, message_id)


async def index_from(db: Connection, room_id: UUID, oldest: UUID) -> None:
    """In the transaction of an import: whatever is there from `oldest` on is looked at again."""
    await db.execute(queries.LOWER, room_id, UUID(int=oldest.int - 1))


async def purge(pool: Pool, now: datetime) -> None:
    """Drop the documents of deleted rooms and spaces."""
    while await pool.execute(queries.PURGE, now) != "DELETE 0":
        await asyncio.sleep(0.1)

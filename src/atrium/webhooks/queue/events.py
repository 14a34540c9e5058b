"""Queue the events of the log for the webhooks that subscribe to them.

A worker does it behind the requests, many events at a time, from a position that the database keeps and locks. Events
are matched with the webhooks as they are at that time. So a request that changes a webhook first queues the events
before it, and holds the position until it commits: the change applies to the events after it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.postgres.database import Connection, Pool, Record
from atrium.live.actions import hold_log
from atrium.messages.filter_words import FilterWords, Text
from atrium.webhooks.queue import queries

FIRST_EVENTS, MAX_EVENTS = 100, 2000  # queued by one statement, the first time and later
MANY_DELIVERIES = 2000  # of one statement: those that are queued wait until all of them are
MAX_TEXT = 8 << 20  # bytes of texts that are compared for it with the words of filters
MAX_WORDS = 200_000  # kept in a process, which then reads them again

_filters: dict[UUID, FilterWords] = {}  # by the version that the words of a room or a space have


class EventQueue:
    """Queues events for a worker, as many at a time as make few deliveries."""

    def __init__(self, pool: Pool, max_events: int = MAX_EVENTS) -> None:
        self._pool, self._max_events, self._limit = pool, max_events, min(FIRST_EVENTS, max_events)

    async def queue_next(self, now: datetime) -> bool:
        """Queue the next events of the log, unless another process does. Return whether there are any."""
        if not await self._pool.fetchval(queries.HAS_EVENTS):
            return False
        async with self._pool.acquire() as db, db.transaction():
            deliveries, _ = await _queue_next(db, now, self._limit)
        self._limit = self._limit * 2 if deliveries < MANY_DELIVERIES else self._limit // 2
        self._limit = max(1, min(self._limit, self._max_events))
        return True


async def queue_earlier_events(call: Call) -> None:
    """Queue all events up to now, and let no other process queue any until the transaction ends."""
    await hold_log(call)
    has_more = True
    while has_more:
        _, has_more = await _queue_next(call.db, call.now, MAX_EVENTS)


async def _queue_next(db: Connection, now: datetime, limit: int) -> tuple[int, bool]:
    """Queue the next events of the log, at most `limit`. Return how many deliveries there are, and whether there may be
    more events."""
    position = await db.fetchrow(queries.TRY_LOCK_POSITION)
    if position is None:
        return 0, False
    rows = await db.fetch(queries.READ, *position, limit, MAX_TEXT)
    until, last, is_end = rows[0]["until"], rows[0]["last_seq"], rows[0]["is_end"]
    has_more = not is_end or position["until"] is not None
    if last is None and not has_more:
        return 0, False
    found = await _words_found(db, [row for row in rows if row["message_id"] is not None])
    words = [_as_array(each) for each in found.values()]
    taken = position["seen"], until, position["last_seq"], last or 0
    return await db.fetchval(queries.QUEUE, *taken, now, list(found), words, is_end), has_more


async def _words_found(db: Connection, rows: Sequence[Record]) -> dict[UUID, set[str]]:
    """Return the words of filters that each message has."""
    found: dict[UUID, set[str]] = {}
    for row in rows:
        filters = await _filters_of(db, row["subject_id"], row["version"])
        found.setdefault(row["message_id"], set()).update(filters.found_in(Text(row["text"])))
    return found


async def _filters_of(db: Connection, subject_id: UUID, version: UUID) -> FilterWords:
    if version not in _filters:
        if sum(each.count for each in _filters.values()) > MAX_WORDS:
            _filters.clear()
        _filters[version] = FilterWords(await db.fetchval(queries.WORDS, subject_id))
    return _filters[version]


def _as_array(words: Iterable[str]) -> str:
    """Return words in PostgreSQL's array notation."""
    quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in words)
    return "{" + ",".join(f'"{word}"' for word in quoted) + "}"

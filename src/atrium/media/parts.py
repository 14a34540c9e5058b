"""Objects in parts of at most 4 MiB: written one after the other by whichever process a request meets, read by ranges.

A part is in the storage before a row names it, and it is never written again; what a crash leaves without a row lies in
the object's own folder and goes with it.
"""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from atrium.kit.database import Connection, Pool
from atrium.kit.storage import Storage
from atrium.media import queries

PART = 4 << 20  # bytes; what one upload holds in memory
LINGER = timedelta(minutes=10)  # longer than a request that knows nothing of it may still be storing a part


class Part(NamedTuple):
    """Bytes in the storage that stand at `starts_at` of their object, once a row says so."""

    starts_at: int
    size: int
    part: UUID


async def put_part(storage: Storage, folder: UUID, starts_at: int, content: bytes) -> Part:
    """Store bytes of an object; nothing names them yet. Raises StorageUnavailable."""
    part = Part(starts_at, len(content), uuid4())
    await storage.put(f"{folder}/{part.part}", content)
    return part


async def add_parts(db: Connection, folder: UUID, parts: Iterable[Part]) -> None:
    """From now on the object holds these parts."""
    await db.executemany(queries.ADD_PART, [(folder, *part) for part in parts])


async def read(pool: Pool, storage: Storage, folder: UUID, start: int, stop: int) -> AsyncIterator[bytes]:
    """The bytes of an object from `start` to before `stop`, a few at a time. Raises StorageUnavailable."""
    for starts_at, size, part in await pool.fetch(queries.PARTS, folder, start, stop):
        first, end = max(start - starts_at, 0), min(stop - starts_at, size)
        async for chunk in storage.read(f"{folder}/{part}", first, end):
            yield chunk


async def drop(db: Connection, objects: Iterable[UUID | None], now: datetime) -> None:
    """Give objects up; they leave the storage some minutes after the transaction is over."""
    await db.execute(queries.DROP, [each for each in objects if each is not None], now)


async def remove_dropped(pool: Pool, storage: Storage, now: datetime) -> None:
    """Take out of the storage what was given up. Raises StorageUnavailable; what is left then waits."""
    while found := await pool.fetch(queries.DROPPED, now - LINGER):
        for row in found:
            await storage.delete(str(row["object"]))
            await pool.execute(queries.FORGET_OBJECT, row["object"])

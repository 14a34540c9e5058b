"""Objects in parts of at most 4 MiB, which any process writes one after the other, and reads by ranges.

A part is stored before a row names it, and never overwritten. A part that a crash leaves without a row is in the
object's folder and is removed with it.
"""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from atrium.kit.postgres.database import Connection, Pool
from atrium.kit.process.failures import log_failure
from atrium.kit.storage import Storage, StorageUnavailable
from atrium.media import queries

PART = 4 << 20  # bytes; an upload buffers one part in memory
MAX_FAILURES = 3  # then the storage is unavailable
REMOVE_AFTER = timedelta(minutes=10)  # longer than a request that does not know of it may still store a part


class Part(NamedTuple):
    """A stored part of an object, which begins at `starts_at`. It is used once a row refers to it."""

    starts_at: int
    size: int
    part: UUID


async def put_part(storage: Storage, folder: UUID, starts_at: int, content: bytes) -> Part:
    """Store bytes of an object, without a row. Raise StorageUnavailable."""
    part = Part(starts_at, len(content), uuid4())
    await storage.put(f"{folder}/{part.part}", content)
    return part


async def add_parts(db: Connection, folder: UUID, parts: Iterable[Part]) -> None:
    """Add these parts to the object."""
    await db.executemany(queries.ADD_PART, [(folder, *part) for part in parts])


async def read(pool: Pool, storage: Storage, folder: UUID, start: int, stop: int) -> AsyncIterator[bytes]:
    """Yield the bytes of an object from `start` to before `stop`, in chunks. Raise StorageUnavailable."""
    for starts_at, size, part in await pool.fetch(queries.PARTS, folder, start, stop):
        first, end = max(start - starts_at, 0), min(stop - starts_at, size)
        async for chunk in storage.read(f"{folder}/{part}", first, end):
            yield chunk


async def drop(db: Connection, objects: Iterable[UUID | None], now: datetime) -> None:
    """Mark objects for removal; they leave the storage some minutes after the transaction."""
    await db.execute(queries.DROP, [each for each in objects if each is not None], now)


async def remove_dropped(pool: Pool, storage: Storage, now: datetime) -> None:
    """Remove marked objects from the storage. One that fails is put off, so that the others come first. Raise
    StorageUnavailable after MAX_FAILURES."""
    failures = 0
    while rows := await pool.fetch(queries.DROPPED, now - REMOVE_AFTER):
        for row in rows:
            try:
                await storage.delete(str(row["object"]))
                await pool.execute(queries.REMOVE_OBJECT, row["object"])
            except StorageUnavailable as error:
                failures += 1
                await pool.execute(queries.PUT_OFF, row["object"], now)
                if failures == MAX_FAILURES:
                    raise
                log_failure("media could not be removed; a later time will try again", error)

"""Statements for a bucket in a transaction that belongs to none, or to another one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from atrium.buckets import queries
from atrium.kit.postgres.hosts import AnyConnection


@asynccontextmanager
async def in_bucket(db: AnyConnection, bucket: int) -> AsyncIterator[None]:
    """Within this context, statements of the transaction find the tables of a bucket."""
    path = await db.fetchval(queries.ENTER, bucket)
    yield
    await db.execute(queries.RETURN, path)  # after an error, the end of the transaction does it


@asynccontextmanager
async def in_bucket_of(db: AnyConnection, room_id: UUID) -> AsyncIterator[None]:
    """Within this context, statements of the transaction find the tables of the bucket that a room is in."""
    async with in_bucket(db, await db.fetchval(queries.OF_ROOM, room_id) or 0):
        yield


async def in_each_bucket(db: AnyConnection) -> AsyncIterator[int]:
    """Enter one bucket after the other; yield its number."""
    for row in await db.fetch(queries.NUMBERS):
        async with in_bucket(db, row["bucket"]):
            yield row["bucket"]

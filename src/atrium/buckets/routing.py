"""The connections of a process: to the directory, and to each bucket.

A request for a room uses a connection of the room's bucket, where the names of tables mean those of the bucket; any
other request uses one of the directory, which reads from every bucket. With one bucket both are the same.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from atrium.buckets import queries
from atrium.kit.errors import Unavailable
from atrium.kit.postgres.database import Pool, is_unavailable, open_pool
from atrium.kit.postgres.replicas import Replicas, open_replicas
from atrium.kit.settings import Settings
from atrium.migrations.buckets import schema_of

T = TypeVar("T")
MAX_CACHED = 1 << 16  # rooms
LEAST_CONNECTIONS = 2  # of a bucket, so that a batch of sends and one of reads run at the same time


@dataclass(frozen=True)
class Bucket:
    """Connections that find the tables of one bucket, or those of all of them."""

    number: int | None
    pool: Pool
    replicas: Replicas | None = None

    async def close(self) -> None:
        """End all connections."""
        await self.pool.close()
        if self.replicas is not None:
            await self.replicas.close()


class Buckets:
    """The buckets of a database. Their number is read once, when it is first needed, and the bucket of a room once too:
    a room never leaves its bucket while servers run."""

    def __init__(self, directory: Bucket, open_bucket: Callable[[int, int], Awaitable[Bucket]]) -> None:
        self.directory = directory
        self._open_bucket, self._opening = open_bucket, asyncio.Lock()
        self._all: Sequence[Bucket] = ()
        self._of_room: dict[UUID, Bucket] = {}

    async def all(self) -> Sequence[Bucket]:
        """Return all buckets, in the order of their numbers. Raise what the driver raises."""
        async with self._opening:
            if not self._all:
                rows = await self.directory.pool.fetch(queries.NUMBERS)
                several = [await self._open_bucket(row["bucket"], len(rows)) for row in rows if len(rows) > 1]
                self._all = several or [self.directory]
        return self._all

    async def of_room(self, room_id: UUID) -> Bucket:
        """Return the bucket of a room; for one that does not exist, the first. Raise Unavailable."""
        if len(self._all) == 1:
            return self._all[0]
        if (known := self._of_room.get(room_id)) is not None:
            return known
        try:
            return await self._find(room_id)
        except Exception as error:
            if is_unavailable(error):
                raise Unavailable from error
            raise

    async def _find(self, room_id: UUID) -> Bucket:
        every, pool = await self.all(), self.directory.pool
        number: int | None = await pool.fetchval(queries.OF_ROOM, room_id) if len(every) > 1 else None
        if number is None:
            return every[0]
        if len(self._of_room) >= MAX_CACHED:
            self._of_room.clear()
        self._of_room[room_id] = every[number]
        return every[number]

    async def in_each(self, task: Callable[[Pool], Awaitable[object]]) -> None:
        """Run a task in one bucket after the other."""
        for each in await self.all():
            await task(each.pool)

    @property
    def in_use(self) -> Sequence[Bucket]:
        """The directory and the buckets that have been opened, each once."""
        return list({id(each): each for each in (self.directory, *self._all)}.values())

    @property
    def pools(self) -> Sequence[Pool]:
        """The pools of connections in use."""
        return [each.pool for each in self.in_use]

    def reads(self) -> dict[str, int]:
        """Return how many reads that a replica may answer were answered, by what answered."""
        counts = Counter[str]()
        for each in self.in_use:
            counts.update(each.replicas.answered if each.replicas is not None else {})
        return dict(counts)

    async def close(self) -> None:
        """End all connections."""
        for each in self.in_use:
            await each.close()


async def open_buckets(settings: Settings, *, size: int, replicas: str | None = None, **options: Any) -> Buckets:
    """Return the buckets of the database, with at most `size` connections for the directory and about as many for all
    buckets together. All are opened as needed, so that a process can start while the database is not available.

    The replicas at `replicas` may answer reads. `options` are those of `open_pool`.
    """

    async def open_one(number: int | None, size: int) -> Bucket:
        path = None if number is None else f"{schema_of(number)}, public" if number else "public"
        pool = await open_pool(settings.database_url or "", size=size, path=path, **options)
        return Bucket(number, pool, await open_replicas(replicas, size=size, path=path))

    async def open_bucket(number: int, count: int) -> Bucket:
        return await open_one(number, max(min(size, LEAST_CONNECTIONS), size // count))

    return Buckets(await open_one(None, size), open_bucket)


@asynccontextmanager
async def using_buckets(settings: Settings, *, size: int, **options: Any) -> AsyncIterator[Buckets]:
    """Yield the buckets of the database (see `open_buckets`), and end their connections."""
    buckets = await open_buckets(settings, size=size, **options)
    try:
        yield buckets
    finally:
        await buckets.close()

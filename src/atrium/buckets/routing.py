"""The connections of a process: to the directory, and to each bucket.

A request for a room uses a connection of the room's bucket, where the names of tables mean those of the bucket; any
other request uses one of the directory, which reads from every bucket. With one bucket both are the same.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from atrium.buckets import queries
from atrium.kit.postgres.database import Pool, connection, open_pool
from atrium.kit.postgres.hosts import connect
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
    """The buckets of a database. A room never leaves its bucket, so a process looks it up once."""

    def __init__(self, directory: Bucket, all_of_them: list[Bucket]) -> None:
        self.directory, self.all = directory, all_of_them
        self._of_room: dict[UUID, Bucket] = {}

    async def of_room(self, room_id: UUID) -> Bucket:
        """Return the bucket of a room; for one that does not exist, the first. Raise Unavailable."""
        if len(self.all) == 1:
            return self.all[0]
        if (known := self._of_room.get(room_id)) is not None:
            return known
        async with connection(self.directory.pool, writing=False) as db:
            number: int | None = await db.fetchval(queries.OF_ROOM, room_id)
        if number is None:
            return self.all[0]
        if len(self._of_room) >= MAX_CACHED:
            self._of_room.clear()
        self._of_room[room_id] = self.all[number]
        return self.all[number]

    @property
    def each_once(self) -> list[Bucket]:
        """The directory and the buckets, each once."""
        return list({id(each): each for each in (self.directory, *self.all)}.values())

    @property
    def pools(self) -> list[Pool]:
        """All pools of connections."""
        return [each.pool for each in self.each_once]

    def reads(self) -> dict[str, int]:
        """Return how many reads that a replica may answer were answered, by what answered."""
        counts = Counter[str]()
        for each in self.each_once:
            counts.update(each.replicas.answered if each.replicas is not None else {})
        return dict(counts)

    async def in_each(self, task: Callable[[Pool], Awaitable[object]]) -> None:
        """Run a task in one bucket after the other."""
        for each in self.all:
            await task(each.pool)

    async def close(self) -> None:
        """End all connections."""
        for each in self.each_once:
            await each.close()


async def open_buckets(settings: Settings, *, size: int, replicas: str | None = None, **options: Any) -> Buckets:
    """Return the buckets of the database, with at most `size` connections for the directory and about as many for all
    buckets together, which are opened as needed.

    The replicas at `replicas` may answer reads. `options` are those of `open_pool`.
    """
    url = settings.database_url or ""
    db = await connect(url)
    try:
        numbers = [row["bucket"] for row in await db.fetch(queries.NUMBERS)]
    finally:
        await db.close()

    async def open_one(number: int | None, size: int) -> Bucket:
        path = None if number is None else f"{schema_of(number)}, public" if number else "public"
        pool = await open_pool(url, size=size, path=path, **options)
        return Bucket(number, pool, await open_replicas(replicas, size=size, path=path))

    directory = await open_one(None, size)
    if len(numbers) == 1:
        return Buckets(directory, [directory])
    share = max(min(size, LEAST_CONNECTIONS), size // len(numbers))
    return Buckets(directory, [await open_one(each, share) for each in numbers])


@asynccontextmanager
async def using_buckets(settings: Settings, *, size: int, **options: Any) -> AsyncIterator[Buckets]:
    """Yield the buckets of the database (see `open_buckets`), and end their connections."""
    buckets = await open_buckets(settings, size=size, **options)
    try:
        yield buckets
    finally:
        await buckets.close()

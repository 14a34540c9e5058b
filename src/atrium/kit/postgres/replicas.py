"""Reads that replicas answer, as fresh as those of the primary.

A replica repeats the write-ahead log of the primary, a little later. A read therefore asks the primary how long the log
is, and waits until a replica has repeated it up to there. The replica then knows everything that was committed before
the read began: the caller's own messages, and that a key was revoked. If it does not get there soon, or does not
answer, the primary answers, and the replica is left alone for a while (decision 0032).
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import asyncpg
import structlog

from atrium.kit.metrics import READS
from atrium.kit.postgres.batching import Run
from atrium.kit.postgres.database import RETRYABLE, Connection, Pool, is_unavailable, open_pool
from atrium.kit.postgres.hosts import TIMELINE, AnyConnection, Host, hosts_of

log = structlog.get_logger()
T = TypeVar("T")
Row = TypeVar("Row", bound=tuple[object, ...])

CONNECT_TIMEOUT, CATCH_UP_TIMEOUT, STATEMENT_TIMEOUT = 1.0, 0.1, 10.0  # seconds
FIRST_PAUSE, LONGEST_PAUSE = 0.001, 0.016  # seconds between two looks at a replica
REST = 2.0  # seconds until a replica that failed is tried again, by one read

# How long the log of the primary is, and the mark of its timeline, which is null before it is marked.
# Returns: position, timeline, mark
POSITION = f"""
select pg_current_wal_flush_lsn()::text as position, timeline, mark
from ({TIMELINE}) current left join timelines using (timeline)
"""

# Parameters: $1 timeline
MARK = "insert into timelines (timeline) values ($1) on conflict do nothing"

# Whether a replica has what the primary had at a position of a timeline; null if it is no replica any more.
# Parameters: $1 position, $2 mark
# Returns: has_all
HAS_ALL = """
select case when pg_is_in_recovery() then
            coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)
            and exists (select from timelines where mark = $2) end as has_all
"""


class WalPosition(NamedTuple):
    """A place in the log of a primary."""

    position: str
    mark: UUID | None


class NotUsable(OSError):
    """A replica is behind, or is none any more."""


class Replica:
    """A host that answers reads, and whether it did lately."""

    def __init__(self, name: str, pool: Pool) -> None:
        self.name, self._pool = name, pool
        self._answers: bool | None = None  # None until the first read
        self._next_try = 0.0

    def admits(self) -> bool:
        """Return whether a read should try this replica. If it has failed, one read does every two seconds."""
        if self._answers:
            return True
        now = time.monotonic()
        if now < self._next_try:
            return False
        self._next_try = now + REST
        return True

    @asynccontextmanager
    async def at(self, position: WalPosition) -> AsyncIterator[Connection]:
        """Yield a connection to the replica when it has reached `position`. Raise NotUsable, or what the driver
        raises."""
        async with asyncio.timeout(CONNECT_TIMEOUT):
            connection = await self._pool.acquire()
        try:
            await _reach(connection, position)
            yield connection
        except (TimeoutError, asyncio.CancelledError):
            connection.terminate()  # a host that hangs would not answer to a cancellation either
            raise
        finally:
            await self._pool.release(connection)

    def succeeded(self) -> None:
        """Note that the replica has answered a read."""
        if not self._answers:
            log.info("a replica answers reads", host=self.name)
        self._answers = True

    def failed(self, error: BaseException) -> None:
        """Note that the replica has not answered a read."""
        if self._answers is not False:
            log.warning("a replica does not answer reads", host=self.name, reason=str(error) or type(error).__name__)
        self._answers, self._next_try = False, time.monotonic() + REST

    async def close(self) -> None:
        """End all connections."""
        self._pool.terminate()


class Replicas:
    """The hosts of ATRIUM_DATABASE_REPLICAS, which answer reads in turn."""

    def __init__(self, replicas: Sequence[Replica]) -> None:
        self.all = deque(replicas)  # the next one first
        self._reads = {by: READS.labels(by) for by in ("replica", "primary")}

    async def read(self, primary: Connection, act: Callable[[Connection], Awaitable[T]]) -> T:
        """Return the result of `act`.

        `act` gets a connection to a replica that has everything committed before, and if that fails, `primary`; so it
        may be called twice, and must change nothing.
        """
        self.all.rotate(-1)
        replica = next((each for each in self.all if each.admits()), None)
        if replica is not None:
            try:
                async with replica.at(await position_of(primary)) as connection:
                    result = await act(connection)
            except Exception as error:
                if not _is_of_replica(error):
                    raise
                replica.failed(error)
            else:
                replica.succeeded()
                self._reads["replica"].inc()
                return result
        self._reads["primary"].inc()
        return await act(primary)

    def reading(self, run: Run[Row]) -> Run[Row]:
        """Return `run` for a batch of reads, on a replica."""
        return lambda primary, batch: self.read(primary, lambda connection: run(connection, batch))

    async def close(self) -> None:
        """End all connections."""
        for replica in self.all:
            await replica.close()


async def open_replicas(url: str | None, *, size: int) -> Replicas | None:
    """Return the replicas of `url`, each with at most `size` connections, which are opened as needed; None without a
    URL."""
    if url is None:
        return None
    return Replicas([await _open(url, host, size) for host in hosts_of(url) or (None,)])


async def _open(url: str, host: Host | None, size: int) -> Replica:
    where: dict[str, Any] = {"host": host.name, "port": host.port} if host else {}

    async def connect(url: str, **options: Any) -> AnyConnection:
        connection: AnyConnection = await asyncpg.connect(url, **{**options, **where})
        return connection

    pool = await open_pool(url, size=size, connect=connect, statement_timeout=STATEMENT_TIMEOUT)
    return Replica(str(host or "the replica"), pool)


async def position_of(primary: Connection) -> WalPosition:
    """Return how long the log of the primary is now. Mark its timeline, if nobody has."""
    position, timeline, mark = await primary.fetchrow(POSITION)
    if mark is None:
        await primary.execute(MARK, timeline)
        position, timeline, mark = await primary.fetchrow(POSITION)
    return WalPosition(position, mark)


async def _reach(replica: Connection, position: WalPosition) -> None:
    pause = FIRST_PAUSE
    async with asyncio.timeout(CATCH_UP_TIMEOUT):
        while not (has_all := await replica.fetchval(HAS_ALL, *position)):
            if has_all is None:
                raise NotUsable("it accepts writes")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def _is_of_replica(error: Exception) -> bool:
    """Return whether the primary may answer what a replica did not: it is not available, or has ended the statement
    because the log removes rows that it reads."""
    return is_unavailable(error) or isinstance(error, (*RETRYABLE, asyncpg.QueryCanceledError))

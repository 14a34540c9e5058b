"""Connections to PostgreSQL, and what a statement failing there means to a caller."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg

from atrium.kit.errors import Unavailable

Connection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Record: TypeAlias = asyncpg.Record

# Plans are made once, for any value: the hot statements take arrays, whose contents must not change the plan.
SESSION = {"jit": "off", "plan_cache_mode": "force_generic_plan", "timezone": "UTC", "application_name": "atrium"}
# For a queue: as good as empty when plans are made, and long, or full of what is gone, when they are run.
BY_INDEX = dict.fromkeys(("enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin"), "off")
LOST = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
IN_THE_WAY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
LOST_CODES = ("08", "57P")  # connection exceptions; shutdown, crash, starting up


async def _keep(_connection: Any) -> None:
    """Leave a connection as it is when it goes back: nothing here changes a session, and a reset is a round trip."""


async def open_pool(url: str, *, size: int, durable: bool = True, by_index: bool = False) -> Pool:
    """At most `size` connections to `url`, opened as needed.

    Where not `durable`, a crash of the database may take back what was committed within the last second before it.
    With `by_index` rows are found by indexes, however few the tables were thought to hold.
    """
    session = SESSION | ({} if durable else {"synchronous_commit": "off"}) | (BY_INDEX if by_index else {})
    return await asyncpg.create_pool(
        url, min_size=0, max_size=size, reset=_keep, server_settings=session, statement_cache_size=400,
        max_cached_statement_lifetime=0, command_timeout=60,
    )  # fmt: skip


def is_lost(error: BaseException) -> bool:
    """Whether `error` says that the database is away, rather than that it refused a statement."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate or "").startswith(LOST_CODES)
    return isinstance(error, LOST)


def is_broken(connection: Connection) -> bool:
    """Whether nothing more comes of the connection: it is closed, or the pool took it back because it was."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:
        return True


@asynccontextmanager
async def connection(pool: Pool, *, writing: bool) -> AsyncIterator[Connection]:
    """A connection of the pool, in a transaction when it is for writing; Unavailable where the database is away."""
    try:
        async with pool.acquire() as acquired:
            if not writing:
                yield acquired
                return
            async with acquired.transaction():
                yield acquired
    except Exception as error:
        if is_lost(error):
            raise Unavailable from error
        raise

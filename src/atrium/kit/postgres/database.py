"""Connections to PostgreSQL, and the meaning of its errors."""

import errno
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg

from atrium.kit.errors import Unavailable
from atrium.kit.postgres.hosts import APPLICATION, AnyConnection
from atrium.kit.postgres.hosts import connect as connect_to_primary

Connection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Record: TypeAlias = asyncpg.Record
Connect: TypeAlias = Callable[..., Coroutine[Any, Any, AnyConnection]]

# Plan each statement once: the hot statements take arrays, and their contents should not affect the plan.
SESSION = {"jit": "off", "plan_cache_mode": "force_generic_plan", "timezone": "UTC", "application_name": APPLICATION}
# For queues: almost empty when their statements are planned, but long, or full of dead rows, when they run.
BY_INDEX = dict.fromkeys(("enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin"), "off")
CONNECTION_ERRORS = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
RETRYABLE = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
CONNECTION_ERROR_CODES = ("08", "57P")  # connection exceptions; shutdown, crash, starting up
NO_ROOM_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


async def _skip_reset(_connection: Any) -> None:
    """Do not reset a connection that returns to the pool: no statement changes the session, and a reset is a round
    trip."""


async def open_pool(
    url: str,
    *,
    size: int,
    durable: bool = True,
    by_index: bool = False,
    connect: Connect = connect_to_primary,
    statement_timeout: float = 60,
) -> Pool:
    """Return a pool of at most `size` connections to `url`, which `connect` opens as needed: by default, if the URL has
    several hosts, to the one that accepts writes. `statement_timeout` is in seconds.

    Unless `durable`, a crash of the database may undo the commits of the last second. With `by_index` the planner uses
    indexes, also for tables that it believes to be small.
    """
    session = SESSION | ({} if durable else {"synchronous_commit": "off"}) | (BY_INDEX if by_index else {})
    return await asyncpg.create_pool(
        url,
        connect=connect,
        min_size=0,
        max_size=size,
        reset=_skip_reset,
        server_settings=session,
        statement_cache_size=400,
        max_cached_statement_lifetime=0,
        command_timeout=statement_timeout,
    )


def is_connection_error(error: BaseException) -> bool:
    """Return whether an error means that the database is not available, rather than that a statement failed."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate or "").startswith(CONNECTION_ERROR_CODES)
    return isinstance(error, CONNECTION_ERRORS)


def is_out_of_room(error: BaseException) -> bool:
    """Return whether there was no room on a disk, in memory, or for another connection or open file. A statement that
    failed with this changed nothing."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM_ERRORS
    return isinstance(error, asyncpg.InsufficientResourcesError)


def is_partition_new(error: BaseException) -> bool:
    """Return whether the partition for a row was made meanwhile: the statement had chosen the default partition."""
    return isinstance(error, asyncpg.CheckViolationError) and error.constraint_name is None


def is_unavailable(error: BaseException) -> bool:
    """Return whether an error will end without a change of the request: the database is back, or has room again."""
    return is_connection_error(error) or is_out_of_room(error)


def is_unusable(connection: Connection) -> bool:
    """Return whether a connection is unusable: it is closed, perhaps also returned to the pool since."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:
        return True


@asynccontextmanager
async def connection(pool: Pool, *, writing: bool) -> AsyncIterator[Connection]:
    """Yield a connection of the pool, in a transaction if it is for writing. Raise Unavailable."""
    try:
        async with pool.acquire() as acquired:
            if not writing:
                yield acquired
                return
            async with acquired.transaction():
                yield acquired
    except Exception as error:
        if is_unavailable(error):
            raise Unavailable from error
        raise

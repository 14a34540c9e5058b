"""The readiness of a process: the database is available and has the schema of this release or a later one."""

import asyncio
from importlib.resources import files
from typing import TypedDict

import asyncpg

from atrium.kit.errors import Problem
from atrium.kit.postgres.database import Pool
from atrium.kit.postgres.hosts import cluster_of
from atrium.operations import queries
from atrium.operations.replication import replication_of

RESPONSE_TIMEOUT = 2.0  # seconds
_NO_ROOM = {
    asyncpg.DiskFullError: "its disk is full",
    asyncpg.OutOfMemoryError: "its memory is used up",
    asyncpg.TooManyConnectionsError: "all its connections are in use",
}


class NotReady(Problem):
    """The server runs but cannot serve requests at the moment; `detail` has the reason."""

    status = 503
    code = "not_ready"
    title = "The server is not ready"
    headers = (("retry-after", "1"),)


def newest_revision() -> str:
    """Return the schema's revision in this release."""
    scripts = (each.name for each in (files("atrium.migrations") / "versions").iterdir())
    return max(name.partition("_")[0] for name in scripts if name[:1].isdigit())


class ReplicaState(TypedDict):
    """How far a replica is behind, in bytes of the write-ahead log; None if PostgreSQL does not tell."""

    behind_bytes: int | None
    synchronous: bool


class DatabaseState(TypedDict):
    """The state of a cluster. It is public, so hosts are numbers: their places in ATRIUM_DATABASE_URL, from 1."""

    host: int
    replicas: list[ReplicaState]
    commits_wait: bool


async def database_state(pool: Pool, url: str) -> DatabaseState | None:
    """Return the host that answers and the state of its replicas; None for a URL with one host. Raise NotReady."""
    if not cluster_of(url).hosts:
        return None
    try:
        async with asyncio.timeout(RESPONSE_TIMEOUT):
            seen = await replication_of(pool, url)
    except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        raise NotReady("The database cannot be reached.") from None
    replicas = [ReplicaState(behind_bytes=each.behind_bytes, synchronous=each.synchronous) for each in seen.replicas]
    number = seen.host.number if seen.host else 0
    return DatabaseState(host=number, replicas=replicas, commits_wait=seen.commits_wait)


async def require_ready(pool: Pool) -> None:
    """Raise NotReady unless requests can be served. The error is public, so it reveals only what is unavailable."""
    try:
        async with asyncio.timeout(RESPONSE_TIMEOUT):
            revision: str | None = await pool.fetchval(queries.REVISION)
    except asyncpg.UndefinedTableError:
        revision = None
    except TimeoutError:
        raise NotReady(f"The database did not respond within {RESPONSE_TIMEOUT:g} seconds.") from None
    except asyncpg.InsufficientResourcesError as error:
        raise NotReady(f"The database has no room: {_NO_ROOM.get(type(error), 'it is out of resources')}.") from None
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        raise NotReady("The database cannot be reached.") from None
    needed = newest_revision()
    if revision is None or revision < needed:  # a later release may have upgraded it already
        raise NotReady(f"The database is at revision {revision or 'none'} of the schema; this release needs {needed}.")

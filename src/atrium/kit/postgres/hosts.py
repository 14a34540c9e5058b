"""Connections to the host of a PostgreSQL cluster that accepts writes.

A manager such as Patroni decides which host that is, and Atrium looks. It tries the hosts of the URL one by one, each
with a time limit, so that one that hangs does not hide the others. Connections to a host that hangs never break, so
each process also watches all hosts: when a replica is promoted, it ends its connections to the others.

Each promotion begins a timeline with a higher number. A former primary that was only slow, and continues, has a lower
one than a process has seen: it is not used, because it does not know what was written since. With one host in the URL,
nothing of this happens (decision 0032).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import asyncpg
import structlog

log = structlog.get_logger()
AnyConnection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

APPLICATION = "atrium"
NEXT_AFTER, ATTEMPT_TIMEOUT = 0.3, 2.0  # seconds until the next host is tried too, and until a host is given up
WATCH_INTERVAL, WATCH_TIMEOUT = 0.5, 2.0  # seconds
FAILURES = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)

# The timeline of a host that accepts writes; 0 for a replica.
# Returns: timeline
TIMELINE = """
select case when pg_is_in_recovery() then 0
            else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline
"""

# Options of a libpq connection to a URL with several hosts: libpq tries one after the other.
WRITABLE = {"target_session_attrs": "read-write", "connect_timeout": 2}


class Host(NamedTuple):
    """A host of a URL, and its number there, from 1."""

    number: int
    name: str
    port: int

    def __str__(self) -> str:
        return f"{self.name}:{self.port}"


class NoPrimary(OSError):
    """No host of the URL accepts writes. The text says why, host by host."""


class Unusable(OSError):
    """A host does not accept writes, or its timeline is over."""


def hosts_of(url: str) -> list[Host]:
    """Return the hosts of a PostgreSQL URL, in order. Raise ValueError for a URL that libpq does not understand."""
    if "," not in url:
        return []
    from psycopg import ProgrammingError, conninfo  # noqa: PLC0415 - only clusters need it

    try:
        given = conninfo.conninfo_to_dict(url)
        names, ports = str(given.get("host", "")).split(","), str(given.get("port", "")).split(",")
        pairs = list(zip(names, ports * len(names) if len(ports) == 1 else ports, strict=True))
        return [Host(number, name, int(port or 5432)) for number, (name, port) in enumerate(pairs, start=1)]
    except (ProgrammingError, ValueError):
        raise ValueError("not a PostgreSQL URL, or one with a different number of hosts and ports") from None


def writable(url: str) -> dict[str, Any]:
    """Return the options with which psycopg connects to the host of `url` that accepts writes."""
    return WRITABLE if len(hosts_of(url)) > 1 else {}


class Cluster:
    """The hosts of a URL, the one that accepts writes, and the connections of this process to each."""

    def __init__(self, url: str) -> None:
        self._url, self.hosts = url, hosts_of(url)
        self.current: Host | None = None
        self._timeline = 0  # the highest that was seen
        self._connections: WeakKeyDictionary[AnyConnection, Host] = WeakKeyDictionary()

    async def connect(self, **options: Any) -> AnyConnection:
        """Return a connection to the host that accepts writes. Raise NoPrimary.

        The current host is tried first, and the others as soon as it fails, or does not answer within 0.3 seconds.
        """
        reasons = dict[Host, BaseException]()
        attempts = dict[asyncio.Task[AnyConnection], Host]()
        untried = sorted(self.hosts, key=lambda each: each != self.current)
        try:
            while attempts or untried:
                if untried:
                    host = untried.pop(0)
                    attempts[asyncio.create_task(self._attempt(host, options))] = host
                limit = NEXT_AFTER if untried else None
                done, _ = await asyncio.wait(attempts, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                for attempt in done:
                    host = attempts.pop(attempt)
                    if (error := attempt.exception()) is None:
                        return attempt.result()
                    reasons[host] = error
        finally:
            for attempt in attempts:
                attempt.add_done_callback(_end)
                attempt.cancel()
        because = "; ".join(f"{host}: {_reason(reasons[host])}" for host in self.hosts)
        raise NoPrimary(f"no host accepts writes ({because})")

    async def _attempt(self, host: Host, options: dict[str, Any]) -> AnyConnection:
        async with asyncio.timeout(ATTEMPT_TIMEOUT):
            connection = await self._open(host, options)
            try:
                timeline = await connection.fetchval(TIMELINE)
                self._learn(host, timeline)
                if timeline == 0:
                    raise Unusable("a replica")
                if timeline < self._timeline:
                    raise Unusable("a former primary")
            except BaseException:
                connection.terminate()
                raise
            self._connections[connection] = host
            return connection

    async def _open(self, host: Host, options: dict[str, Any]) -> AnyConnection:
        connection: AnyConnection = await asyncpg.connect(self._url, host=host.name, port=host.port, **options)
        return connection

    def _learn(self, host: Host, timeline: int) -> None:
        """If the timeline is new, make `host` the current one, and end the connections to the others: what waits for
        them fails now."""
        if timeline <= self._timeline:
            return
        if self._timeline:
            log.warning("another database host accepts writes", host=str(host), before=str(self.current))
        self._timeline, self.current = timeline, host
        for connection, other in list(self._connections.items()):
            if other != host and not connection.is_closed():
                connection.terminate()

    async def watch(self) -> None:
        """Watch all hosts for a new timeline, until canceled."""
        await asyncio.gather(*map(self._watch, self.hosts))

    async def _watch(self, host: Host) -> None:
        while True:
            with contextlib.suppress(*FAILURES):
                async with asyncio.timeout(WATCH_TIMEOUT):
                    connection = await self._open(host, {})
                try:
                    while True:
                        self._learn(host, await connection.fetchval(TIMELINE, timeout=WATCH_TIMEOUT))
                        await asyncio.sleep(WATCH_INTERVAL)
                finally:
                    connection.terminate()
            await asyncio.sleep(WATCH_INTERVAL)


def _end(attempt: "asyncio.Task[AnyConnection]") -> None:
    """End the connection of an attempt that succeeded too late."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().terminate()


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "does not answer"
    if isinstance(error, ConnectionRefusedError):
        return "refuses connections"
    return " ".join(str(error).split()) or type(error).__name__


cluster_of = cache(Cluster)


def connect(url: str, **options: Any) -> Coroutine[Any, Any, AnyConnection]:
    """Connect to the database at `url` as `asyncpg.connect` does; if it has several hosts, to the one that accepts
    writes. PostgreSQL lists the connection as one of Atrium's.

    Raise NoPrimary, or what the driver raises.
    """
    cluster = cluster_of(url)
    options["server_settings"] = {"application_name": APPLICATION, **options.get("server_settings", {})}
    return cluster.connect(**options) if len(cluster.hosts) > 1 else asyncpg.connect(url, **options)


@asynccontextmanager
async def following(url: str) -> AsyncIterator[None]:
    """Follow the host that accepts writes."""
    cluster = cluster_of(url)
    if len(cluster.hosts) < 2:
        yield
        return
    task = asyncio.create_task(cluster.watch())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

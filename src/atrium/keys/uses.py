"""Record when keys were last used, count the requests with each key, and remember the addresses that they come from.

Each process counts in memory and adds its counts to the database every few seconds, under the day of that time.
Requests do not wait for this. A process that dies loses the counts of its last seconds, and nothing else. If the
connection breaks while they are written, they are written again, so that a few requests can count twice.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from atrium.keys import queries, usage_queries
from atrium.kit.errors import Forbidden, RateLimited
from atrium.kit.postgres.database import Pool

MAX_WAITING = 1 << 16  # rows that wait to be written; requests that would need another row are not counted
MAX_ADDRESSES = 20  # of a key
IN_ORDER = timedelta(milliseconds=1)  # between the addresses of a key that are written together


class KeyUses:
    """The keys used in the current minute and not written yet: when each was last used is known to the minute."""

    def __init__(self) -> None:
        self._pending: set[UUID] = set()
        self._written: set[UUID] = set()
        self._minute: datetime | None = None

    def record(self, api_key_id: UUID) -> None:
        """Record that the key is in use now."""
        if api_key_id not in self._written:
            self._pending.add(api_key_id)

    async def flush(self, pool: Pool, now: datetime) -> None:
        """Write the uses since the last call, at most once a minute for each key. After an error they wait for the
        next call."""
        minute = now.replace(second=0, microsecond=0)
        if minute != self._minute:
            self._minute, self._written = minute, set()
        if fresh := set(self._pending):
            await pool.execute(queries.RECORD_USE, list(fresh), minute)
            self._written |= fresh
            self._pending -= fresh


class Kind(NamedTuple):
    """What requests of one kind have in common; `route` is a path of the route table."""

    method: str
    route: str
    scopes: tuple[str, ...]  # that they needed


class UseCounts:
    """The requests that are not written yet."""

    def __init__(self) -> None:
        self._counts: dict[tuple[UUID, Kind], list[int]] = {}  # requests, forbidden, limited
        self._addresses: dict[UUID, dict[str, None]] = {}  # the newest last

    def count(self, api_key_id: UUID, kind: Kind, status: int, address: str | None) -> None:
        """Count a request by the status of its response."""
        counts = self._counts.get((api_key_id, kind))
        if counts is None:
            if len(self._counts) >= MAX_WAITING:
                return
            counts = self._counts[api_key_id, kind] = [0, 0, 0]
        counts[0] += 1
        if status == Forbidden.status:
            counts[1] += 1
        elif status == RateLimited.status:
            counts[2] += 1
        if address is not None:
            self._see(api_key_id, address)

    def _see(self, api_key_id: UUID, address: str) -> None:
        seen = self._addresses.setdefault(api_key_id, {})
        seen.pop(address, None)
        if len(seen) >= MAX_ADDRESSES:
            del seen[next(iter(seen))]
        seen[address] = None

    async def flush(self, pool: Pool, now: datetime) -> None:
        """Write the counts since the last call. After an error the counts wait for the next call."""
        counts, self._counts = self._counts, {}
        try:
            if counts:
                rows = (
                    (api_key_id, now.date(), kind.method, kind.route, " ".join(kind.scopes), *numbers)
                    for (api_key_id, kind), numbers in counts.items()
                )
                await pool.execute(usage_queries.ADD_COUNTS, *_columns(rows))
        except Exception:
            for use, numbers in counts.items():
                later = self._counts.setdefault(use, [0, 0, 0])
                later[:] = [one + other for one, other in zip(later, numbers, strict=True)]
            raise
        await self._flush_addresses(pool, now)

    async def _flush_addresses(self, pool: Pool, now: datetime) -> None:
        addresses, self._addresses = self._addresses, {}
        if not addresses:
            return
        rows = (
            (api_key_id, address, now - place * IN_ORDER)
            for api_key_id, seen in addresses.items()
            for place, address in enumerate(reversed(seen))
        )
        try:
            await pool.execute(usage_queries.ADD_ADDRESSES, *_columns(rows))
            await pool.execute(usage_queries.FORGET_OLDER_ADDRESSES, list(addresses), MAX_ADDRESSES)
        except Exception:
            for api_key_id, seen in addresses.items():
                for address in [*seen, *self._addresses.pop(api_key_id, {})]:
                    self._see(api_key_id, address)
            raise


def _columns(rows: Iterable[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]

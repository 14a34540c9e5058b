"""Count the requests with each key, and remember the addresses that they come from.

Each process counts in memory and adds its counts to the database every few seconds. Requests do not wait for this. A
process that dies loses the counts of its last seconds, and nothing else. If the connection breaks while they are
written, they are written again, so that a few requests can count twice.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from atrium.keys import usage_queries as queries
from atrium.kit.errors import Forbidden, RateLimited
from atrium.kit.postgres.database import Pool

MAX_WAITING = 1 << 16  # rows that wait to be written; requests that would need another row are not counted
MAX_ADDRESSES = 20  # of a key


class Use(NamedTuple):
    """What requests with a key have in common that are counted together; `route` is its path in the route table."""

    api_key_id: UUID
    day: date
    method: str
    route: str
    scopes: tuple[str, ...]  # that they needed


class UseCounts:
    """The requests that are not written yet."""

    def __init__(self) -> None:
        self._counts: dict[Use, list[int]] = {}  # requests, forbidden, limited
        self._addresses: dict[UUID, dict[str, datetime]] = {}

    def count(self, use: Use, status: int, address: str | None, now: datetime) -> None:
        """Count a request by the status of its response."""
        counts = self._counts.get(use)
        if counts is None:
            if len(self._counts) >= MAX_WAITING:
                return
            counts = self._counts[use] = [0, 0, 0]
        counts[0] += 1
        if status == Forbidden.status:
            counts[1] += 1
        elif status == RateLimited.status:
            counts[2] += 1
        if address is not None:
            self._see(use.api_key_id, address, now)

    def _see(self, api_key_id: UUID, address: str, now: datetime) -> None:
        seen = self._addresses.setdefault(api_key_id, {})
        seen.pop(address, None)  # so that the newest is last
        if len(seen) >= MAX_ADDRESSES:
            del seen[next(iter(seen))]
        seen[address] = now

    async def flush(self, pool: Pool) -> None:
        """Write what was counted since the last call. After an error the counts wait for the next call."""
        counts, self._counts = self._counts, {}
        try:
            if counts:
                await pool.execute(queries.ADD_COUNTS, *_columns(counts))
        except Exception:
            for use, numbers in counts.items():
                later = self._counts.setdefault(use, [0, 0, 0])
                later[:] = [one + other for one, other in zip(later, numbers, strict=True)]
            raise
        await self._flush_addresses(pool)

    async def _flush_addresses(self, pool: Pool) -> None:
        addresses, self._addresses = self._addresses, {}
        if addresses:
            rows = [(key, address, at) for key, seen in addresses.items() for address, at in seen.items()]
            await pool.execute(queries.ADD_ADDRESSES, *_transposed(rows))
            await pool.execute(queries.FORGET_OLDER_ADDRESSES, list(addresses), MAX_ADDRESSES)


def _columns(counts: dict[Use, list[int]]) -> list[list[object]]:
    return _transposed((*use[:4], " ".join(use.scopes), *numbers) for use, numbers in counts.items())


def _transposed(rows: Iterable[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]

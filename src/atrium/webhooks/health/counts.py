"""Count the attempts of webhooks by the hour, for the chart of their health.

A worker counts in memory and adds its counts to the table every few seconds, in one statement. What a worker had not
written when it was killed, or when the database went away, is missing in the chart, and nowhere else: the delivery log
has every attempt.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from atrium.kit.network.outbound import Exchange
from atrium.kit.postgres.database import Pool
from atrium.kit.process.periodic import run_every
from atrium.webhooks.health import histogram, queries

WRITE_INTERVAL = 5.0  # seconds
Hour: TypeAlias = tuple[UUID, datetime]


@dataclass
class _Counts:
    """The attempts of one webhook in one hour; `durations` has those that got an answer (histogram.py)."""

    attempts: int = 0
    succeeded: int = 0
    durations: list[int] = field(default_factory=list)


class HealthCounts:
    """The attempts that are not written yet."""

    def __init__(self) -> None:
        self._pending: dict[Hour, _Counts] = {}

    def count(self, webhook_id: UUID, exchange: Exchange, ended_at: datetime) -> None:
        """Count an attempt in the hour in which it ended."""
        hour = ended_at.replace(minute=0, second=0, microsecond=0)
        counts = self._pending.setdefault((webhook_id, hour), _Counts())
        counts.attempts += 1
        counts.succeeded += exchange.succeeded
        if exchange.response_code is not None:
            histogram.count(counts.durations, exchange.duration_ms)

    async def flush(self, pool: Pool) -> None:
        """Write the counts since the last call."""
        pending, self._pending = self._pending, {}
        if pending:
            rows = [(*key, each.attempts, each.succeeded, _as_array(each.durations)) for key, each in pending.items()]
            await pool.execute(queries.RECORD, *map(list, zip(*rows, strict=True)))

    @asynccontextmanager
    async def writing(self, pool: Pool) -> AsyncIterator[None]:
        """Write every few seconds, and at the end."""
        task = asyncio.create_task(run_every(WRITE_INTERVAL, lambda: self.flush(pool), delay=WRITE_INTERVAL))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            with contextlib.suppress(Exception):
                await self.flush(pool)


def _as_array(counts: list[int]) -> str:
    return "{" + ",".join(map(str, counts)) + "}"

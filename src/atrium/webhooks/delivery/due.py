"""The due deliveries: claimed, and their results recorded, many in one statement."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from atrium.kit.postgres.batching import Batcher, ResultRow, by_statement
from atrium.kit.postgres.database import Connection, Pool, Record
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import queries
from atrium.webhooks.delivery.attempt import AttemptResult, ClaimedDelivery
from atrium.webhooks.delivery.failures import Failed, record_failures

Success: TypeAlias = tuple[UUID, UUID, str, bool]
Unused: TypeAlias = tuple[UUID, UUID, datetime, datetime | None]


class DeliveryQueue:
    """Claims due deliveries and records their results."""

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self._pool, self._settings = pool, settings
        self.successes = Batcher[Success](
            "record", pool, by_statement(queries.SUCCEED), max_batch_size=128, max_concurrent_batches=2
        )
        self.failures = Batcher[Failed](
            "record_failure", pool, self._record_failures, max_batch_size=64, max_concurrent_batches=1
        )
        self._unused = Batcher[Unused](
            "give_back", pool, by_statement(queries.GIVE_BACK), max_batch_size=128, max_concurrent_batches=1
        )

    async def claim(self, *parameters: Any) -> Sequence[Record]:
        """Claim due deliveries; return the rows of CLAIM."""
        rows: Sequence[Record] = await self._pool.fetch(queries.CLAIM, *parameters)
        return rows

    async def next_due(self) -> datetime | None:
        """Return the earliest time that an attempt is due, past or future."""
        due: datetime | None = await self._pool.fetchval(queries.NEXT_DUE)
        return due

    async def record(self, claimed: ClaimedDelivery, result: AttemptResult | None) -> None:
        """Record the result of an attempt, or give back what was not attempted."""
        if result is None:
            await self._unused.run((claimed.webhook_id, claimed.delivery_id, claimed.due_at, claimed.leased_until))
        elif result.exchange.succeeded:
            await self.successes.run((claimed.webhook_id, claimed.delivery_id, result.as_json, claimed.manual))
        else:
            await self.failures.run((claimed, result))

    async def _record_failures(self, db: Connection, failed: Sequence[Failed]) -> Sequence[ResultRow]:
        await record_failures(db, failed, self._settings)
        return [()] * len(failed)

"""Record when keys were last used, to the minute.

Uses are collected in memory and written in one statement every few seconds.
"""

from datetime import datetime
from uuid import UUID

from atrium.keys import queries
from atrium.kit.postgres.database import Pool


class KeyUses:
    """The keys used in the current minute and not written yet."""

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

"""Wake a sleeping worker when a delivery is queued, and skip the notification while a worker is awake.

A NOTIFY is expensive: only one transaction with a NOTIFY can commit at a time, and the next waits for the disk
(`wake_workers`). So a worker that found work keeps polling the queue, and senders do not notify while it holds the
lock. It polls a little longer after it has released the lock, because a sender that saw the lock may commit later.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import asyncpg

from atrium.kit.postgres import locks
from atrium.kit.postgres.database import CONNECTION_ERRORS, Connection
from atrium.kit.postgres.hosts import connect

CHANNEL = "deliveries"

# Returns: pg_try_advisory_lock
TRY_LOCK_AWAKE = f"select pg_try_advisory_lock({locks.AWAKE_WORKER})"

# Returns: pg_advisory_unlock
UNLOCK_AWAKE = f"select pg_advisory_unlock({locks.AWAKE_WORKER})"
LOCK_DURATION, POLL_DURATION = 0.5, 0.5  # seconds after work was found, and after the lock was released
CHECK_INTERVAL = 1.0  # seconds between checks of the connection
RESPONSE_TIMEOUT = 2.0  # seconds; claims wait for a connection that does not answer
# So that the database soon releases the lock of a machine that has failed.
SESSION = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}


class Wakeup:
    """Waits for queued deliveries. At most one worker holds the lock that suppresses notifications."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self.notified = asyncio.Event()
        self._db: Connection | None = None
        self._locked, self._locked_until, self._awake_until = False, 0.0, 0.0

    @property
    def awake(self) -> bool:
        """Return whether the worker polls again instead of waiting for a notification."""
        return self._locked or monotonic() < self._awake_until

    async def mark_polled(self, *, found: bool) -> None:
        """Record that the worker has polled the queue."""
        if found:
            self._locked_until = monotonic() + LOCK_DURATION
            self._awake_until = self._locked_until + POLL_DURATION
        wanted = monotonic() < self._locked_until
        if self._db is None or self._locked == wanted:
            return
        try:
            if wanted:
                self._locked = await self._db.fetchval(TRY_LOCK_AWAKE)
            else:
                await self._db.execute(UNLOCK_AWAKE)
                self._mark_unlocked()
        except (asyncpg.PostgresError, *CONNECTION_ERRORS):  # a lock that may still be held ends with the session
            self._db.terminate()

    def _mark_unlocked(self) -> None:
        self._locked, self._awake_until = False, monotonic() + POLL_DURATION

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen for notifications; without them, as while the database is unavailable, a worker polls every few
        seconds."""
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            with contextlib.suppress(asyncpg.PostgresError, *CONNECTION_ERRORS):
                db = await connect(self._url, command_timeout=RESPONSE_TIMEOUT, server_settings=SESSION)
                try:
                    await db.add_listener(CHANNEL, lambda *_: self.notified.set())
                    self._db = db
                    self.notified.set()
                    while not db.is_closed():
                        await asyncio.sleep(CHECK_INTERVAL)
                finally:
                    self._db = None
                    self._mark_unlocked()
                    db.terminate()
            await asyncio.sleep(CHECK_INTERVAL)

"""How a worker that sleeps learns that something was put down, and how one that is awake spares senders from telling.

To tell is dear: of all transactions with a NOTIFY, one at a time can commit, and the next waits until the disk has it
(migration 0015). So a worker that has found something looks at the queue again and again, and while it has the lock,
nobody wakes it. It looks on for a while after it let the lock go: who saw the lock may commit after that.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import asyncpg

from atrium.kit import locks
from atrium.kit.database import LOST, Connection

CHANNEL = "deliveries"
TRY_TO_HUSH = f"select pg_try_advisory_lock({locks.AWAKE_WORKER})"
LET_RING = f"select pg_advisory_unlock({locks.AWAKE_WORKER})"
HUSHED_FOR, LOOKS_ON_FOR = 0.5, 0.5  # seconds after something was found, and after the bell was let ring again
LOOKS_EVERY = 1.0  # seconds; whether the connection still stands, and again where it does not
ANSWERS_WITHIN = 2.0  # seconds; a connection that does not is dead, and claims wait for it
# So that the database soon lets the lock go of a machine that is gone.
SESSION = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}


class Doorbell:
    """Rung by whoever puts a delivery down, but while it is hushed. Of several workers, one can hush it."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self.rung = asyncio.Event()
        self._db: Connection | None = None
        self._hushed, self._hush_until, self._awake_until = False, 0.0, 0.0

    @property
    def awake(self) -> bool:
        """Whether the worker shall look again rather than wait for the bell."""
        return self._hushed or monotonic() < self._awake_until

    async def looked(self, *, found: bool) -> None:
        """The worker has looked at the queue, and found something or nothing."""
        if found:
            self._hush_until = monotonic() + HUSHED_FOR
            self._awake_until = self._hush_until + LOOKS_ON_FOR
        wanted = monotonic() < self._hush_until
        if self._db is None or self._hushed == wanted:
            return
        try:
            if wanted:
                self._hushed = await self._db.fetchval(TRY_TO_HUSH)
            else:
                await self._db.execute(LET_RING)
                self._rings()
        except (asyncpg.PostgresError, *LOST):  # what is not known to be let go ends with the session
            self._db.terminate()

    def _rings(self) -> None:
        self._hushed, self._awake_until = False, monotonic() + LOOKS_ON_FOR

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Hear the bell; without it, as while the database is away, a worker still looks every few seconds."""
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            with contextlib.suppress(asyncpg.PostgresError, *LOST):
                db = await asyncpg.connect(self._url, command_timeout=ANSWERS_WITHIN, server_settings=SESSION)
                try:
                    await db.add_listener(CHANNEL, lambda *_: self.rung.set())
                    self._db = db
                    self.rung.set()
                    while not db.is_closed():
                        await asyncio.sleep(LOOKS_EVERY)
                finally:
                    self._db = None
                    self._rings()
                    db.terminate()
            await asyncio.sleep(LOOKS_EVERY)

"""Check and run the imports of uploaded files in the worker. Any number of workers can run.

A claim is a lease. Each transaction checks that the worker still holds it, so only one worker writes. If a worker is
killed, its lease expires and another worker continues the import. The work runs in a process of its own: reading an
export occupies the processor for seconds, while deliveries must continue, and an archive may be made to exhaust memory.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import msgspec
import structlog

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.imports import job_queries as queries
from atrium.imports.model import CheckResult, ImportStatus, counts_of
from atrium.imports.run import Counters
from atrium.imports.running import SERVER_ERROR, CannotImport, Interrupted, NoConnection, NoRoom, run_process
from atrium.imports.work import Busy, ClaimedImport, ClaimLost, Progress, Server
from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Pool, is_connection_error, is_out_of_room, is_unavailable
from atrium.kit.process.failures import log_failure, log_unavailable
from atrium.kit.process.shares import Turns
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, StorageUnavailable
from atrium.media import parts
from atrium.uploads.model import EXPIRES_AFTER

log = structlog.get_logger()
LEASE = timedelta(seconds=60)
RENEW_INTERVAL, POLL_INTERVAL = 1.0, 2.0  # seconds
PAUSES = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5))  # before the second attempt, and so on
MAX_ATTEMPTS = len(PAUSES) + 1
WAITING = "Waiting for another import into this organization."
STOPPED_REPEATEDLY = "The import stopped unexpectedly several times."
NO_ROOM = "The server has no room for it at the moment; see the server's log."
ABANDONED = {
    ImportStatus.UPLOADING: "The upload was not continued within a day.",
    ImportStatus.READY: "The import was not started within a day of its check.",
}


class Importer:
    """Check and run the imports that are due, one at a time."""

    def __init__(self, pool: Pool, storage: Callable[[], Storage], settings: Settings, clock: Clock) -> None:
        self._pool, self._storage, self._settings, self._clock = pool, storage, settings, clock
        self._turns = Turns()

    async def run(self) -> None:
        """Check and run imports until this is canceled; an unfinished one goes back into the queue."""
        while True:
            try:
                while await self.run_next():
                    pass
            except Exception as error:
                log_failure("an import was interrupted and will resume", error)
            await asyncio.sleep(POLL_INTERVAL)

    async def run_next(self) -> bool:
        """Take the import of the next organization that is due longest; return whether there was one."""
        now, claim = self._clock(), uuid4()
        row = await self._pool.fetchrow(queries.CLAIM, now, now + LEASE, claim, self._turns.served)
        if row is None:
            return False
        job = ClaimedImport(claim=claim, **row)
        self._turns.serve(job.organization_id)
        try:
            await self._attempt(job)
        except ClaimLost:
            log.info("lost the claim on an import", import_id=str(job.import_id))
        except asyncio.CancelledError:
            await asyncio.shield(self._release(job, timedelta(), None, job.attempts - 1))
            raise
        return True

    async def _attempt(self, job: ClaimedImport) -> None:
        try:
            await self._work(job)
        except CannotImport as error:
            await self._end(job, ImportStatus.FAILED, str(error), None)
        except Busy:
            await self._release(job, PAUSES[0], WAITING, job.attempts - 1)
        except StorageUnavailable as error:
            await self._retry_later(job, error.title)
        except Interrupted as error:
            await self._retry_later(job, str(error))
        except (ClaimLost, NoConnection):
            raise
        except Exception as error:
            if is_out_of_room(error) or isinstance(error, NoRoom):
                log_unavailable("an import waits for room", error, import_id=str(job.import_id))
                return await self._release(job, PAUSES[-1], NO_ROOM, job.attempts - 1)
            if is_connection_error(error):
                raise
            log.error("an import failed", import_id=str(job.import_id), exc_info=error)
            await self._retry_later(job, f"{SERVER_ERROR}.")

    async def _work(self, job: ClaimedImport) -> None:
        if reason := ABANDONED.get(ImportStatus(job.status)):
            raise CannotImport(reason)
        if job.attempts > MAX_ATTEMPTS:
            raise CannotImport(STOPPED_REPEATEDLY)
        progress = Progress()
        async with self._renewing_lease(job, progress), self._file(job, progress) as path:
            server = Server(self._settings.database_url or "", self._settings.base_url)
            where = (server, job, path, self._clock(), progress)
            report = await run_process(*where)
            if report.checked:
                await self._ready(job, report.checked)
            else:
                await self._end(job, ImportStatus.DONE, None, report.counters)

    @asynccontextmanager
    async def _renewing_lease(self, job: ClaimedImport, progress: Progress) -> AsyncIterator[None]:
        """Renew the lease and store the progress until the block ends. A lost claim stops the work at its next step."""
        renewing = asyncio.create_task(self._renew(job, progress))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _renew(self, job: ClaimedImport, progress: Progress) -> None:
        while not progress.stopped.is_set():
            await asyncio.sleep(RENEW_INTERVAL)
            share = (self._clock() + LEASE, progress.done, progress.total)
            try:
                if not await self._pool.fetchval(queries.RENEW, job.import_id, job.claim, *share):
                    progress.stopped.set()
            except Exception as error:
                if not is_unavailable(error):
                    raise

    @asynccontextmanager
    async def _file(self, job: ClaimedImport, progress: Progress) -> AsyncIterator[Path]:
        """Yield the path of a temporary copy of the uploaded file."""
        folder = self._settings.data_dir / "run"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as name:
            path = Path(name) / "export.zip"
            with path.open("wb") as file:
                async for chunk in parts.read(self._pool, self._storage(), job.import_id, 0, job.size):
                    progress.advance(0)
                    await asyncio.to_thread(file.write, chunk)
            yield path

    async def _ready(self, job: ClaimedImport, checked: CheckResult) -> None:
        until, found = self._clock() + EXPIRES_AFTER, msgspec.json.encode(checked).decode()
        if not await self._pool.fetchval(queries.READY, job.import_id, job.claim, until, found):
            raise ClaimLost

    async def _end(self, job: ClaimedImport, status: ImportStatus, reason: str | None, added: Counters | None) -> None:
        """End the import and remove its file."""
        now, counters = self._clock(), None if added is None else msgspec.json.encode(added).decode()
        after = {"status": status, "reason": reason, "added": added and msgspec.to_builtins(counts_of(added, ()))}
        action = "import.completed" if status is ImportStatus.DONE else "import.failed"
        change = Change(action, Target("import", job.import_id, job.name), job.organization_id, after=after)
        async with self._pool.acquire() as db, db.transaction():
            if not await db.fetchval(queries.END, job.import_id, job.claim, now, status, reason, counters):
                raise ClaimLost
            await parts.drop(db, [job.import_id], now)
            await trail.record(db, trail.system("import", now), change)

    async def _retry_later(self, job: ClaimedImport, reason: str) -> None:
        """Retry after a pause, or fail after the last attempt."""
        if job.attempts >= MAX_ATTEMPTS:
            await self._end(job, ImportStatus.FAILED, reason, None)
        else:
            await self._release(job, PAUSES[job.attempts - 1], reason, job.attempts)

    async def _release(self, job: ClaimedImport, pause: timedelta, reason: str | None, attempts: int) -> None:
        await self._pool.execute(queries.RELEASE, job.import_id, job.claim, self._clock() + pause, attempts, reason)

"""Check or import an uploaded export, in a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.imports import job_queries as queries
from atrium.imports.actions import exclusive_import, import_export
from atrium.imports.archive import open_archive
from atrium.imports.check import check_export
from atrium.imports.model import CheckResult
from atrium.imports.run import Counters, Destination, Run
from atrium.imports.scan import scan_export
from atrium.kit.postgres.database import Connection
from atrium.kit.postgres.hosts import connect


class Server(Struct, frozen=True):
    """The server that the work belongs to: its database, and its address for mails."""

    database_url: str
    base_url: str


class ClaimLost(Exception):
    """The worker lost its claim: the import was canceled, the lease expired, or the worker stops."""


class Busy(Exception):
    """Another import into the organization is running."""


@dataclass(frozen=True)
class ClaimedImport:
    """An import that this worker checks or runs. `claim` is the id of this claim."""

    import_id: UUID
    organization_id: UUID
    space_id: UUID
    name: str
    size: int
    status: str
    attempts: int
    checked: str | None
    counters: str | None
    claim: UUID

    @property
    def into(self) -> Destination:
        """Return where the import goes."""
        return Destination(self.organization_id, self.space_id)


@dataclass
class Progress:
    """The progress of the work. `stopped` ends it at its next step; `publish` is called after each step."""

    done: int = 0
    total: int = 0
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    publish: Callable[[int, int], None] = lambda _done, _total: None

    def advance(self, more: int) -> None:
        """Count steps that are done. Raise ClaimLost if the work is to stop."""
        if self.stopped.is_set():
            raise ClaimLost
        self.done += more
        if more:
            self.publish(self.done, self.total)


async def check_file(server: Server, job: ClaimedImport, path: Path, now: datetime, progress: Progress) -> CheckResult:
    """Read the export twice: for errors, and to count what is new. Raise BrokenExport, WrongDestination, ClaimLost."""
    with open_archive(path, now) as archive:
        progress.total = 2 * sum(map(len, archive.days.values()))
        export = scan_export(archive, progress.advance)
        async with _connection(server) as db:
            run = Run(db, job.into, server.base_url, now, progress.advance)
            counters = await check_export(run, archive, export)
    return CheckResult(counters, export.left_out)


async def import_file(server: Server, job: ClaimedImport, path: Path, now: datetime, progress: Progress) -> Counters:
    """Import what does not exist yet. Raise Busy, BrokenExport, WrongDestination, ClaimLost."""
    earlier = msgspec.json.decode(job.counters, type=Counters) if job.counters else Counters()

    async def record() -> None:
        progress.advance(0)
        counters = msgspec.json.encode(run.counters.merge(earlier)).decode()
        if not await run.db.fetchval(queries.RECORD, job.import_id, job.claim, counters):
            raise ClaimLost

    with open_archive(path, now) as archive:
        export = scan_export(archive, lambda _: progress.advance(0))
        async with _connection(server) as db, exclusive_import(db, job.into, _raise_busy):
            progress.total = export.messages
            run = Run(db, job.into, server.base_url, now, progress.advance, record)
            return (await import_export(run, archive, export)).merge(earlier)


def _raise_busy() -> None:
    raise Busy


@asynccontextmanager
async def _connection(server: Server) -> AsyncIterator[Connection]:
    db = await connect(server.database_url)
    try:
        yield db
    finally:
        await db.close()

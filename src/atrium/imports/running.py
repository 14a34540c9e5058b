"""Run the process that checks or imports an export, from the worker."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import cast

import msgspec
import structlog

from atrium.imports import process
from atrium.imports.process import Report, Task
from atrium.imports.work import Busy, ClaimedImport, ClaimLost, Progress, Server
from atrium.kit.process.commands import minimal_environment

log = structlog.get_logger()
LONGEST_LINE = 16 << 20  # bytes of a report
SECONDS_TO_STOP = 30.0  # for the step that is under way
SERVER_ERROR = "A server error stopped the import; see the server's log"
TOO_SLOW = f"Reading the export takes more than {process.MAX_CPU_SECONDS // 60} minutes of processor time."


class CannotImport(Exception):
    """The import failed permanently. The message says why."""


class Interrupted(Exception):
    """Something stopped the import that may not stop it again."""


class NoRoom(Exception):
    """The database or the machine has no room at the moment."""


class NoConnection(Exception):
    """The database is not available."""


async def run_process(server: Server, job: ClaimedImport, path: Path, now: datetime, progress: Progress) -> Report:
    """Check or import the export at `path`; return the result.

    Raise CannotImport, Interrupted, Busy, ClaimLost, NoRoom, NoConnection. If this is canceled, the work stops at its
    next step.
    """
    report, status = Report(), 0
    async with _child(Task(server, job, str(path), now), progress) as child:
        while line := await cast("asyncio.StreamReader", child.stdout).readline():
            report = msgspec.json.decode(line, type=Report)
            progress.done, progress.total = report.done or progress.done, report.total or progress.total
        status = await child.wait()
    return _result(report, status, job)


@asynccontextmanager
async def _child(task: Task, progress: Progress) -> AsyncIterator[Process]:
    """Yield the process; it stops when the block ends or when the claim is lost."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-m",
        process.__name__,
        stdin=PIPE,
        stdout=PIPE,
        limit=LONGEST_LINE,
        env=_environment(),
    )
    stdin = cast("asyncio.StreamWriter", child.stdin)
    stdin.write(msgspec.json.encode(task) + b"\n")
    stopping = asyncio.create_task(_close_when_stopped(stdin, progress))
    try:
        yield child
    finally:
        stopping.cancel()
        stdin.close()
        await asyncio.shield(_end(child))


def _environment() -> dict[str, str]:
    """Return the environment of the process, without keys, because it reads files from outside."""
    of_database = {name: value for name, value in os.environ.items() if name.startswith("PG")}
    return {**minimal_environment(), **of_database}


async def _close_when_stopped(stdin: asyncio.StreamWriter, progress: Progress) -> None:
    await progress.stopped.wait()
    stdin.close()


async def _end(child: Process) -> None:
    """Wait until the process has stopped, or kill it."""
    try:
        async with asyncio.timeout(SECONDS_TO_STOP):
            await child.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()


def _result(report: Report, status: int, job: ClaimedImport) -> Report:
    if status == -signal.SIGXCPU:
        raise CannotImport(TOO_SLOW)
    if report.failure:
        raise CannotImport(report.failure)
    match report.obstacle:
        case process.ANOTHER_RUNS:
            raise Busy
        case process.CLAIM_LOST:
            raise ClaimLost
        case process.NO_ROOM:
            raise NoRoom(report.error)
        case process.NO_CONNECTION:
            raise NoConnection(report.error)
    if report.checked or report.counters:
        return report
    log.error("an import failed", import_id=str(job.import_id), status=status, trace=report.trace)
    if report.trace and not report.obstacle:
        raise CannotImport(f"{SERVER_ERROR} ({report.error}).")
    raise Interrupted(f"{SERVER_ERROR}.")

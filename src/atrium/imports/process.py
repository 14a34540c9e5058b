"""The process that checks or imports an export: a task on standard input, lines of JSON on standard output.

It runs within limits of memory and time that the kernel enforces, so that an archive made to exhaust them ends its own
import and nothing else. The worker closes standard input to stop it; if the worker dies, the kernel does.
"""

import asyncio
import os
import resource
import sys
import threading
import traceback
from datetime import datetime
from pathlib import Path

import msgspec
from asyncpg import TransactionRollbackError
from msgspec import Struct

from atrium.imports.actions import WrongDestination
from atrium.imports.archive import BrokenExport
from atrium.imports.model import CheckResult, ImportStatus
from atrium.imports.run import Counters
from atrium.imports.work import Busy, ClaimedImport, ClaimLost, Progress, Server, check_file, import_file
from atrium.kit.postgres.database import is_connection_error, is_out_of_room
from atrium.slack.mrkdwn import storable

MAX_MEMORY, MAX_CPU_SECONDS = 1 << 30, 2 * 60 * 60
TOO_LARGE = f"Reading the export takes more than {MAX_MEMORY >> 20:,} MiB of memory."
ANOTHER_RUNS, CLAIM_LOST, NO_CONNECTION, NO_ROOM = "another runs", "claim lost", "no connection", "no room"
CONFLICT = "conflict"  # of transactions, which the database ended


class Task(Struct, frozen=True):
    """What the process is to do."""

    server: Server
    job: ClaimedImport
    path: str
    now: datetime


class Report(Struct, frozen=True, omit_defaults=True):
    """A line of output: the progress; or, last, the result, why the import failed, or what keeps it from being done."""

    done: int = 0
    total: int = 0
    checked: CheckResult | None = None
    counters: Counters | None = None
    failure: str | None = None
    obstacle: str | None = None
    error: str | None = None
    trace: str | None = None


def main() -> None:
    """Carry out one task."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS + 60))
    os.nice(15)  # deliveries come first
    progress = Progress(publish=lambda done, total: _write(Report(done, total)))
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    threading.Thread(target=_stop_at_end_of_input, args=(progress,), daemon=True).start()
    _write(_report_of(task, progress))


def _report_of(task: Task, progress: Progress) -> Report:
    try:
        return asyncio.run(_carry_out(task, progress))
    except MemoryError:
        return Report(failure=TOO_LARGE)
    except (BrokenExport, WrongDestination) as error:
        return Report(failure=storable(str(error)))
    except Busy:
        return Report(obstacle=ANOTHER_RUNS)
    except ClaimLost:
        return Report(obstacle=CLAIM_LOST)
    except Exception as error:
        if is_out_of_room(error) or is_connection_error(error):
            return Report(obstacle=NO_ROOM if is_out_of_room(error) else NO_CONNECTION, error=storable(str(error)))
        obstacle = CONFLICT if isinstance(error, TransactionRollbackError) else None
        return Report(obstacle=obstacle, error=type(error).__name__, trace=storable(traceback.format_exc()))


async def _carry_out(task: Task, progress: Progress) -> Report:
    where = (task.server, task.job, Path(task.path), task.now, progress)
    if task.job.status == ImportStatus.CHECKING:
        return Report(checked=await check_file(*where))
    return Report(counters=await import_file(*where))


def _stop_at_end_of_input(progress: Progress) -> None:
    while os.read(sys.stdin.fileno(), 1):  # not by sys.stdin, whose lock would be held at the end of the process
        pass
    progress.stopped.set()


def _write(report: Report) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

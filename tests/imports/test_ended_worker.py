"""Even if the worker of an import ends, each message is there once."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from atrium.imports.jobs import LEASE
from atrium.kit.settings import Settings
from tests.imports.harness import importer
from tests.imports.jobs import COUNT, PAUSED, export, in_the_middle, read, upload_and_start, written_rows
from tests.webhooks.harness import Harness, with_harness


def outcome_of(settings: Settings, path: Path, act: Callable[[Harness, str], Awaitable[None]]) -> tuple[Any, Any]:
    """Import a file with a new harness, in which `act` runs it; return the import and its messages."""
    found = list[Any]()

    async def example(harness: Harness) -> None:
        url = await upload_and_start(harness, path)
        await act(harness, url)
        found.extend((await read(harness, url), await written_rows(harness)))

    with_harness(settings, example)
    return found[0], found[1]


async def run_to_the_end(harness: Harness, _: str) -> None:
    async with importer(harness) as worker:
        assert await worker.run_next()
        assert not await worker.run_next()


async def kill_session(harness: Harness, _: str) -> None:
    await harness.db.execute(PAUSED)
    await harness.db.execute("select pg_advisory_lock(17)")
    async with importer(harness) as worker, importer(harness) as other:
        running = asyncio.create_task(worker.run_next())
        await harness.db.execute("select pg_terminate_backend($1)", await in_the_middle(harness))
        [ended] = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(ended, Exception)
        await harness.db.execute("select pg_advisory_unlock(17)")
        assert not await other.run_next()  # the lease of the first
        harness.clock.at += LEASE
        assert await other.run_next()


async def overtake(harness: Harness, _: str) -> None:
    """The lease expires in the middle of a batch: the first worker must not write it."""
    await harness.db.execute(PAUSED)
    await harness.db.execute("select pg_advisory_lock(17)")
    async with importer(harness) as worker:
        running = asyncio.create_task(worker.run_next())
        await in_the_middle(harness)
        before = len(await written_rows(harness))
        # As another worker's claim: the import of the first holds its row until its transaction ends.
        claiming = asyncio.create_task(_claim_by_another(harness))
        await harness.db.execute("select pg_advisory_unlock(17)")
        await claiming
        assert await running
        assert len(await written_rows(harness)) <= before + 1000
        harness.clock.at += LEASE
        assert await worker.run_next()


async def _claim_by_another(harness: Harness) -> None:
    db = await asyncpg.connect(harness.settings.database_url)
    await db.execute("update imports set claim = gen_random_uuid(), due_at = $1", harness.clock() + LEASE)
    await db.close()


async def stop(harness: Harness, url: str) -> None:
    await harness.db.execute(PAUSED)
    await harness.db.execute("select pg_advisory_lock(17)")
    async with importer(harness) as worker:
        running = asyncio.create_task(worker.run_next())
        await in_the_middle(harness)
        running.cancel()
        await asyncio.sleep(0)
        await harness.db.execute("select pg_advisory_unlock(17)")
        await asyncio.gather(running, return_exceptions=True)
        assert (await read(harness, url))["status"] == "importing"
        assert await worker.run_next()  # without waiting for a lease


@pytest.mark.contract("Messages and blocks 26")
def test_an_import_whose_worker_ends_has_exactly_the_same_result(settings: Settings, tmp_path: Path) -> None:
    path = export(tmp_path)
    shown, messages = outcome_of(settings, path, run_to_the_end)
    assert (shown["status"], shown["added"]["messages"], len(messages)) == ("done", {"new": COUNT, "known": 0}, COUNT)
    for disturbed in (kill_session, overtake, stop):
        again, others = outcome_of(settings, path, disturbed)
        assert others == messages, disturbed.__name__
        for name in ("status", "found", "added", "reason"):
            assert again[name] == shown[name], (disturbed.__name__, name)

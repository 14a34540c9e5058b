"""The worker's imports: even if a worker dies, each message is there once."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from atrium.imports.jobs import ABANDONED, LEASE, MAX_ATTEMPTS, NO_ROOM, PAUSES, STOPPED_REPEATEDLY
from atrium.kit.postgres import locks
from atrium.kit.settings import Settings
from tests.faults.no_room import database_to_fill
from tests.imports.export import GENERAL, slack_message, write_zip
from tests.imports.harness import importer, upload_async
from tests.imports.jobs import COUNT, export, read, started
from tests.webhooks.harness import Harness, with_harness

# What an import writes, without ids of people and rooms, which differ between two imports.
WRITTEN = """
select r.name as room, m.sent_at, m.text, m.reply_count, m.last_reply_at, m.reactions::text, a.name,
       root.sent_at as root_at
from messages m join rooms r using (room_id) join actors a on a.actor_id = m.user_id
left join messages root on root.room_id = m.room_id and root.message_id = m.thread_root_id
where r.space_id = $1 order by r.name, m.sent_at, m.message_id
"""
# The next transaction of an import that records its counters for the third time waits for this lock.
PAUSED = """
create function pause() returns trigger language plpgsql as $$
begin
    if (new.counters->'messages'->>'added')::int > 2000 then perform pg_advisory_xact_lock(17); end if;
    return new;
end $$;
create trigger pause before update of counters on imports for each row execute function pause();
"""
WAITING = "select pid from pg_locks where locktype = 'advisory' and objid = 17 and not granted"


async def written(harness: Harness) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await harness.db.fetch(WRITTEN, UUID(harness.made["space_id"]))]


def outcome_of(settings: Settings, path: Path, act: Callable[[Harness, str], Awaitable[None]]) -> tuple[Any, Any]:
    """Import a file with a new harness, in which `act` runs it; return the import and what it wrote."""
    found = list[Any]()

    async def example(harness: Harness) -> None:
        url = await started(harness, path)
        await act(harness, url)
        found.extend((await read(harness, url), await written(harness)))

    with_harness(settings, example)
    return found[0], found[1]


async def undisturbed(harness: Harness, _: str) -> None:
    async with importer(harness) as worker:
        assert await worker.run_next()
        assert not await worker.run_next()


async def in_the_middle(harness: Harness) -> int:
    """Wait until an import is in the transaction of its third batch; return the process id of its session."""
    async with asyncio.timeout(60):
        while (pid := await harness.db.fetchval(WAITING)) is None:
            await asyncio.sleep(0.01)
    return int(pid)


async def killed(harness: Harness, _: str) -> None:
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


async def overtaken(harness: Harness, _: str) -> None:
    """The lease expires in the middle of a batch: the first worker must not write it."""
    await harness.db.execute(PAUSED)
    await harness.db.execute("select pg_advisory_lock(17)")
    async with importer(harness) as worker:
        running = asyncio.create_task(worker.run_next())
        await in_the_middle(harness)
        before = len(await written(harness))
        # As another worker's claim: the import of the first holds its row until its transaction ends.
        claiming = asyncio.create_task(_claim_by_another(harness))
        await harness.db.execute("select pg_advisory_unlock(17)")
        await claiming
        assert await running
        assert len(await written(harness)) <= before + 1000
        harness.clock.at += LEASE
        assert await worker.run_next()


async def _claim_by_another(harness: Harness) -> None:
    import asyncpg  # noqa: PLC0415

    db = await asyncpg.connect(harness.settings.database_url)
    await db.execute("update imports set claim = gen_random_uuid(), due_at = $1", harness.clock() + LEASE)
    await db.close()


async def stopped(harness: Harness, url: str) -> None:
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


def test_an_import_whose_worker_ends_has_exactly_the_same_result(settings: Settings, tmp_path: Path) -> None:
    path = export(tmp_path)
    shown, messages = outcome_of(settings, path, undisturbed)
    assert (shown["status"], shown["added"]["messages"], len(messages)) == ("done", {"new": COUNT, "known": 0}, COUNT)
    for disturbed in (killed, overtaken, stopped):
        again, others = outcome_of(settings, path, disturbed)
        assert others == messages, disturbed.__name__
        for name in ("status", "found", "added", "reason"):
            assert again[name] == shown[name], (disturbed.__name__, name)


def test_a_canceled_import_stops_with_its_batch_and_writes_nothing_more(settings: Settings, tmp_path: Path) -> None:
    path = export(tmp_path)

    async def example(harness: Harness) -> None:
        url = await started(harness, path)
        await harness.db.execute(PAUSED)
        await harness.db.execute("select pg_advisory_lock(17)")
        async with importer(harness) as worker:
            running = asyncio.create_task(worker.run_next())
            await in_the_middle(harness)
            canceling = asyncio.create_task(harness.client.delete(url))
            await harness.db.execute("select pg_advisory_unlock(17)")
            assert (await canceling).status_code == 204
            assert await running
            there = await written(harness)
            assert 2000 <= len(there) < COUNT
            shown = await read(harness, url)
            assert (shown["status"], shown["added"]["messages"]["new"]) == ("canceled", len(there))
            harness.clock.at += timedelta(days=2)
            assert not await worker.run_next()
        dropped = await harness.db.fetchval("select object from dropped_objects")
        assert str(dropped) == shown["import_id"]

    with_harness(settings, example)


def test_an_import_that_nobody_continues_ends_after_a_day(settings: Settings, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"general/2017-07-14.json": [slack_message(1)]}, channels=[GENERAL])

    async def example(harness: Harness) -> None:
        url = await upload_async(harness, path)
        async with importer(harness) as worker:
            assert await worker.run_next()
            assert (await read(harness, url))["status"] == "ready"
            harness.clock.at += timedelta(hours=23)
            assert not await worker.run_next()
            harness.clock.at += timedelta(hours=1)
            assert await worker.run_next()
        shown = await read(harness, url)
        assert (shown["status"], shown["reason"]) == ("failed", ABANDONED["ready"])  # type: ignore[index]

    with_harness(settings, example)


def test_an_import_that_ends_its_worker_each_time_fails(settings: Settings, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"general/2017-07-14.json": [slack_message(1)]}, channels=[GENERAL])

    async def example(harness: Harness) -> None:
        url = await upload_async(harness, path)
        await harness.db.execute("update imports set attempts = $1", MAX_ATTEMPTS)
        async with importer(harness) as worker:
            assert await worker.run_next()
        shown = await read(harness, url)
        assert (shown["status"], shown["reason"]) == ("failed", STOPPED_REPEATEDLY)

    with_harness(settings, example)


def test_an_import_waits_for_room_as_long_as_it_takes(settings: Settings, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"general/2017-07-14.json": [slack_message(1)]}, channels=[GENERAL])

    async def example(harness: Harness) -> None:
        url = await started(harness, path)
        with database_to_fill(harness.settings.database_url or "", "messages") as database:
            database.fill()
            async with importer(harness) as worker:
                for _ in range(MAX_ATTEMPTS + 1):
                    assert await worker.run_next()
                    shown = await read(harness, url)
                    assert (shown["status"], shown["reason"]) == ("importing", NO_ROOM)
                    assert not await worker.run_next()
                    harness.clock.at += PAUSES[-1]
                database.make_room()
                assert await worker.run_next()
        shown = await read(harness, url)
        assert (shown["status"], shown["added"]["messages"]["new"]) == ("done", 1)

    with_harness(settings, example)


def test_an_import_waits_for_another_one(settings: Settings, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"general/2017-07-14.json": [slack_message(1)]}, channels=[GENERAL])

    async def example(harness: Harness) -> None:
        url = await started(harness, path)
        lock = "select {}($1, hashtext($2::uuid::text))"
        organization_id = UUID(harness.made["organization_id"])
        await harness.db.execute(lock.format("pg_advisory_lock"), locks.IMPORT, organization_id)
        async with importer(harness) as worker:
            for _ in range(MAX_ATTEMPTS + 2):
                assert await worker.run_next()
                assert (await read(harness, url))["reason"] == "Waiting for another import into this organization."
                assert not await worker.run_next()
                harness.clock.at += timedelta(seconds=10)
            await harness.db.execute(lock.format("pg_advisory_unlock"), locks.IMPORT, organization_id)
            assert await worker.run_next()
        shown = await read(harness, url)
        assert (shown["status"], shown["reason"]) == ("done", None)

    with_harness(settings, example)

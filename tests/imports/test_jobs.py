"""The worker's imports: they are canceled, wait for each other and for room, and give up."""

import asyncio
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from atrium.imports.jobs import ABANDONED, MAX_ATTEMPTS, NO_ROOM, PAUSES, STOPPED_REPEATEDLY
from atrium.kit.postgres import locks
from atrium.kit.settings import Settings
from tests.faults.no_room import database_to_fill
from tests.imports.export import GENERAL, slack_message, write_zip
from tests.imports.harness import importer, upload_async
from tests.imports.jobs import COUNT, PAUSED, export, in_the_middle, read, upload_and_start, written_rows
from tests.webhooks.harness import Harness, with_harness


@pytest.mark.contract("Messages and blocks 33")
def test_a_canceled_import_stops_with_its_batch_and_writes_nothing_more(settings: Settings, tmp_path: Path) -> None:
    path = export(tmp_path)

    async def example(harness: Harness) -> None:
        url = await upload_and_start(harness, path)
        await harness.db.execute(PAUSED)
        await harness.db.execute("select pg_advisory_lock(17)")
        async with importer(harness) as worker:
            running = asyncio.create_task(worker.run_next())
            await in_the_middle(harness)
            canceling = asyncio.create_task(harness.client.delete(url))
            await harness.db.execute("select pg_advisory_unlock(17)")
            assert (await canceling).status_code == 204
            assert await running
            there = await written_rows(harness)
            assert 2000 <= len(there) < COUNT
            shown = await read(harness, url)
            assert (shown["status"], shown["added"]["messages"]["new"]) == ("canceled", len(there))
            harness.clock.at += timedelta(days=2)
            assert not await worker.run_next()
        dropped = await harness.db.fetchval("select object from dropped_objects")
        assert str(dropped) == shown["import_id"]

    with_harness(settings, example)


@pytest.mark.contract("Messages and blocks 33")
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


@pytest.mark.contract("Messages and blocks 26")
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


@pytest.mark.contract("Crashes and restarts 7")
def test_an_import_waits_for_room_as_long_as_it_takes(settings: Settings, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"general/2017-07-14.json": [slack_message(1)]}, channels=[GENERAL])

    async def example(harness: Harness) -> None:
        url = await upload_and_start(harness, path)
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


@pytest.mark.contract("Messages and blocks 26")
def test_an_import_waits_for_another_one(settings: Settings, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"general/2017-07-14.json": [slack_message(1)]}, channels=[GENERAL])

    async def example(harness: Harness) -> None:
        url = await upload_and_start(harness, path)
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

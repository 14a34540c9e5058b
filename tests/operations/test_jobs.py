"""Each job of the worker gets through three times what it takes in one go, through nothing, and past what fails."""

import ast
import asyncio
import inspect
import os
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from atrium import worker
from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.cleanup import actions
from atrium.kit.postgres.database import open_pool
from atrium.kit.settings import Settings
from atrium.kit.storage import StorageUnavailable, open_storage
from tests.conftest import fresh_database
from tests.messages.small_cache import SMALL_CACHE
from tests.operations.jobs import CHORES, CLEANUP, ELSEWHERE, NOW, Job, Work

REPOSITORY = Path(__file__).parents[2]
JOBS = {**CLEANUP, **CHORES}
REMOVE_BY_CLOCK = "insert into removal (until) values ('infinity')"
# What worker.py uses, but is no job.
HELPERS = {
    "_chores", "following", "metrics_port", "open_pool", "open_storage", "run_every", "show_connections",
    "Pool", "Settings", "utc_now", "Clock", "_cleanup",
}  # fmt: skip


@pytest.fixture
def own(settings: Settings) -> Iterator[Settings]:
    with fresh_database(settings) as made:
        yield made.with_changes(audit_retention=timedelta(days=30))


def run(settings: Settings, act: Callable[[Work], Awaitable[None]]) -> None:
    """Run the steps of a test with an organization, and no worker."""

    async def within() -> None:
        db = await asyncpg.connect(settings.database_url)
        async with db.transaction():
            made = await set_up(db, "", organization="Acme", email="ada@example.org", name="Ada", now=NOW)
        await db.execute(REMOVE_BY_CLOCK)
        await db.execute(SMALL_CACHE)
        await db.close()
        async with await open_pool(settings.database_url or "", size=2) as pool:
            await act(Work(settings, pool, made))

    asyncio.run(within())


@pytest.mark.contract("Messages and blocks 6")
@pytest.mark.parametrize("name", JOBS)
def test_a_job_does_three_times_what_it_takes_in_one_go_and_nothing_twice(own: Settings, name: str) -> None:
    async def act(work: Work) -> None:
        job: Job = JOBS[name]
        before = await work.pool.fetchval(job.left)
        await job.run(work)
        assert await work.pool.fetchval(job.left) == before == 0, "there is nothing to do"
        await work.pool.execute(job.fill, job.rows)
        assert await work.pool.fetchval(job.left) >= min(job.rows, 3)
        for _ in range(2):
            await job.run(work)
            assert await work.pool.fetchval(job.left) == 0

    run(own, act)


@pytest.mark.contract("Messages and blocks 6")
@pytest.mark.parametrize("name", [name for name, job in JOBS.items() if job.stuck])
def test_a_row_that_fails_does_not_keep_the_others(own: Settings, name: str) -> None:
    async def act(work: Work) -> None:
        job: Job = JOBS[name]
        await work.pool.execute(job.fill, job.rows)
        await work.pool.execute(job.stuck or "")
        for _ in range(2):
            await job.run(work)
            assert await work.pool.fetchval(job.left) == 1

    run(own, act)


@pytest.mark.contract("Messages and blocks 6")
def test_a_job_that_fails_does_not_keep_the_others(own: Settings) -> None:
    """The first of the cleanup fails; each of the others is done."""

    async def act(work: Work) -> None:
        later = [job for name, job in CLEANUP.items() if name != "delete_old_mail"]
        for job in later:
            await work.pool.execute(job.fill, 3)
        await work.pool.execute("alter table mails rename to letters")
        await work.clean_up()
        assert [await work.pool.fetchval(job.left) for job in later] == [0] * len(later)

    run(own, act)


@pytest.mark.contract("Messages and blocks 6")
def test_media_that_the_storage_refuses_does_not_keep_other_media(own: Settings) -> None:
    """It is put off, and the others are removed."""

    async def act(work: Work) -> None:
        job = CLEANUP["remove_dropped"]
        await work.pool.execute(job.fill, job.rows)
        refused = await work.pool.fetchval("select object from dropped_objects order by dropped_at, object limit 1")
        folder = work.settings.data_dir / "media" / str(refused)
        folder.mkdir(parents=True)
        (folder / os.fsdecode(b"\xff")).touch()  # a name that the storage cannot read
        with pytest.raises(StorageUnavailable):
            await open_storage(work.settings).delete(str(refused))
        for _ in range(2):
            await work.clean_up()
            assert [row["object"] for row in await work.pool.fetch("select object from dropped_objects")] == [refused]

    run(own, act)


@pytest.mark.contract("Messages and blocks 6")
def test_a_transcript_that_cannot_be_indexed_does_not_keep_the_others(own: Settings) -> None:
    """It is left out, until its next version."""

    async def act(work: Work) -> None:
        job = CHORES["index_transcripts"]
        await work.pool.execute(job.fill, job.rows)
        await work.pool.execute(
            "update transcript_versions set segments = 'x' where room_id in (select min(room_id::text)::uuid from rooms where name like 'job %')"
        )
        for _ in range(2):
            await job.run(work)
            assert await work.pool.fetchval("select count(*) from transcript_search") == job.rows - 1
            assert await work.pool.fetchval(job.left) == 0

    run(own, act)


@pytest.mark.contract("Messages and blocks 6")
def test_a_partition_in_use_does_not_keep_the_others(own: Settings) -> None:
    async def act(work: Work) -> None:
        job = CHORES["maintain_partitions"]
        await work.pool.execute(job.fill, job.rows)
        async with work.pool.acquire() as reader, reader.transaction():
            await reader.execute("select from deliveries_20260101")
            await job.run(work)
            assert await work.pool.fetchval(job.left) == 1
        await job.run(work)
        assert await work.pool.fetchval(job.left) == 0

    run(own, act)


@pytest.mark.contract("Messages and blocks 6")
def test_each_job_is_here() -> None:
    """A job that worker.py or the cleanup starts needs a row in jobs.py."""
    assert set(CLEANUP) == set(_names_of(actions._tasks))
    started = _used_names(worker.run_worker) | _used_names(worker._chores)
    assert started - HELPERS == {*CHORES, *ELSEWHERE}
    for test in (test for tests in ELSEWHERE.values() for test in tests):
        path, _, name = test.partition("::")
        assert f"def {name}(" in (REPOSITORY / path).read_text()


def _names_of(tasks: Callable[..., Any]) -> Iterator[str]:
    """Yield the name that each task executes or calls: a statement, or a function of its own."""
    for node in ast.walk(ast.parse(inspect.getsource(tasks))):
        if isinstance(node, ast.Yield):
            statements = [
                ast.unparse(each)
                for each in ast.walk(node)
                if isinstance(each, ast.Attribute) and each.attr.isupper() and each.attr != "RETENTION"
            ]
            assert isinstance(node.value, ast.Call)
            yield statements[0] if statements else ast.unparse(node.value.args[0])


def _used_names(function: Callable[..., Any]) -> set[str]:
    """Return the functions and classes of Atrium that a function of the worker uses."""
    names = {node.id for node in ast.walk(ast.parse(inspect.getsource(function))) if isinstance(node, ast.Name)}
    return {name for name in names if getattr(vars(worker).get(name), "__module__", "").startswith("atrium")}

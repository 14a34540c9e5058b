"""In a batch every request gets its own answer or error, and none waits forever."""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.kit.postgres.batching import Batcher, ResultRow, by_statement
from atrium.kit.postgres.database import Pool, is_connection_error, open_pool
from atrium.kit.settings import Settings

# Returns ten times a number, slowly on request; divides by it, so that 0 fails in the database.
STATEMENT = """
select array_agg(ask.number order by nr), array_agg(10 * ask.number order by nr), array_agg($3::int order by nr),
       array_agg(1 / ask.number order by nr) as fails_at_zero, array_agg(pg_sleep(ask.pause)::text order by nr)
from unnest($1::int[], $2::float8[]) with ordinality as ask (number, pause, nr)
"""
Ask = tuple[int, float]
NUMBER, TENFOLD, TAIL = range(3)


def in_pool(settings: Settings, act: Callable[[Pool], Awaitable[None]], size: int = 2) -> None:
    async def example() -> None:
        pool = await open_pool(settings.database_url or "", size=size)
        try:
            async with asyncio.timeout(60):
                await act(pool)
        finally:
            await pool.close()

    asyncio.run(example())


@given(
    arrivals=st.lists(st.lists(st.integers(0, 9), max_size=12), min_size=1, max_size=6),
    max_batch_size=st.integers(1, 5),
    max_concurrent_batches=st.integers(1, 3),
    cancelled=st.sets(st.integers(0, 30), max_size=6),
)
@runs(max_examples=60, deadline=None)
def test_every_request_gets_its_own_answer_or_error_in_any_order(
    settings: Settings, arrivals: list[list[int]], max_batch_size: int, max_concurrent_batches: int, cancelled: set[int]
) -> None:
    """0 fails in the database, a number above 2^31 already in the driver (7 stands for one)."""

    async def act(pool: Pool) -> None:
        batcher = Batcher[Ask](
            "a test",
            pool,
            by_statement(STATEMENT, lambda: (42,)),
            max_batch_size=max_batch_size,
            max_concurrent_batches=max_concurrent_batches,
        )
        tasks: list[tuple[int, asyncio.Task[ResultRow]]] = []
        for wave in arrivals:
            asks = [1 << 40 if number == 7 else number for number in wave]
            tasks += [(ask, asyncio.create_task(batcher.run((ask, 0.0)))) for ask in asks]
            for nr in cancelled & set(range(len(tasks))):
                tasks[nr][1].cancel()
            await asyncio.sleep(0.001)
        answers = await asyncio.gather(*(task for _, task in tasks), return_exceptions=True)
        for (ask, task), answer in zip(tasks, answers, strict=True):
            if task.cancelled():
                continue
            if ask == 0:
                assert isinstance(answer, asyncpg.DivisionByZeroError)
            elif ask > 9:
                assert isinstance(answer, asyncpg.DataError)
            else:
                assert isinstance(answer, tuple)
                assert answer[:3] == (ask, 10 * ask, 42)
        assert (await batcher.run((3, 0.0)))[TENFOLD] == 30, "the queue goes on"

    in_pool(settings, act, size=3)


def test_requests_that_wait_for_a_busy_lane_are_batched(settings: Settings) -> None:
    async def act(pool: Pool) -> None:
        tails: list[int] = []

        def tail() -> tuple[int]:
            tails.append(len(tails))
            return (tails[-1],)

        batcher = Batcher[Ask](
            "a test", pool, by_statement(STATEMENT, tail), max_batch_size=4, max_concurrent_batches=1
        )
        first = asyncio.create_task(batcher.run((1, 0.2)))
        while not tails:  # it is running
            await asyncio.sleep(0.001)
        answers = await asyncio.gather(first, *(batcher.run((number, 0.0)) for number in range(2, 8)))
        assert [answer[TAIL] for answer in answers] == [0, 1, 1, 1, 1, 2, 2]

    in_pool(settings, act)


def test_nothing_is_rerun_on_a_broken_connection_and_the_next_one_serves(settings: Settings) -> None:
    """Requests before the break may have been executed; nobody can tell, so none is repeated."""

    async def act(pool: Pool) -> None:
        batcher = Batcher[Ask](
            "a test", pool, by_statement(STATEMENT, lambda: (0,)), max_batch_size=8, max_concurrent_batches=1
        )
        waiting = [asyncio.create_task(batcher.run((1, 30.0))) for _ in range(5)]
        killer = await asyncpg.connect(settings.database_url)
        sleeping = (
            "select pg_terminate_backend(pid) from pg_stat_activity where query like '%fails_at_zero%' and pid <> $1"
        )
        while not await killer.fetch(sleeping, killer.get_server_pid()):
            await asyncio.sleep(0.02)
        await asyncio.sleep(0)
        late = asyncio.create_task(batcher.run((5, 0.0)))
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(answer, Exception) and is_connection_error(answer) for answer in answers), answers
        assert (await late)[TENFOLD] == 50
        left = await killer.fetchval("select count(*) from pg_stat_activity where wait_event = 'PgSleep'")
        assert left == 0
        await killer.close()

    in_pool(settings, act)


def test_without_a_connection_every_request_fails_and_later_ones_are_served(settings: Settings) -> None:
    async def act(pool: Pool) -> None:
        answers: list[BaseException | ResultRow] = []
        nowhere = await open_pool("postgresql://postgres@/nowhere?host=/tmp/there-is-no-such-folder", size=2)
        batcher = Batcher[Ask](
            "a test", nowhere, by_statement(STATEMENT, lambda: (0,)), max_batch_size=2, max_concurrent_batches=1
        )
        for _ in range(2):
            answers = await asyncio.gather(*(batcher.run((n, 0.0)) for n in range(9)), return_exceptions=True)
            assert all(isinstance(answer, OSError) and is_connection_error(answer) for answer in answers), answers
        await nowhere.close()

    in_pool(settings, act)


@pytest.mark.parametrize("max_batch_size", [1, 8])
def test_requests_that_conflict_with_a_concurrent_commit_see_it_when_rerun(
    settings: Settings, max_batch_size: int
) -> None:
    """Of two concurrent statements that insert the same unique value, the later one runs again and finds it."""
    statement = """
    with sought as materialized (
        select ask.name, ask.nr, seen.scope_id from unnest($1::text[]) with ordinality as ask (name, nr)
        left join idempotency_keys seen on seen.key = ask.name and seen.route = 'a test'
    ), slow as materialized (select pg_sleep(0.02)), made as (
        insert into idempotency_keys (scope_id, actor_id, route, key, body_hash, created_at)
        select $2::uuid, $2::uuid, 'a test', name, '', now() from sought, slow where scope_id is null
    ) select array_agg(name order by nr), array_agg(scope_id is null order by nr) from sought
    """

    async def act(pool: Pool) -> None:
        await pool.execute("delete from idempotency_keys where route = 'a test'")
        nil = "00000000-0000-0000-0000-000000000000"
        batchers = [
            Batcher[tuple[str]](
                "a test",
                pool,
                by_statement(statement, lambda: (nil,)),
                max_batch_size=max_batch_size,
                max_concurrent_batches=2,
            )
            for _ in range(2)
        ]
        waiting = [batchers[n % 2].run((f"key {n % 3}",)) for n in range(18)]
        answers = await asyncio.gather(*waiting)
        assert [name for name, _ in answers] == [f"key {n % 3}" for n in range(18)]
        assert sum(new for _, new in answers) == 3

    in_pool(settings, act, size=4)

"""The index is complete, with any number of writers and workers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.kit.clock import utc_now
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Pool, open_pool
from atrium.search.indexing import BYTES_PER_BATCH, apply_languages, index_batch, index_from, purge
from tests.conftest import own_postgres

ENGLISH = ("english",)
SEND = """
with minted as (select id_at((1700000000000 + nr) << 12) as id from generate_series(1, $2::int) nr), sent as (
    insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
    select $1, id, $3, 'person', $4, now() from minted returning message_id)
update room_heads set last_message_id = greatest(last_message_id, (select message_id from sent order by message_id desc limit 1)) where room_id = $1
"""
INDEXED = "select count(*) from message_search where document @@ $1::text::tsquery"


class Harness:
    """A database without a server, and a room in it."""

    def __init__(self, pool: Pool, ids: dict[str, str]) -> None:
        self.pool, self.room, self.person = pool, UUID(ids["room_id"]), UUID(ids["person_id"])

    async def send(self, count: int, text: str) -> None:
        await self.pool.execute(SEND, self.room, count, self.person, text)

    async def index(self, languages: tuple[str, ...] = ENGLISH) -> None:
        while await index_batch(self.pool, languages):
            pass

    async def count_indexed(self, words: str) -> Any:
        return await self.pool.fetchval(INDEXED, words)


@asynccontextmanager
async def running_harness(url: str) -> AsyncIterator[Harness]:
    pool = await open_pool(url, size=6)
    try:
        async with pool.acquire() as db, db.transaction():
            await db.execute(
                "truncate messages, message_search, search_heads, room_heads, organizations, actors cascade"
            )
            ids = await set_up(db, "", organization="A", email="a@example.org", name="Ada", now=utc_now())
        yield Harness(pool, ids)
    finally:
        await pool.close()


@pytest.fixture(scope="module")
def run_steps() -> Any:
    """Return a function that runs a test's steps in a database that no server's worker indexes."""
    with own_postgres() as made:

        def run(act: Callable[[Harness], Awaitable[None]]) -> None:
            async def within() -> None:
                async with running_harness(made.database_url or "") as harness:
                    await act(harness)

            asyncio.run(within())

        yield run


def test_several_workers_index_each_message_once(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await harness.send(1500, "engine")
        await asyncio.gather(*(harness.index() for _ in range(4)))
        await harness.index()
        assert await harness.count_indexed("'engine'") == 1500

    run_steps(act)


def test_messages_imported_below_the_index_mark_are_indexed(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await harness.send(10, "newer")
        await harness.index()
        old = UUID("01700000-0000-7000-8000-000000000001")
        async with harness.pool.acquire() as db, db.transaction():
            await db.execute(
                "insert into messages (room_id, message_id, user_id, sender_type, text, sent_at) "
                "values ($1, $2, $3, 'person', 'older', now())",
                harness.room,
                old,
                harness.person,
            )
            await index_from(db, harness.room, old)
        await harness.index()
        assert (await harness.count_indexed("'older'"), await harness.count_indexed("'newer'")) == (1, 10)

    run_steps(act)


@pytest.mark.contract("Search and unread state 9")
def test_a_change_of_languages_rewrites_every_document(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await apply_languages(harness.pool, ENGLISH)
        await harness.send(600, "running Hauser")
        await harness.index()
        assert (await harness.count_indexed("'Srun'"), await harness.count_indexed("'Shaus'")) == (600, 0)
        await apply_languages(harness.pool, ("german",))
        assert await harness.count_indexed("'running'") == 600
        await harness.index(("german",))
        assert (await harness.count_indexed("'Srun'"), await harness.count_indexed("'Shaus'")) == (0, 600)
        await apply_languages(harness.pool, ("german",))
        assert await index_batch(harness.pool, ("german",)) == 0

    run_steps(act)


@pytest.mark.contract("Search and unread state 7")
def test_documents_of_another_folding_are_written_again(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await apply_languages(harness.pool, ENGLISH)
        await harness.send(3, "مُحَمَّد")
        await harness.index()
        await harness.pool.execute("update search_generation set folding = 1")  # as an earlier release left it
        await harness.pool.execute("update message_search set document = $$old$$::tsvector")
        await apply_languages(harness.pool, ENGLISH)
        await harness.index()
        assert (await harness.count_indexed("'old'"), await harness.count_indexed("'محمد'")) == (0, 3)
        await apply_languages(harness.pool, ENGLISH)
        assert await index_batch(harness.pool, ENGLISH) == 0

    run_steps(act)


def test_tombstones_are_skipped_and_an_empty_room_is_done(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await harness.send(3, "engine")
        await harness.pool.execute("update messages set deleted_at = now(), text = ''")
        await harness.index()
        assert await harness.count_indexed("'engine'") == 0
        await harness.send(3, "gone")
        await harness.pool.execute("delete from messages")
        await harness.index()

    run_steps(act)


def test_the_documents_of_deleted_rooms_are_dropped(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await harness.send(3, "engine")
        await harness.index()
        await harness.pool.execute("update rooms set deleted_at = $2 where room_id = $1", harness.room, utc_now())
        await purge(harness.pool, utc_now())
        await purge(harness.pool, utc_now())
        assert await harness.pool.fetchval("select count(*) from message_search") == 0

    run_steps(act)


def test_a_new_room_has_its_own_index_mark(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        room = new_id(utc_now())
        await harness.pool.execute("insert into room_heads (room_id, last_seq) values ($1, 0)", room)
        assert await harness.pool.fetchval("select count(*) from search_heads where room_id = $1", room) == 1

    run_steps(act)


@pytest.mark.contract("Messages and blocks 21")
def test_a_batch_is_bounded_by_bytes(run_steps: Any) -> None:
    async def act(harness: Harness) -> None:
        await harness.send(9, "large " * (BYTES_PER_BATCH // 3 // 6))
        counts = []
        while await index_batch(harness.pool, ENGLISH):
            counts.append(await harness.count_indexed("large"))
        assert counts[-1] == 9 and counts[:2] == [3, 6], counts

    run_steps(act)

"""Older messages are moved next to those of their room, and nobody notices."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from atrium.kit.clock import utc_now
from atrium.kit.postgres.database import Pool, open_pool
from atrium.messages import packing
from atrium.messages.packing_queries import BEGIN
from tests.conftest import Api, fresh_database, new_organization, running_server
from tests.messages.concurrent import callers, send
from tests.messages.small_cache import SMALL_CACHE

ROOMS, FEW, MESSAGES, PAGE, CALLERS = 40, 3, 100, 50, 16
LATER = timedelta(hours=1)
SENT_IN_TURN = """
insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
select room_id::uuid, id_at(((extract(epoch from now())::bigint * 1000 + 40 * i + nr) << 12)), $2, 'person',
       repeat('word ', 40), now()
from generate_series(1, $3::int) i, unnest($1::text[]) with ordinality as room (room_id, nr) order by i, nr
"""
HEADS = """
update room_heads h set last_message_id = (
    select message_id from messages m where m.room_id = h.room_id order by message_id desc limit 1)
"""
PLACES = """
select count(distinct split_part(ctid::text, ',', 1)) from (
    select ctid from messages where room_id = $1::text::uuid order by message_id desc limit $2) page
"""
CONTENT = "select md5(string_agg(rendered, '' order by room_id, message_id)) from messages"
CHANGES = "select count(*) from room_changes"
UNMOVED = "select count(*) from messages where packed is null"


@pytest.fixture(scope="module")
def own(settings: Any) -> Iterator[Api]:
    """Yield an organization in a database of its own. No server runs: its worker would pack, too, and only one can."""
    with fresh_database(settings) as its_own:
        api = new_organization(its_own, f"http://127.0.0.1:{its_own.port}")
        api.sql(SMALL_CACHE)
        yield api
        api.close()


@pytest.fixture(scope="module")
def rooms(own: Api) -> list[str]:
    with running_server(own.settings):
        return [own.new_room()["room_id"] for _ in range(ROOMS)]


def run(api: Api, act: Callable[[Pool], Awaitable[None]]) -> None:
    """Run the steps of a test with a pool; the first window begins at the start."""

    async def within() -> None:
        pool = await open_pool(api.settings.database_url or "", size=4)
        try:
            await pool.execute("truncate messages")
            await pool.execute("update packing set until = 0")
            await act(pool)
        finally:
            await pool.close()

    asyncio.run(within())


async def fill(api: Api, pool: Pool, rooms: list[str], messages: int = MESSAGES) -> None:
    """Send messages to the rooms in turn, as they come in a busy organization."""
    await pool.execute(SENT_IN_TURN, rooms, UUID(api.person_id), messages)
    await pool.execute(HEADS)


def test_a_page_of_a_room_lies_together(own: Api, rooms: list[str]) -> None:
    async def act(pool: Pool) -> None:
        await fill(own, pool, rooms)
        content, changes = await pool.fetchval(CONTENT), await pool.fetchval(CHANGES)
        before = [await pool.fetchval(PLACES, room, PAGE) for room in rooms]
        await packing.pack_history(pool, utc_now() + LATER)
        after = [await pool.fetchval(PLACES, room, PAGE) for room in rooms]
        assert min(before) == PAGE
        assert max(after) <= PAGE * 0.15
        assert (await pool.fetchval(CONTENT), await pool.fetchval(CHANGES)) == (content, changes)

    run(own, act)


def test_a_large_history_is_moved_window_by_window(own: Api, rooms: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "PER_ROOM", 1)
    monkeypatch.setattr(packing, "MOST", 700)
    monkeypatch.setattr(packing, "SLICE", 7)

    async def act(pool: Pool) -> None:
        await fill(own, pool, rooms[:20])
        await packing.pack_history(pool, utc_now() + LATER)
        assert await pool.fetchval(UNMOVED) == 0

    run(own, act)


def test_messages_of_a_table_that_fits_into_memory_stay(own: Api, rooms: list[str]) -> None:
    async def act(pool: Pool) -> None:
        await fill(own, pool, rooms[:FEW])
        pages = await pool.fetchval("select pg_relation_size('messages') / 8192")
        async with pool.acquire() as db:
            for memory, moves in ((pages, False), (pages - 1, True)):
                await db.execute("select set_config('effective_cache_size', $1, false)", str(memory))
                assert (await db.fetchval(BEGIN) is not None) == moves

    run(own, act)


def test_new_messages_and_too_few_of_them_stay(own: Api, rooms: list[str]) -> None:
    async def act(pool: Pool) -> None:
        await fill(own, pool, rooms[:FEW], packing.PER_ROOM)
        await packing.pack_history(pool, utc_now())
        assert await pool.fetchval(UNMOVED) == FEW * packing.PER_ROOM
        await pool.execute("delete from messages where message_id = (select message_id from messages limit 1)")
        await packing.pack_history(pool, utc_now() + LATER)
        assert await pool.fetchval(UNMOVED) == FEW * packing.PER_ROOM - 1
        await fill(own, pool, rooms[:FEW], packing.PER_ROOM)
        await packing.pack_history(pool, utc_now() + 2 * LATER)
        assert await pool.fetchval(UNMOVED) == 0

    run(own, act)


def test_one_worker_moves_at_a_time(own: Api, rooms: list[str]) -> None:
    async def act(pool: Pool) -> None:
        await fill(own, pool, rooms[:FEW])
        async with pool.acquire() as other, other.transaction():
            await other.execute("select from packing for update")
            await packing.pack_history(pool, utc_now() + LATER)
            assert await pool.fetchval(UNMOVED) == FEW * MESSAGES
        await packing.pack_history(pool, utc_now() + LATER)
        assert await pool.fetchval(UNMOVED) == 0

    run(own, act)


def test_it_waits_for_nobody(own: Api, rooms: list[str]) -> None:
    """So it cannot be part of a deadlock: a message that is being changed stays where it is."""

    async def act(pool: Pool) -> None:
        await fill(own, pool, rooms[:FEW])
        async with pool.acquire() as editor, editor.transaction():
            await editor.execute(
                "select from messages where message_id = (select message_id from messages limit 1) for update"
            )
            await asyncio.wait_for(packing.pack_history(pool, utc_now() + LATER), 60)
            assert await pool.fetchval(UNMOVED) == 1

    run(own, act)


def test_what_is_changed_meanwhile_is_kept(own: Api, rooms: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits and replies, while a worker that dies again and again moves the messages."""
    monkeypatch.setattr(packing, "PER_ROOM", 1)
    chance = random.Random(7)

    async def act(pool: Pool) -> None:
        async with callers(own, CALLERS) as clients:
            messages = [await send(clients[0], room) for _ in range(32) for room in rooms[:FEW]]
            done = asyncio.Event()
            mover = asyncio.create_task(_move_until(done, pool, chance))
            expected = await asyncio.gather(
                *(_change(client, messages[nr::CALLERS], random.Random(nr)) for nr, client in enumerate(clients))
            )
            done.set()
            assert await mover > 0
            for message_id, (path, text, replies) in {
                key: each for part in expected for key, each in part.items()
            }.items():
                found = (await clients[0].get(path)).json()
                assert (found["message_id"], found["text"], found["reply_count"]) == (message_id, text, replies)

    with running_server(own.settings):
        run(own, act)


async def _move_until(done: asyncio.Event, pool: Pool, chance: random.Random) -> int:
    """Move all messages over and over, and end in the middle at random. Return how often one pass was whole."""
    whole = 0
    while not done.is_set() or not whole:
        await pool.execute("update packing set until = 0")
        moving = asyncio.create_task(packing.pack_history(pool, utc_now() + LATER))
        await asyncio.wait([moving], timeout=None if done.is_set() else chance.random() * 0.2)
        moving.cancel()
        whole += not isinstance((await asyncio.gather(moving, return_exceptions=True))[0], BaseException)
    return whole


async def _change(
    client: Any, messages: list[dict[str, Any]], chance: random.Random
) -> dict[str, tuple[str, str, int]]:
    """Change messages at random, and return path, text and number of replies as acknowledged."""
    expected = {}
    for message in messages:
        path = f"/v2/rooms/{message['room_id']}/messages/{message['message_id']}"
        text, replies = "m", 0
        for nr in range(6):
            if chance.random() < 0.5:
                text = f"edited {nr}"
                assert (await client.patch(path, json={"text": text})).status_code == 200
            else:
                await send(client, message["room_id"], parent_id=message["message_id"])
                replies += 1
        expected[message["message_id"]] = (path, text, replies)
    return expected

"""Each room is read and written in its own bucket, and a process needs no database to start."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import asyncpg
import psycopg
import pytest

from atrium.buckets import queries
from atrium.buckets.routing import Buckets, using_buckets
from atrium.buckets.transactions import in_bucket, in_each_bucket
from atrium.kit.errors import Unavailable
from atrium.kit.settings import Settings
from tests.conftest import free_port, fresh_database, new_organization, running_server

ROOMS = 6
WAITING = "select count(*) from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"
Act = Callable[[Buckets], Awaitable[None]]


def with_buckets(settings: Settings, act: Act) -> None:
    async def run() -> None:
        async with using_buckets(settings, size=4) as buckets:
            await act(buckets)

    asyncio.run(run())


def test_the_messages_of_a_room_are_in_its_bucket_and_nowhere_else(two_buckets: Settings) -> None:
    with running_server(two_buckets.with_changes(workers=2)) as server:
        api = new_organization(server.settings, server.url)
        rooms = [api.room_id, *(api.new_room()["room_id"] for _ in range(ROOMS - 1))]
        for room in rooms:
            sent = api.person.post(f"/v2/rooms/{room}/messages", json={"text": f"in {room}"})
            assert sent.status_code == 201
            page = api.person.get(f"/v2/rooms/{room}/messages").json()["messages"]
            assert [each["text"] for each in page] == [f"in {room}"]
        api.close()
    with psycopg.connect(two_buckets.database_url or "") as db:
        buckets = {str(room): bucket for room, bucket in db.execute("select room_id, bucket from rooms")}
        assert sorted(buckets.values()) == [0, 0, 0, 1, 1, 1]
        for number, schema in enumerate(("public", "bucket_1")):
            found = db.execute(f"select room_id::text from {schema}.messages".encode()).fetchall()
            assert {room for (room,) in found} == {room for room in rooms if buckets[room] == number}


def test_a_room_that_is_being_moved_is_found_where_it_is_afterwards(two_buckets: Settings) -> None:
    with running_server(two_buckets) as server:
        api = new_organization(server.settings, server.url)
        room = UUID(api.room_id)
        api.close()

    async def act(buckets: Buckets) -> None:
        async with buckets.directory.pool.acquire() as mover:
            async with mover.transaction():
                there = 1 - (await mover.fetchrow(queries.ROOM, room))["bucket"]
                finding = asyncio.create_task(buckets.of_room(room))
                while not await mover.fetchval(WAITING):
                    assert not finding.done()
                    await asyncio.sleep(0.01)
                await mover.execute(queries.MOVE, room, there)
            assert (await finding).number == there

    with_buckets(two_buckets, act)


def test_a_transaction_enters_a_bucket_and_returns(two_buckets: Settings) -> None:
    async def act(buckets: Buckets) -> None:
        async with buckets.directory.pool.acquire() as db, db.transaction():
            before = await db.fetchval("show search_path")
            async with in_bucket(db, 1):
                await db.execute("insert into room_changes values ($1, 1)", uuid4())
            assert await db.fetchval("show search_path") == before
            found = [await db.fetchval("select count(*) from room_changes") async for _ in in_each_bucket(db)]
            assert found == [0, 1]
            with pytest.raises(asyncpg.UniqueViolationError):
                async with db.transaction(), in_bucket(db, 0):
                    for _ in range(2):
                        await db.execute("insert into room_changes values ($1, 1)", UUID(int=1))
            assert await db.fetchval("show search_path") == before

    with_buckets(two_buckets, act)


def test_with_one_bucket_everything_uses_the_same_connections(settings: Settings) -> None:
    async def act(buckets: Buckets) -> None:
        assert await buckets.of_room(uuid4()) is buckets.directory
        assert list(await buckets.all()) == [buckets.directory]
        assert len(buckets.pools) == 1

    with fresh_database(settings) as own:
        with psycopg.connect(own.database_url or "") as db:
            if db.execute("select count(*) from buckets").fetchone() != (1,):
                pytest.skip("the databases of this run have several buckets")
        with_buckets(own, act)


def test_a_process_starts_while_the_database_is_away(settings: Settings) -> None:
    async def act(buckets: Buckets) -> None:
        with pytest.raises(Unavailable):
            await buckets.of_room(uuid4())

    away = f"postgresql://nobody@127.0.0.1:{free_port()}/atrium"
    with_buckets(settings.with_changes(database_url=away), act)

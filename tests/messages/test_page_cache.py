"""A process caches the newest pages of rooms, and a page is always current."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.imports.queries import NOTE_CHANGE
from atrium.kit.clock import from_ms, parse_time, rfc3339, to_ms
from atrium.kit.settings import Settings
from atrium.messages.batches import OVERHEAD, CachedPage, PageCache
from tests.conftest import Api, FakeClock, in_process_client, new_organization

WINDOW = 7_000  # milliseconds
START = to_ms(parse_time("2026-04-01")) // WINDOW * WINDOW
IMPORT = """
insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
select $1, id_at($3::bigint << 12), $2, 'person', 'older', time_of_ms($3) on conflict do nothing
"""
RENDERED_FROM = """
select a.attname from pg_attrdef d join pg_attribute own on own.attrelid = d.adrelid and own.attnum = d.adnum
join pg_depend dep on dep.classid = 'pg_attrdef'::regclass and dep.objid = d.oid and dep.refobjid = d.adrelid
join pg_attribute a on a.attrelid = dep.refobjid and a.attnum = dep.refobjsubid
where d.adrelid = 'messages'::regclass and own.attname = 'rendered' and a.attname <> 'rendered'
"""
COUNTED = """
select a.attname from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr::int2[])
where t.tgname = 'message_changed'
"""


@dataclass
class World:
    """The applications of two processes with one database and clock, and access to the tables."""

    runner: asyncio.Runner
    processes: list[httpx.AsyncClient]
    db: asyncpg.Connection
    clock: FakeClock
    api: Api

    async def new_room(self) -> "Room":
        made = await self.processes[0].post(f"/v2/spaces/{self.api.space_id}/rooms", json={"name": f"room {uuid4()}"})
        return Room(self, made.json()["room_id"], [])


@dataclass
class Room:
    """A room and the ids of its messages."""

    world: World
    room_id: str
    sent: list[str]

    async def do(self, process: int, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        answer = await self.world.processes[process].request(method, f"/v2/rooms/{self.room_id}{path}", json=body)
        assert answer.is_success, answer.text
        return answer

    async def check(self, process: int, limit: int, top_level: bool) -> None:
        """Compare a page without a cursor with one from a moment in the newest window, which is not cached."""
        params = {"limit": limit, "top_level": top_level}
        newest = (await self.do(process, "GET", f"/messages?{httpx.QueryParams(params)}")).json()
        now = {"cursor_sent_at": rfc3339(from_ms(to_ms(self.world.clock.at) // WINDOW * WINDOW + WINDOW - 1))}
        fresh = (await self.do(process, "GET", f"/messages?{httpx.QueryParams(params | now)}")).json()
        if not newest["messages"]:
            assert newest.pop("next_cursor_sent_at") is None  # the other page repeats its cursor
            del fresh["next_cursor_sent_at"]
        assert newest == fresh


@pytest.fixture(scope="module")
def world(settings: Settings) -> Iterator[World]:
    api, clock = new_organization(settings, "http://atrium.test"), FakeClock(from_ms(START))
    short = settings.with_changes(history_window=timedelta(milliseconds=WINDOW))

    @asynccontextmanager
    async def new_world(runner: asyncio.Runner) -> AsyncIterator[World]:
        async with AsyncExitStack() as stack:
            processes = [await stack.enter_async_context(in_process_client(short, clock)) for _ in range(2)]
            for client in processes:
                client.headers["authorization"] = f"Bearer {api.personal_key}"
            db = await asyncpg.connect(settings.database_url)
            stack.push_async_callback(db.close)
            yield World(runner, processes, db, clock, api)

    with asyncio.Runner() as runner:
        ready, done = runner.get_loop().create_future(), asyncio.Event()

        async def stand() -> None:  # entered and left by one task, because of its cancel scopes
            async with new_world(runner) as made:
                ready.set_result(made)
                await done.wait()

        async def end() -> None:
            done.set()
            await standing

        standing = runner.get_loop().create_task(stand())

        async def start_world() -> World:
            made: World = await ready
            return made

        yield runner.run(start_world())
        runner.run(end())


ACTS = st.sampled_from(["send", "reply", "edit", "delete", "react", "take back", "import", "wait", "read"])
STEPS = st.lists(
    st.tuples(ACTS, st.integers(0, 1), st.integers(0, 9), st.sampled_from([1, 3, 50]), st.booleans()), max_size=25
)


@runs(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_a_page_is_current_after_any_change_by_any_process(
    world: World, steps: list[tuple[str, int, int, int, bool]]
) -> None:
    async def go() -> None:
        room = await world.new_room()
        for act, process, pick, limit, top_level in [("read", 0, 0, 50, False), ("read", 1, 0, 50, False), *steps]:
            await _act(room, act, process, pick)
            for each in (0, 1):
                await room.check(each, limit, top_level)
                await room.check(each, 50, False)

    world.runner.run(go())


async def _act(room: Room, act: str, process: int, pick: int) -> None:
    chosen = room.sent[pick % len(room.sent)] if room.sent else None
    match act, chosen:
        case ("send", _) | ("reply", _):
            body = {"text": "new"} | ({"parent_id": chosen} if act == "reply" and chosen else {})
            room.sent.append((await room.do(process, "POST", "/messages", body)).json()["message_id"])
        case "edit", str():
            await room.do(process, "PATCH", f"/messages/{chosen}", {"text": f"edited {uuid4()}"})
        case "delete", str():
            await room.do(process, "DELETE", f"/messages/{chosen}")
            room.sent.remove(chosen)
        case ("react", str()) | ("take back", str()):
            method = "PUT" if act == "react" else "DELETE"
            await room.do(process, method, f"/messages/{chosen}/reactions/%F0%9F%91%8D")
        case "import", _:
            ms = to_ms(room.world.clock.at) // WINDOW * WINDOW + pick
            async with room.world.db.transaction():
                await room.world.db.execute(IMPORT, UUID(room.room_id), UUID(room.world.api.person_id), ms)
                await room.world.db.execute(NOTE_CHANGE, UUID(room.room_id))
        case "wait", _:
            room.world.clock.at += timedelta(milliseconds=pick * 1_000)


def test_a_cached_page_is_returned_only_to_callers_who_may_read_it(world: World) -> None:
    async def go() -> None:
        room = await world.new_room()
        await _act(room, "send", 0, 0)
        await room.check(0, 50, False)
        path = f"/v2/rooms/{room.room_id}/messages"
        anonymous = await world.processes[0].get(path, headers={"authorization": "Bearer atrp_nobody"})
        assert anonymous.status_code == 401
        deleted = await world.processes[1].delete(f"/v2/rooms/{room.room_id}")
        assert deleted.is_success
        assert (await world.processes[0].get(path)).status_code == 404

    world.runner.run(go())


def test_every_change_to_a_visible_part_of_a_message_updates_its_version(world: World) -> None:
    """Except id and room, which never change, and reply counts, which a send sets in the root of its thread."""

    async def names(statement: str) -> set[str]:
        return {row["attname"] for row in await world.db.fetch(statement)}

    shown, counted = world.runner.run(names(RENDERED_FROM)), world.runner.run(names(COUNTED))
    assert shown - counted == {"room_id", "message_id", "reply_count", "last_reply_at"}


def test_the_cache_is_bounded_and_keeps_the_most_recently_used_pages() -> None:
    cache, keys = PageCache(max_bytes=10 * 1_000), [(uuid4(), 50, False) for _ in range(11)]
    for key in keys[:10]:
        cache.put(key, CachedPage("1", b"x" * (1_000 - OVERHEAD)))
    assert cache.get(keys[0]) == CachedPage("1", b"x" * (1_000 - OVERHEAD))
    cache.put(keys[10], CachedPage("1", b"x" * (1_000 - OVERHEAD)))
    assert [cache.get(key) is not None for key in keys] == [True, False] + [True] * 9
    cache.put(keys[0], CachedPage("2", b"y" * (1_000 - OVERHEAD)))
    assert [page.version for key in keys if (page := cache.get(key))] == ["2"] + ["1"] * 9
    cache.put(keys[0], CachedPage("3", b"z" * 1_000))
    assert cache.get(keys[0]) is None, "it would push others out"
    assert sum(cache.get(key) is not None for key in keys) == 9

"""A walk through history is complete: every message once, in order, while the room changes."""

import asyncio
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from hypothesis import HealthCheck, Phase, example, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.kit.clock import from_ms, parse_time, to_ms
from atrium.kit.settings import Settings
from tests.conftest import Api, FakeClock, in_process_client, new_organization
from tests.messages.walk import Page, Query, at, awalk, ids_of, ms_of, position

WINDOW = 7_000  # milliseconds: a room of a few minutes has dozens of windows
START = to_ms(parse_time("2026-03-01")) // WINDOW * WINDOW
MAX_WINDOWS = 12

INSERT = """
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, sent_at)
select $1, id_at(seq), $2, 'person', null, null, 'm', time_of_ms(seq >> 12) from unnest($3::bigint[]) seq
returning message_id
"""
REPLY = """
update messages set thread_root_id = (select min(message_id::text)::uuid from messages where room_id = $1), parent_id =
(select min(message_id::text)::uuid from messages where room_id = $1) where room_id = $1 and message_id = any($2::uuid[])
"""
HEAD = "update room_heads set last_seq = greatest(last_seq, $2), last_message_id = $3 where room_id = $1"


@dataclass
class World:
    """The application in this process with an organization, its clock and its tables."""

    runner: asyncio.Runner
    client: httpx.AsyncClient
    db: asyncpg.Connection
    clock: FakeClock
    api: Api

    @property
    def now_ms(self) -> int:
        return to_ms(self.clock.at)

    def set_clock(self, ms: int) -> None:
        self.clock.at = from_ms(ms)

    async def new_room(self, created_ms: int) -> str:
        self.set_clock(created_ms)
        made = await self.client.post(f"/v2/spaces/{self.api.space_id}/rooms", json={"name": f"room {uuid4()}"})
        assert made.status_code == 201, made.text
        assert made.json()["created_at"] == at(created_ms)
        room_id: str = made.json()["room_id"]
        return room_id


@pytest.fixture(scope="module")
def world(settings: Settings) -> Iterator[World]:
    api = new_organization(settings, "http://atrium.test")
    clock = FakeClock(from_ms(START))
    short = settings.with_changes(history_window=timedelta(milliseconds=WINDOW))
    with asyncio.Runner() as runner:
        ready: asyncio.Future[httpx.AsyncClient] = runner.get_loop().create_future()
        done = asyncio.Event()

        async def stand() -> None:
            async with in_process_client(short, clock) as client:
                client.headers["authorization"] = f"Bearer {api.personal_key}"
                ready.set_result(client)
                await done.wait()

        async def begin() -> tuple[asyncio.Task[None], httpx.AsyncClient, asyncpg.Connection]:
            task = asyncio.create_task(stand())
            return task, await ready, await asyncpg.connect(settings.database_url)

        async def end() -> None:
            done.set()
            await asyncio.gather(standing, db.close())

        standing, client, db = runner.run(begin())
        yield World(runner, client, db, clock, api)
        runner.run(end())


@dataclass
class Room:
    """A room and its messages as the test knows them: ids in order, and which are replies."""

    world: World
    room_id: str
    created_ms: int
    ids: list[str] = field(default_factory=list)
    replies: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    @property
    def path(self) -> str:
        return f"/v2/rooms/{self.room_id}/messages"

    async def fill(self, times: list[int], replies: list[bool]) -> None:
        """Insert messages at these times, as an import would; the first is no reply."""
        seqs: list[int] = []
        for ms in sorted(times):
            seqs.append(max(ms << 12, seqs[-1] + 1) if seqs else (ms << 12) + 1)
        rows = await self.world.db.fetch(INSERT, UUID(self.room_id), UUID(self.world.api.person_id), seqs)
        self.ids = sorted(str(row["message_id"]) for row in rows)
        if seqs:
            self.replies = {id_ for id_, reply in zip(self.ids[1:], replies, strict=False) if reply}
            await self.world.db.execute(REPLY, UUID(self.room_id), [UUID(id_) for id_ in self.replies])
            await self.world.db.execute(HEAD, UUID(self.room_id), seqs[-1], UUID(self.ids[-1]))

    async def send(self, parent_id: str | None = None) -> str:
        body = {"text": "new"} | ({"parent_id": parent_id} if parent_id else {})
        sent = await self.world.client.post(self.path, json=body)
        assert sent.status_code == 201, sent.text
        message_id: str = sent.json()["message_id"]
        assert not self.ids or message_id > self.ids[-1], "an id has to be above all that came before it"
        assert sent.json()["sent_at"] == at(ms_of(message_id))
        self.ids.append(message_id)
        if parent_id:
            self.replies.add(message_id)
        return message_id

    def listed(self, top_level: bool) -> list[str]:
        return [id_ for id_ in self.ids if id_ not in self.replies] if top_level else self.ids

    @property
    def latest_ms(self) -> int:
        return max(self.world.now_ms, ms_of(self.ids[-1]) if self.ids else self.created_ms)

    def expected(self, query: Query, limit: int, *, top_level: bool) -> tuple[list[str], bool]:
        """Return the ids and `shard_has_more` that a request gets at this moment (docs/contract.md#room-messages)."""
        cursor = to_ms(parse_time(query["cursor_sent_at"])) if query else self.latest_ms
        opens = min(cursor, self.latest_ms) // WINDOW * WINDOW
        if opens + WINDOW <= self.created_ms:
            return [], False
        inside = [id_ for id_ in self.listed(top_level) if opens <= ms_of(id_) < opens + WINDOW]
        inside = inside[: bisect_left(inside, query["cursor_message_id"])] if "cursor_message_id" in query else inside
        return inside[-limit:][::-1], len(inside) > limit


Event = tuple[str, int]
TIMES = st.one_of(
    st.builds(lambda k, d: k * WINDOW + d, st.integers(0, MAX_WINDOWS), st.sampled_from([0, -1, 1, WINDOW // 2])),
    st.integers(0, MAX_WINDOWS * WINDOW),
)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["send", "send", "reply", "edit", "delete"]), st.integers(0, 1000)),
        st.tuples(st.just("clock"), st.integers(-2 * WINDOW, 2 * WINDOW)),
        st.tuples(st.just("clock_to_edge"), st.integers(-3, 3)),
    ),
    max_size=4,
)


async def happen(room: Room, event: Event) -> None:
    """Change something in the room as another actor."""
    kind, number = event
    world = room.world
    if kind == "clock":
        return world.set_clock(world.now_ms + number)
    if kind == "clock_to_edge":
        return world.set_clock((world.now_ms // WINDOW + number) * WINDOW - number % 2)
    if kind == "send" or not room.ids:
        await room.send()
        return None
    chosen = room.ids[number % len(room.ids)]
    if kind == "reply":
        await room.send(parent_id=chosen)
    elif kind == "edit" and chosen not in room.deleted:
        edited = await world.client.patch(f"{room.path}/{chosen}", json={"text": f"edited {number}"})
        assert edited.status_code == 200, edited.text
    elif chosen not in room.deleted:
        gone = await world.client.delete(f"{room.path}/{chosen}")
        assert gone.status_code == 204, gone.text
        room.deleted.add(chosen)
    return None


@given(
    offset=st.sampled_from([0, 1, WINDOW - 1, WINDOW // 3]),
    times=st.lists(TIMES, max_size=40),
    crowd=st.integers(0, 30),
    replies=st.lists(st.booleans(), max_size=20),
    now=st.integers(-WINDOW, 3 * WINDOW),
    limit=st.one_of(st.integers(1, 5), st.sampled_from([7, 50, 200])),
    top_level=st.booleans(),
    before=EVENTS,
    between=st.lists(EVENTS, max_size=12),
)
@example(
    offset=0, times=[0, 0, 0, WINDOW - 1, WINDOW, WINDOW], crowd=3, replies=[], now=0, limit=1, top_level=False,
    before=[("clock", -WINDOW), ("send", 0)], between=[[("send", 0), ("clock_to_edge", -1), ("send", 0)]],
)  # fmt: skip
@runs(
    max_examples=300,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_a_walk_reads_every_message_once_with_any_changes_between_its_requests(
    world: World, offset: int, times: list[int], crowd: int, replies: list[bool], now: int, limit: int,
    top_level: bool, before: list[Event], between: list[list[Event]],
) -> None:  # fmt: skip
    """`crowd` messages share the millisecond of the first one; `now` is the time after the last one."""

    async def example() -> None:
        created = START + offset
        room = Room(world, await world.new_room(created), created)
        crowded = (times[:1] or [0]) * crowd
        await room.fill([max(created, START + ms) for ms in times + crowded], replies)
        world.set_clock(room.latest_ms + now)
        for event in before:
            await happen(room, event)
        await walked_whole(room, limit, top_level, between)

    world.runner.run(example())


async def walked_whole(room: Room, limit: int, top_level: bool, between: list[list[Event]]) -> None:
    existed = room.listed(top_level)[:]
    coming = iter(between)
    steps: list[tuple[Query, Page]] = []
    also = {"limit": limit} | ({"top_level": "true"} if top_level else {})
    async for query, page in awalk(room.world.client, room.room_id, **also):
        ids, has_more = room.expected(query, limit, top_level=top_level)
        assert ids_of(page) == ids
        assert page["shard_has_more"] is has_more
        steps.append((query, page))
        assert_one_answer(room, query, page)
        for event in next(coming, []):
            await happen(room, event)
    assert_whole(steps, existed)


def assert_one_answer(room: Room, query: Query, page: Page) -> None:
    assert len({ms_of(id_) // WINDOW for id_ in ids_of(page)}) <= 1, "messages of one answer lie in one window"
    for message in page["messages"]:
        assert message["room_id"] == room.room_id
        assert message["status"] == ("DELETED" if message["message_id"] in room.deleted else "SENT")
    if page["messages"]:
        last = page["messages"][-1]
        assert (page["next_cursor_sent_at"], page["next_cursor_message_id"]) == (last["sent_at"], last["message_id"])
    else:
        assert page["next_cursor_sent_at"] == query.get("cursor_sent_at")
        assert page["next_cursor_message_id"] == query.get("cursor_message_id")


def assert_whole(steps: list[tuple[Query, Page]], existed: list[str]) -> None:
    met = [id_ for _, page in steps for id_ in ids_of(page)]
    assert all(newer > older for newer, older in pairwise(met)), "ids go down over the whole walk"
    assert not set(existed) - set(met), "every message that was there before the walk is met"
    positions = [position(query) for query, _ in steps]
    assert all(a > b for a, b in pairwise(positions)), "cursors go down"
    with_messages = [page for _, page in steps if page["messages"]]
    windows = {ms_of(id_) // WINDOW for id_ in met}
    assert len(steps) - len(with_messages) <= 1, "at most one request comes back empty"
    assert len(steps) <= len(with_messages) + len(windows) + 1


@given(
    clock=st.lists(st.integers(-3 * WINDOW, 3 * WINDOW), min_size=1, max_size=25),
    limit=st.integers(1, 4),
)
@runs(max_examples=30, deadline=None)
def test_ids_and_times_rise_with_every_send_under_a_clock_that_jumps(
    world: World, clock: list[int], limit: int
) -> None:
    async def example() -> None:
        created = START + WINDOW // 2
        room = Room(world, await world.new_room(created), created)
        for step in clock:
            world.set_clock(created + step)
            await room.send()
        sent = [ms_of(id_) for id_ in room.ids]
        assert sent == sorted(sent)
        assert min(sent) >= created, "no message is older than its room"
        await walked_whole(room, limit, False, [])

    world.runner.run(example())


def test_a_millisecond_with_more_messages_than_its_counter_overflows_into_the_next(world: World) -> None:
    async def example() -> None:
        created = START + 5 * WINDOW
        room = Room(world, await world.new_room(created), created)
        full = ((created + 1) << 12) - 2  # two ids before the counter's end
        await world.db.execute("update room_heads set last_seq = $2 where room_id = $1", UUID(room.room_id), full)
        for _ in range(4):
            await room.send()
        assert [ms_of(id_) - created for id_ in room.ids] == [0, 1, 1, 1]
        await walked_whole(room, 1, False, [])

    world.runner.run(example())


async def a_room(world: World, *times: int) -> Room:
    """Create a room at START with messages at these milliseconds after it; the clock stops at the last one."""
    room = Room(world, await world.new_room(START), START)
    await room.fill([START + ms for ms in times], [])
    world.set_clock(room.latest_ms)
    return room


async def page_of(room: Room, **query: Any) -> Page:
    answer = await room.world.client.get(room.path, params=query)
    assert answer.status_code == 200, answer.text
    page: Page = answer.json()
    return page


def test_without_a_cursor_the_latest_window_is_read_even_if_messages_are_ahead_of_the_clock(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 3 * WINDOW, 3 * WINDOW + 1)
        world.set_clock(START)
        assert ids_of(await page_of(room)) == room.ids[:0:-1]
        world.set_clock(START + 5 * WINDOW)
        ahead = await page_of(room)
        assert ahead["messages"] == []
        assert ahead["next_cursor_sent_at"] is None
        assert ahead["next_cursor_message_id"] is None
        assert ahead["next_partition_cursor"] == at(START + 4 * WINDOW - 1), "the nearest window that holds a message"

    world.runner.run(example())


@pytest.mark.parametrize("future", ["9999-12-31T23:59:59.999Z", "2030-01-01", at(START + 4 * WINDOW)])
def test_a_future_time_selects_the_latest_window(world: World, future: str) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 3 * WINDOW, 3 * WINDOW + 5)
        latest, ahead = await page_of(room), await page_of(room, cursor_sent_at=future)
        assert ahead == latest
        assert len(ahead["messages"]) == 2

    world.runner.run(example())


@pytest.mark.parametrize("before", [at(START - 1), at(START - 5 * WINDOW), "1970-01-01", "0001-01-01T00:00:00+14:00"])
def test_a_time_before_the_room_is_an_empty_window_with_an_older_partition_cursor(world: World, before: str) -> None:
    async def example() -> None:
        room = await a_room(world, 0, WINDOW)
        await room.fill([START - 1], [])  # no route accepts such a message; the creation of the room is the bound
        answer = await world.client.get(room.path, params={"cursor_sent_at": before})
        if before.startswith("0001"):  # cannot be expressed in UTC
            assert answer.status_code == 400
            return
        page = answer.json()
        assert page["messages"] == []
        assert page["shard_has_more"] is False
        assert parse_time(page["next_partition_cursor"]) < parse_time(before)

    world.runner.run(example())


@pytest.mark.parametrize("also", [{}, {"top_level": "true"}])
def test_a_time_before_the_room_within_its_first_window_selects_that_window(world: World, also: Query) -> None:
    async def example() -> None:
        created = START + WINDOW // 2
        room = Room(world, await world.new_room(created), created)
        await room.fill([created, created + WINDOW], [])
        for ms in (START, created - 1, created, START + WINDOW - 1):
            page = await page_of(room, cursor_sent_at=at(ms), **also)
            assert ids_of(page) == room.ids[:1]
            assert parse_time(page["next_partition_cursor"]) < parse_time(at(START))
        assert ids_of(await page_of(room, cursor_sent_at=at(START - 1), **also)) == []

    world.runner.run(example())


@pytest.mark.parametrize("age", [0, 1, WINDOW, 50 * WINDOW])
def test_a_walk_of_an_empty_room_takes_one_request(world: World, age: int) -> None:
    async def example() -> None:
        room = await a_room(world)
        world.set_clock(START + age)
        steps = [step async for step in awalk(world.client, room.room_id)]
        assert [page["messages"] for _, page in steps] == [[]]

    world.runner.run(example())


def test_a_walk_of_a_sparse_room_takes_at_most_one_request_more_than_it_has_pages(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 3, 4_000_000 * WINDOW)  # ten months between two messages
        world.set_clock(START + 5_000_000 * WINDOW)
        steps = [step async for step in awalk(world.client, room.room_id)]
        assert [len(page["messages"]) for _, page in steps] == [0, 1, 1]

    world.runner.run(example())


def test_the_last_page_has_a_cursor_and_the_empty_page_after_it_repeats_it(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 1, 2)
        page = await page_of(room)
        assert page["shard_has_more"] is False
        cursor = {"cursor_sent_at": at(START), "cursor_message_id": room.ids[0]}
        assert page["next_cursor_sent_at"] == cursor["cursor_sent_at"]
        assert page["next_cursor_message_id"] == cursor["cursor_message_id"]
        behind = await page_of(room, **cursor)
        assert behind["messages"] == []
        assert behind["shard_has_more"] is False
        assert behind["next_cursor_sent_at"] == cursor["cursor_sent_at"]
        assert behind["next_cursor_message_id"] == cursor["cursor_message_id"]

    world.runner.run(example())


def test_a_cursor_on_a_message_deleted_meanwhile_works(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 1, 2, 3)
        first = await page_of(room, limit=2)
        await happen(room, ("delete", 1))
        assert room.deleted == {first["next_cursor_message_id"]} or room.deleted == {room.ids[1]}
        await happen(room, ("delete", 2))
        cursor = {name: first[f"next_{name}"] for name in ("cursor_sent_at", "cursor_message_id")}
        rest = await page_of(room, **cursor)
        assert ids_of(rest) == room.ids[1::-1]
        assert rest["messages"][0]["status"] == "DELETED"
        assert rest["messages"][0]["text"] == ""

    world.runner.run(example())


def test_a_window_edge_separates_messages_of_adjacent_milliseconds(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, WINDOW - 1, WINDOW - 1, WINDOW, WINDOW)
        assert ids_of(await page_of(room, cursor_sent_at=at(START + WINDOW))) == room.ids[:1:-1]
        older = await page_of(room, cursor_sent_at=at(START + WINDOW - 1))
        assert ids_of(older) == room.ids[1::-1]
        page = await page_of(room, limit=2)
        assert page["shard_has_more"] is False, "what remains lies in another window"
        assert page["next_partition_cursor"] == at(START + WINDOW - 1)

    world.runner.run(example())


ISO_FORMS = [
    "2026-11-21T09:07:13.460Z", "2026-11-21T09:07:13.460", "2026-11-21T11:07:13.460+02:00",
    "2026-11-21T11:07:13.460 02:00",  # a + that the query string turned into a space
    "2026-11-21T04:07:13.460-05:00", "2026-11-21T14:37:13.460+0530", "2026-11-21T11:07:13.460+02",
    "20261121T090713.460Z", "20261121T090713.460", "20261121T110713.460 0200", "2026-11-21T09:07:13,460Z",
    "2026-W47-6T09:07:13.460Z", "2026W476T090713.460Z", "2026-11-21T09:07:13.460999Z", "2026-11-21T09:07:13.46Z",
    "2026-11-21 09:07:13.460Z", "2026-11-21t09:07:13.460z", "2026-11-21 11:07:13.460 02:00",
    "2026-325T09:07:13.460Z",
]  # fmt: skip
MOMENT = to_ms(parse_time("2026-11-21T09:07:13.460Z"))


@pytest.mark.parametrize("form", ISO_FORMS)
def test_a_cursor_is_accepted_in_any_iso_format(world: World, form: str) -> None:
    async def example() -> None:
        created = MOMENT - 50 * WINDOW
        room = Room(world, await world.new_room(created), created)
        await room.fill([created, MOMENT, MOMENT + 20 * WINDOW], [])
        assert ids_of(await page_of(room, cursor_sent_at=form)) == [room.ids[1]]
        both = await page_of(room, cursor_sent_at=form, cursor_message_id=room.ids[1])
        assert both["messages"] == []
        assert both["next_cursor_sent_at"] == "2026-11-21T09:07:13.460Z"

    world.runner.run(example())


def test_a_raw_plus_in_the_query_string_is_read_as_an_offset(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 3 * WINDOW)
        raw = f"{room.path}?cursor_sent_at={at(START + 3_600_000).removesuffix('Z')}+01:00"
        assert ids_of((await world.client.get(raw)).json()) == [room.ids[0]]

    world.runner.run(example())


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"cursor_message_id": "0b0d7a52-5f0e-4f0c-9d5e-6d1f3f6f2a11"}, "cursor_sent_at"),
        ({"cursor_sent_at": "yesterday"}, "cursor_sent_at"),
        ({"cursor_sent_at": "1763716033460"}, "cursor_sent_at"),
        ({"cursor_sent_at": "2026-02-30"}, "cursor_sent_at"),
        ({"cursor_sent_at": at(START), "cursor_message_id": "7"}, "cursor_message_id"),
        ({"cursor_sent_at": at(START), "cursor_message_id": str(UUID(int=(START + 1000) << 80))}, "cursor_message_id"),
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"limit": "-1"}, "limit"),
        ({"limit": "ten"}, "limit"),
        ({"top_level": "perhaps"}, "top_level"),
    ],
)  # fmt: skip
def test_an_invalid_cursor_is_rejected_and_named(world: World, query: Query, parameter: str) -> None:
    async def example() -> None:
        room = await a_room(world, 0)
        answer = await world.client.get(room.path, params=query)
        assert answer.status_code == 400, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]

    world.runner.run(example())

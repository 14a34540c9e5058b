"""A walk through history is complete: every message once, in order, while the room changes."""

from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, example, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from tests.messages.walk import Page, Query, awalk, ids_of, ms_of, position
from tests.messages.world import START, WINDOW, Event, Room, World, a_room, happen

MAX_WINDOWS = 12
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


@pytest.mark.contract("Room 3", "Room messages 2", "Room messages 3", "Room messages 8", "Room messages 9")
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
    offset=0,
    times=[0, 0, 0, WINDOW - 1, WINDOW, WINDOW],
    crowd=3,
    replies=[],
    now=0,
    limit=1,
    top_level=False,
    before=[("clock", -WINDOW), ("send", 0)],
    between=[[("send", 0), ("clock_to_edge", -1), ("send", 0)]],
)
@runs(
    max_examples=300,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_a_walk_reads_every_message_once_with_any_changes_between_its_requests(
    world: World,
    offset: int,
    times: list[int],
    crowd: int,
    replies: list[bool],
    now: int,
    limit: int,
    top_level: bool,
    before: list[Event],
    between: list[list[Event]],
) -> None:
    """`crowd` messages share the millisecond of the first one; `now` is the time after the last one."""

    async def example() -> None:
        created = START + offset
        room = Room(world, await world.new_room(created), created)
        crowded = (times[:1] or [0]) * crowd
        await room.fill([max(created, START + ms) for ms in times + crowded], replies)
        world.set_clock(room.latest_ms + now)
        for event in before:
            await happen(room, event)
        await check_walk(room, limit, top_level, between)

    world.runner.run(example())


async def check_walk(room: Room, limit: int, top_level: bool, between: list[list[Event]]) -> None:
    existed = room.listed_ids(top_level)[:]
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


@pytest.mark.contract("Messages and blocks 1")
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
        await check_walk(room, limit, False, [])

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
        await check_walk(room, 1, False, [])

    world.runner.run(example())


@pytest.mark.contract("Room messages 10")
@pytest.mark.parametrize("age", [0, 1, WINDOW, 50 * WINDOW])
def test_a_walk_of_an_empty_room_takes_one_request(world: World, age: int) -> None:
    async def example() -> None:
        room = await a_room(world)
        world.set_clock(START + age)
        steps = [step async for step in awalk(world.client, room.room_id)]
        assert [page["messages"] for _, page in steps] == [[]]

    world.runner.run(example())


@pytest.mark.contract("Room messages 5", "Room messages 6", "Room messages 7")
def test_a_walk_of_a_sparse_room_takes_at_most_one_request_more_than_it_has_pages(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 3, 4_000_000 * WINDOW)  # ten months between two messages
        world.set_clock(START + 5_000_000 * WINDOW)
        steps = [step async for step in awalk(world.client, room.room_id)]
        assert [len(page["messages"]) for _, page in steps] == [0, 1, 1]

    world.runner.run(example())

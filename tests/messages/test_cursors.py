"""Every position in history that a cursor can name, and every form of it."""

from uuid import UUID

import pytest

from atrium.kit.clock import parse_time, to_ms
from tests.messages.walk import Query, at, ids_of
from tests.messages.world import START, WINDOW, Room, World, a_room, happen, page_of


@pytest.mark.contract("Room messages 1")
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


@pytest.mark.contract("Room messages 11")
@pytest.mark.parametrize("future", ["9999-12-31T23:59:59.999Z", "2030-01-01", at(START + 4 * WINDOW)])
def test_a_future_time_selects_the_latest_window(world: World, future: str) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 3 * WINDOW, 3 * WINDOW + 5)
        latest, ahead = await page_of(room), await page_of(room, cursor_sent_at=future)
        assert ahead == latest
        assert len(ahead["messages"]) == 2

    world.runner.run(example())


@pytest.mark.contract("Room messages 10")
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


@pytest.mark.contract("Room messages 11")
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


@pytest.mark.contract("Room messages 9")
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


@pytest.mark.contract("Messages and blocks 7")
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


@pytest.mark.contract("Room messages 11")
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


@pytest.mark.contract("Conventions 1")
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


@pytest.mark.contract("Conventions 1")
def test_a_raw_plus_in_the_query_string_is_read_as_an_offset(world: World) -> None:
    async def example() -> None:
        room = await a_room(world, 0, 3 * WINDOW)
        raw = f"{room.path}?cursor_sent_at={at(START + 3_600_000).removesuffix('Z')}+01:00"
        assert ids_of((await world.client.get(raw)).json()) == [room.ids[0]]

    world.runner.run(example())


@pytest.mark.contract("Room messages 12")
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
)
def test_an_invalid_cursor_is_rejected_and_named(world: World, query: Query, parameter: str) -> None:
    async def example() -> None:
        room = await a_room(world, 0)
        answer = await world.client.get(room.path, params=query)
        assert answer.status_code == 400, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]

    world.runner.run(example())

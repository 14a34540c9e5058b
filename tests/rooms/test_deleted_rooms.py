"""Of a deleted room or space nothing stays in any table, index or file, except for what is named here."""

from uuid import UUID

import pytest
from structlog.testing import capture_logs

from atrium.kit.settings import Settings
from atrium.worker import maintain_partitions
from tests.rooms.everything import Named, files_of, fill_room, next_runs, rows_with, subscriptions_to, work
from tests.webhooks.harness import Harness, with_harness

ROOMS = 25
# What may stay, and why (docs/retention.md).
NAMES_STAY = {
    "audit_entries",  # the audit trail keeps who did what to which room
    "deliveries",  # for 30 days: that a room of this name was created
}  # fmt: skip
IDS_STAY = NAMES_STAY | {
    "live_events",  # for a day: that the room was deleted
    "due_deliveries",  # until the event is sent that it was deleted
}

EXPIRES = {"dropped_objects", "typing"}  # within minutes, also of a room that stays


async def fill_rooms(harness: Harness, space_id: str, count: int) -> list[Named]:
    await maintain_partitions(harness.settings, harness.clock)
    await harness.subscribe(subscriptions=subscriptions_to(space_id))
    rooms = [await fill_room(harness, space_id, nr) for nr in range(count)]
    await work(harness)
    return rooms


async def assert_nothing_is_left(harness: Harness, rooms: list[Named]) -> None:
    assert await rows_with(harness, [room.word for room in rooms]) == {}, "no text"
    assert set(await rows_with(harness, [room.name for room in rooms])) <= NAMES_STAY
    ids = [each for room in rooms for each in (room.room_id, *room.ids)]
    found = await rows_with(harness, ids)
    assert set(found) <= IDS_STAY
    assert all("room.deleted" in row for row in found.get("live_events", []))
    assert [files_of(harness, room) for room in rooms] == [set()] * len(rooms)


@pytest.mark.contract("Messages and blocks 5")
def test_nothing_is_left_of_many_deleted_rooms(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        *deleted, other = await fill_rooms(harness, harness.made["space_id"], ROOMS + 1)
        texts = [other.word, other.name, other.room_id, *other.ids]
        before, files = await rows_with(harness, texts), files_of(harness, other)
        assert len(before) > 20, "the room has rows in most tables"
        assert len(files) == 5
        for room in deleted:
            assert (await harness.client.delete(f"/v2/rooms/{room.room_id}")).status_code == 204
        await work(harness)
        await next_runs(harness)
        await assert_nothing_is_left(harness, deleted)
        assert set(await rows_with(harness, texts)) == set(before) - EXPIRES
        assert len(files_of(harness, other)) == 4, "all but its deleted recording"

    with_harness(settings, act)


@pytest.mark.contract("Messages and blocks 5")
def test_nothing_is_left_of_a_deleted_space(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        own = {"content": {"name": "wombats", "description": "wombats", "visibility": "open"}}
        path = f"/v1/organizations/{harness.made['organization_id']}/spaces"
        made = await harness.client.post(path, json=own)
        space_id = (made.json().get("space") or made.json())["space_id"]
        rooms = await fill_rooms(harness, space_id, 3)
        sent = len(harness.receiver.received)
        assert (await harness.client.delete(f"/v1/spaces/{space_id}")).status_code == 204
        await next_runs(harness)
        await assert_nothing_is_left(harness, rooms)
        assert set(await rows_with(harness, ["wombats"])) == {"audit_entries"}
        assert set(await rows_with(harness, [space_id])) <= IDS_STAY | {"subscriptions"}
        await work(harness)
        assert len(harness.receiver.received) == sent, "nobody is notified of the removal"

    with_harness(settings, act)


@pytest.mark.parametrize("kind", ["space", "room"])
def test_one_that_cannot_be_removed_keeps_no_other(settings: Settings, kind: str) -> None:
    async def act(harness: Harness) -> None:
        parent = {
            "space": f"/v1/organizations/{harness.made['organization_id']}/spaces",
            "room": f"/v2/spaces/{harness.made['space_id']}/rooms",
        }[kind]
        made = []
        for name in ("wombats", "dingos", "numbats"):
            own = {"name": name, "description": name}
            answer = await harness.client.post(parent, json={"content": own} if kind == "space" else own)
            made.append(str((answer.json().get("space") or answer.json())[f"{kind}_id"]))
            path = f"/v1/spaces/{made[-1]}" if kind == "space" else f"/v2/rooms/{made[-1]}"
            assert (await harness.client.delete(path)).status_code == 204
        # As a table would that the removal does not know of.
        await harness.db.execute(f"create table others (id uuid references {kind}s)")
        await harness.db.execute("insert into others values ($1)", UUID(made[1]))
        with capture_logs() as logs:
            await next_runs(harness)
        failed = [each for each in logs if each["event"] == f"a deleted {kind} could not be removed"]
        assert {each[f"{kind}_id"] for each in failed} == {made[1]}
        remaining = await harness.db.fetch(f"select {kind}_id::text from {kind}s where deleted_at is not null")
        assert [row[0] for row in remaining] == [made[1]]

    with_harness(settings, act)

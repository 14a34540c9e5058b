"""Rooms: creating, listing, changing, archiving, deleting."""

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

ROOM = {
    "room_id", "space_id", "organization_id", "name", "description", "room_type", "created_at", "created_by",
    "archived_at", "last_message_at",
}  # fmt: skip


@pytest.mark.contract("Room 2")
def test_a_room_has_defaults(api: Api) -> None:
    made = api.person.post(f"/v2/spaces/{api.space_id}/rooms", json={"name": "plans"})
    assert made.status_code == 201
    room = made.json()
    assert set(room) == ROOM
    assert (room["name"], room["description"], room["room_type"]) == ("plans", "", "chat")
    assert (room["archived_at"], room["last_message_at"], room["created_by"]) == (None, None, api.person_id)
    assert (room["space_id"], room["organization_id"]) == (api.space_id, api.organization_id)
    assert api.person.get(f"/v2/rooms/{room['room_id']}").json() == room


@pytest.mark.contract("Room 2")
@pytest.mark.parametrize("room_type", ["chat", "post", "video"])
def test_a_room_has_a_type(api: Api, room_type: str) -> None:
    assert api.new_room(room_type=room_type, description="d")["room_type"] == room_type


@pytest.mark.contract("Conventions 12")
def test_rooms_are_listed_in_pages(api: Api) -> None:
    ids = [api.room_id, *(api.new_room()["room_id"] for _ in range(2))]
    rooms = f"/v2/spaces/{api.space_id}/rooms"
    first = api.person.get(rooms, params={"limit": 2}).json()
    rest = api.person.get(rooms, params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [each["room_id"] for each in first["rooms"] + rest["rooms"]] == ids
    assert all(set(each) == ROOM for each in first["rooms"])
    assert rest["next_cursor"] is None


def test_a_room_shows_its_last_activity(api: Api) -> None:
    for _ in range(2):
        sent = api.send()
        assert api.person.get(f"/v2/rooms/{api.room_id}").json()["last_message_at"] == sent["sent_at"]


def test_a_change_updates_only_the_given_fields(api: Api) -> None:
    path = f"/v2/rooms/{api.room_id}"
    before = api.person.get(path).json()
    for field, value in (("name", "Other"), ("description", "what for"), ("description", "")):
        changed = api.person.patch(path, json={field: value})
        assert changed.status_code == 200
        before[field] = value
        assert changed.json() == before == api.person.get(path).json()
    assert api.person.patch(path, json={}).json() == before


@pytest.mark.parametrize("field", ["room_id", "space_id", "room_type", "created_at", "archived_at", "last_message_at"])
def test_a_field_that_cannot_change_is_rejected_and_named(api: Api, field: str) -> None:
    answer = api.person.patch(f"/v2/rooms/{api.room_id}", json={field: "post"})
    assert assert_problem(answer, 400)["errors"][0]["pointer"] == f"/{field}"


def test_an_archived_room_can_be_read_and_not_changed(api: Api) -> None:
    room = f"/v2/rooms/{api.room_id}"
    message, person = f"{api.messages}/{api.send()['message_id']}", api.person
    person.put(f"{message}/reactions/+1")
    block = person.post(f"{room}/blocks", json={"type": "divider", "content": {}}).json()["block_id"]
    archived = person.patch(room, json={"archived": True})
    assert archived.status_code == 200
    assert archived.json()["archived_at"] is not None
    assert person.patch(room, json={"archived": True}).json() == archived.json()
    divider: dict[str, object] = {"type": "divider", "content": {}}
    writes: list[tuple[str, str, dict[str, object] | None]] = [
        ("POST", api.messages, {"text": "x"}),
        ("PATCH", message, {"text": "x"}),
        ("PUT", f"{message}/reactions/+1", None),
        ("DELETE", f"{message}/reactions/+1", None),
        ("POST", f"{room}/blocks", divider),
        ("PATCH", f"/v2/blocks/{block}", {"version": 1, "content": {}}),
        ("DELETE", f"/v2/blocks/{block}", None),
    ]
    for method, path, body in writes:
        answer = person.request(method, path, json=body)
        assert assert_problem(answer, 409)["code"] == "room_archived"
    for path in (room, api.messages, message, f"{room}/blocks", f"/v2/blocks/{block}"):
        assert person.get(path).status_code == 200
    assert person.get(f"{message.replace('messages', 'threads')}/messages").status_code == 200
    assert api.room_id in person.get(f"/v2/spaces/{api.space_id}/rooms").text
    back = person.patch(room, json={"archived": False})
    assert back.json()["archived_at"] is None
    assert person.post(api.messages, json={"text": "x"}).status_code == 201


def test_a_deleted_room_is_not_found_on_any_route(api: Api) -> None:
    room, message = f"/v2/rooms/{api.room_id}", api.send()["message_id"]
    block = api.person.post(f"{room}/blocks", json={"type": "divider", "content": {}}).json()["block_id"]
    assert api.person.delete(room).status_code == 204
    for method, path in (
        ("GET", room),
        ("DELETE", room),
        ("GET", api.messages),
        ("GET", f"{api.messages}/{message}"),
        ("GET", f"{room}/threads/{message}/messages"),
        ("GET", f"{room}/blocks"),
    ):
        assert assert_problem(api.person.request(method, path), 404)["code"] == "room_not_found"
    assert_problem(api.person.patch(room, json={"name": "x"}), 404)
    assert_problem(api.person.post(api.messages, json={"text": "x"}), 404)
    assert assert_problem(api.person.get(f"/v2/blocks/{block}"), 404)["code"] == "block_not_found"
    assert api.room_id not in api.person.get(f"/v2/spaces/{api.space_id}/rooms").text


def test_an_unknown_room_and_an_unreachable_one_are_answered_alike(api: Api, outsider: Api) -> None:
    for client in (outsider.person, outsider.integration):
        assert assert_problem(client.get(f"/v2/rooms/{api.room_id}"), 404)["code"] == "room_not_found"
        assert assert_problem(client.get(f"/v2/spaces/{api.space_id}/rooms"), 404)["code"] == "space_not_found"

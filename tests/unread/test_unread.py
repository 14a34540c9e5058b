"""Unread counts and read markers over HTTP."""

from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

Json = dict[str, Any]


def unread(api: Api, client: httpx.Client, **query: Any) -> Json:
    answer = client.get(f"/v2/organizations/{api.organization_id}/unread", params=query)
    assert answer.status_code == 200, answer.text
    page: Json = answer.json()
    return page


def room_of(api: Api, client: httpx.Client, room_id: str | None = None) -> Json | None:
    """Return the unread state of a room, None if nothing is unread."""
    wanted = room_id or api.room_id
    return next((room for room in unread(api, client)["rooms"] if room["room_id"] == wanted), None)


def mark(api: Api, client: httpx.Client, message_id: str) -> httpx.Response:
    return client.put(f"/v2/rooms/{api.room_id}/read-marker", json={"message_id": message_id})


@pytest.fixture
def reader(api: Api) -> httpx.Client:
    """Return a member of the organization who has sent nothing yet."""
    return api.client(api.new_person()[1])


@pytest.mark.contract("Search and unread state 19")
def test_a_new_member_starts_with_nothing_unread(api: Api) -> None:
    api.send("before")
    _, key = api.new_person()
    reader = api.client(key)
    assert unread(api, reader) == {"rooms": [], "threads": [], "next_cursor": None}
    after = api.send("after")
    assert room_of(api, reader) == {
        "room_id": api.room_id,
        "space_id": api.space_id,
        "unread_count": 1,
        "capped": False,
        "mention_count": 0,
        "last_read_message_id": None,
        "first_unread_message_id": after["message_id"],
        "last_message_id": after["message_id"],
    }


@pytest.mark.contract("Search and unread state 19")
def test_a_person_added_to_a_space_starts_with_nothing_unread_each_time(api: Api) -> None:
    space_id = api.new_space("private")
    room_id = api.new_room(space_id)["room_id"]
    person_id, key = api.new_person()
    reader, member = api.client(key), f"/v1/spaces/{space_id}/members/{person_id}"
    path = f"/v2/rooms/{room_id}/messages"

    def let_in() -> None:
        assert api.person.put(member, json={"content": {"role": "reader"}}).status_code == 200

    first = api.person.post(path, json={"text": "before"}).json()
    let_in()
    assert room_of(api, reader, room_id) is None
    api.person.post(path, json={"text": "after"})
    assert reader.put(f"/v2/rooms/{room_id}/read-marker", json={"message_id": first["message_id"]}).status_code == 200
    assert (room_of(api, reader, room_id) or {})["unread_count"] == 1
    assert api.person.delete(member).status_code == 204
    assert room_of(api, reader, room_id) is None
    api.person.post(path, json={"text": "meanwhile"})
    let_in()
    assert room_of(api, reader, room_id) is None


@pytest.mark.contract("Search and unread state 14")
def test_the_marker_can_be_moved_forward_and_back(api: Api, reader: httpx.Client) -> None:
    ids = [api.send(str(nr))["message_id"] for nr in range(5)]
    marked = mark(api, reader, ids[3])
    assert marked.status_code == 200
    assert marked.json() == {"room_id": api.room_id, "message_id": ids[3], "moved_at": marked.json()["moved_at"]}
    for at, count in ((3, 1), (4, 0), (0, 4), (2, 2)):
        mark(api, reader, ids[at])
        room = room_of(api, reader)
        assert (room["unread_count"] if room else 0) == count
        if room:
            assert (room["last_read_message_id"], room["first_unread_message_id"]) == (ids[at], ids[at + 1])


@pytest.mark.contract("Search and unread state 19")
def test_ones_own_messages_are_read_and_sending_moves_the_marker(api: Api, reader: httpx.Client) -> None:
    first = api.send("one")["message_id"]
    own = reader.post(api.messages, json={"text": "mine"}).json()["message_id"]
    assert room_of(api, reader) is None
    api.send("two")
    room = room_of(api, reader)
    assert room is not None
    assert (room["unread_count"], room["last_read_message_id"]) == (1, own)
    mark(api, reader, first)  # back: the own message before that time does not move it again
    room = room_of(api, reader)
    assert room is not None
    assert (room["unread_count"], room["last_read_message_id"]) == (1, first)


def test_deleted_messages_and_replies_do_not_count_in_their_room(api: Api, reader: httpx.Client) -> None:
    root = api.send("root")
    api.send("reply", parent_id=root["message_id"])
    assert (room_of(api, reader) or {})["unread_count"] == 1
    api.person.delete(f"{api.messages}/{root['message_id']}")
    assert room_of(api, reader) is None


@pytest.mark.contract("Search and unread state 18")
def test_mentions_are_counted(api: Api) -> None:
    person_id, key = api.new_person()
    api.send(f"hi <@{person_id}>")
    api.send("hi all")
    api.send(f"hi <@{api.person_id}>")
    room = room_of(api, api.client(key))
    assert room is not None
    assert (room["unread_count"], room["mention_count"]) == (3, 1)


@pytest.mark.contract("Search and unread state 18")
def test_the_count_stops_at_a_hundred_and_marks_it_as_more(api: Api, reader: httpx.Client) -> None:
    ids = [api.send(str(nr))["message_id"] for nr in range(101)]
    room = room_of(api, reader)
    assert room is not None
    assert (room["unread_count"], room["capped"], room["first_unread_message_id"]) == (100, True, ids[0])
    mark(api, reader, ids[0])
    room = room_of(api, reader)
    assert room is not None
    assert (room["unread_count"], room["capped"], room["first_unread_message_id"]) == (100, False, ids[1])


def test_rooms_are_listed_in_pages(api: Api, reader: httpx.Client) -> None:
    rooms = [api.room_id, *(api.new_room()["room_id"] for _ in range(4))]
    for room_id in rooms[:2] + rooms[3:]:
        api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": "x"})
    listed, cursor = list[str](), None
    while True:
        page = unread(api, reader, limit=2, **({"cursor": cursor} if cursor else {}))
        listed += [room["room_id"] for room in page["rooms"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert listed == sorted(rooms[:2] + rooms[3:])


@pytest.mark.contract("Search and unread state 20")
def test_losing_a_space_removes_its_unread_counts_immediately(api: Api) -> None:
    space_id = api.new_space("private")
    room_id = api.new_room(space_id)["room_id"]
    person_id, key = api.new_person()
    reader, member = api.client(key), f"/v1/spaces/{space_id}/members/{person_id}"
    api.person.put(member, json={"content": {"role": "member"}})
    api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": "x"})
    assert room_of(api, reader, room_id) is not None
    assert api.person.delete(member).status_code == 204
    assert unread(api, reader) == {"rooms": [], "threads": [], "next_cursor": None}


def test_a_deleted_room_has_nothing_unread(api: Api, reader: httpx.Client) -> None:
    room_id = api.new_room()["room_id"]
    api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": "x"})
    assert room_of(api, reader, room_id) is not None
    assert api.person.delete(f"/v2/rooms/{room_id}").status_code == 204
    assert room_of(api, reader, room_id) is None


@pytest.mark.contract("Search and unread state 20")
def test_an_integration_has_no_read_markers(api: Api) -> None:
    message_id = api.send()["message_id"]
    assert_problem(mark(api, api.integration, message_id), 403)
    assert_problem(api.integration.get(f"/v2/organizations/{api.organization_id}/unread"), 403)


def test_a_marker_needs_a_message_of_a_reachable_room(api: Api, outsider: Api) -> None:
    message_id = api.send()["message_id"]
    elsewhere = outsider.send()["message_id"]
    assert assert_problem(mark(api, api.person, elsewhere), 404)["code"] == "message_not_found"
    assert assert_problem(mark(api, outsider.person, message_id), 404)["code"] == "room_not_found"
    assert_problem(mark(api, api.person, "first"), 400)
    assert_problem(outsider.person.get(f"/v2/organizations/{api.organization_id}/unread"), 404)


def test_a_deleted_message_can_be_marked(api: Api, reader: httpx.Client) -> None:
    message_id = api.send()["message_id"]
    api.person.delete(f"{api.messages}/{message_id}")
    assert mark(api, reader, message_id).status_code == 200

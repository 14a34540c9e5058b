"""Read markers of threads, and the lists of threads and mentions, over HTTP."""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest

from atrium.unread.queries import RECORD, REWIND
from tests.conftest import Api
from tests.contract.tour import assert_problem

Json = dict[str, Any]


@pytest.fixture
def reader(api: Api) -> httpx.Client:
    """Return a member of the organization who has sent nothing yet."""
    return api.client(api.new_person()[1])


def read(api: Api, client: httpx.Client, name: str, **query: Any) -> Json:
    answer = client.get(f"/v2/organizations/{api.organization_id}/{name}", params=query)
    assert answer.status_code == 200, answer.text
    page: Json = answer.json()
    return page


def unread_threads(api: Api, client: httpx.Client) -> dict[str, int]:
    return {each["thread_root_id"]: each["unread_count"] for each in read(api, client, "unread")["threads"]}


def mark(api: Api, client: httpx.Client, root: str, message: str, **more: Any) -> httpx.Response:
    path = f"/v2/rooms/{api.room_id}/threads/{root}/read-marker"
    return client.put(path, json={"message_id": message, **more})


def write(api: Api, client: httpx.Client, text: str, root: str | None = None) -> str:
    answer = client.post(api.messages, json={"text": text, **({"parent_id": root} if root else {})})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["message_id"])


@pytest.mark.contract("Search and unread state 15")
def test_replies_are_unread_for_those_who_take_part_in_the_thread(api: Api, reader: httpx.Client) -> None:
    mentioned, key = api.new_person()
    own, others = write(api, reader, "mine"), api.send("not mine")["message_id"]
    for root in (own, others):
        api.send("a reply", parent_id=root)
    assert unread_threads(api, reader) == {own: 1}
    api.send(f"<@{mentioned}> look", parent_id=others)
    api.send("one more", parent_id=others)
    assert unread_threads(api, api.client(key)) == {others: 2}, "from the mention on"
    assert unread_threads(api, reader) == {own: 1}
    write(api, reader, "me too", others)
    assert unread_threads(api, reader) == {own: 1}
    api.send("welcome", parent_id=others)
    assert unread_threads(api, reader) == {own: 1, others: 1}


@pytest.mark.contract("Search and unread state 15")
def test_the_marker_of_a_thread_can_be_moved_forward_and_back(api: Api, reader: httpx.Client) -> None:
    root = write(api, reader, "mine")
    replies = [api.send(str(nr), parent_id=root)["message_id"] for nr in range(3)]
    for at, unread, count in ((2, False, 0), (0, False, 2), (2, True, 1), (0, True, 3)):
        answer = mark(api, reader, root, replies[at], unread=unread)
        assert answer.status_code == 200
        assert (answer.json()["room_id"], answer.json()["thread_root_id"]) == (api.room_id, root)
        assert unread_threads(api, reader) == ({root: count} if count else {})
    assert mark(api, reader, root, root).json()["message_id"] == root
    moved = api.sql(
        "select data::text from live_events where room_id = $1 and kind = 'thread_read_marker.moved'", api.room_id
    )
    assert [json.loads(each["data"])["message_id"] for each in moved][::2] == [replies[2], replies[1], root]


@pytest.mark.contract("Search and unread state 16")
def test_a_room_is_marked_unread_from_its_first_message_on(api: Api, reader: httpx.Client) -> None:
    first = api.send("first")["message_id"]
    api.send("second")
    path = f"/v2/rooms/{api.room_id}/read-marker"
    for unread, count in ((False, 1), (True, 2)):
        assert reader.put(path, json={"message_id": first, "unread": unread}).status_code == 200
        [room] = read(api, reader, "unread")["rooms"]
        assert room["unread_count"] == count


@pytest.mark.contract("Search and unread state 15")
def test_reading_a_room_leaves_its_threads_unread_and_the_other_way_round(api: Api, reader: httpx.Client) -> None:
    root = write(api, reader, "mine")
    reply = api.send("a reply", parent_id=root)["message_id"]
    newest = api.send("in the room")["message_id"]
    mark(api, reader, root, reply)
    assert [each["room_id"] for each in read(api, reader, "unread")["rooms"]] == [api.room_id]
    mark(api, reader, root, root)
    reader.put(f"/v2/rooms/{api.room_id}/read-marker", json={"message_id": newest})
    assert read(api, reader, "unread")["rooms"] == []
    assert unread_threads(api, reader) == {root: 1}


@pytest.mark.contract("Search and unread state 17")
def test_a_mention_added_by_an_edit_counts(api: Api) -> None:
    person_id, key = api.new_person()
    reader = api.client(key)
    root = api.send("root")["message_id"]
    reply = api.send("reply", parent_id=root)["message_id"]
    api.sql(
        f"insert into participation_heads values ('{api.room_id}', '{reply}') on conflict (room_id) do update "
        "set recorded_id = excluded.recorded_id"
    )
    assert unread_threads(api, reader) == {}
    answer = api.person.patch(f"{api.messages}/{reply}", json={"text": f"reply <@{person_id}>"})
    assert answer.status_code == 200
    assert unread_threads(api, reader) == {root: 1}
    assert [each["message"]["message_id"] for each in read(api, reader, "mentions")["mentions"]] == [reply]
    api.person.delete(f"{api.messages}/{reply}")
    assert (unread_threads(api, reader), read(api, reader, "mentions")["mentions"]) == ({}, [])


def test_what_an_import_adds_before_the_recorded_messages_is_recorded(api: Api, reader: httpx.Client) -> None:
    root = write(api, reader, "mine")
    replies = [api.send(f"<@{api.person_id}> {nr}", parent_id=root)["message_id"] for nr in range(2)]
    api.sql(RECORD, 1000, 1000)
    api.sql("delete from thread_participants where room_id = $1", api.room_id)
    api.sql(RECORD, 1000, 1000)
    assert unread_threads(api, reader) == {}, "recorded once"
    api.sql(REWIND, api.room_id, root)
    assert unread_threads(api, reader) == {root: 2}, "before it is recorded"
    api.sql(RECORD, 1000, 1000)
    recorded = api.sql("select person_id from thread_participants where room_id = $1", api.room_id)
    assert len({each["person_id"] for each in recorded}) == 2
    assert (
        api.sql("select recorded_id::text from participation_heads where room_id = $1", api.room_id)[0][0] == replies[1]
    )


@pytest.mark.contract("Search and unread state 17")
def test_threads_are_listed_with_their_newest_replies_in_pages(api: Api, reader: httpx.Client) -> None:
    roots = [write(api, reader, f"root {nr}") for nr in range(3)]
    for root in roots:
        for nr in range(4):
            last = api.send(f"reply {nr}", parent_id=root)["message_id"]
    mark(api, reader, roots[2], last)
    listed, cursor = list[Json](), None
    while True:
        page = read(api, reader, "threads", limit=1, **({"cursor": cursor} if cursor else {}))
        listed += page["threads"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [each["root"]["message_id"] for each in listed] == [roots[1], roots[0], roots[2]], "unread ones first"
    assert [each["unread_count"] for each in listed] == [4, 4, 0]
    assert [each["text"] for each in listed[0]["replies"]] == ["reply 1", "reply 2", "reply 3"]
    assert_problem(reader.get(f"/v2/organizations/{api.organization_id}/threads", params={"cursor": "x"}), 400)


@pytest.mark.contract("Search and unread state 17")
def test_mentions_are_listed_newest_first_in_pages(api: Api) -> None:
    person_id, key = api.new_person()
    reader = api.client(key)
    other_room = api.new_room()["room_id"]
    sent = [
        api.person.post(f"/v2/rooms/{room}/messages", json={"text": f"<@{person_id}>"}).json()["message_id"]
        for room in (api.room_id, other_room, api.room_id)
    ]
    write(api, reader, f"<@{person_id}> of oneself")
    first = read(api, reader, "mentions", limit=2)
    rest = read(api, reader, "mentions", limit=2, cursor=first["next_cursor"])
    found = [each["message"]["message_id"] for each in first["mentions"] + rest["mentions"]]
    assert (found, rest["next_cursor"]) == (sent[::-1], None)


@pytest.mark.contract("Search and unread state 17")
def test_threads_and_mentions_of_a_lost_space_are_gone(api: Api) -> None:
    space_id = api.new_space("private")
    room_id = api.new_room(space_id)["room_id"]
    person_id, key = api.new_person()
    reader, member = api.client(key), f"/v1/spaces/{space_id}/members/{person_id}"
    api.person.put(member, json={"content": {"role": "member"}})
    root = reader.post(f"/v2/rooms/{room_id}/messages", json={"text": "mine"}).json()["message_id"]
    api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": f"<@{person_id}>", "parent_id": root})
    assert len(read(api, reader, "threads")["threads"]) == len(read(api, reader, "mentions")["mentions"]) == 1
    assert api.person.delete(member).status_code == 204
    assert read(api, reader, "threads")["threads"] == read(api, reader, "mentions")["mentions"] == []
    assert unread_threads(api, reader) == {}


@pytest.mark.contract("Search and unread state 15")
def test_a_marker_names_a_message_of_its_thread(api: Api, reader: httpx.Client) -> None:
    root, other = (api.send("root")["message_id"] for _ in range(2))
    reply = api.send("reply", parent_id=root)["message_id"]
    assert assert_problem(mark(api, reader, root, other), 404)["code"] == "message_not_found"
    assert assert_problem(mark(api, reader, str(uuid4()), reply), 404)["code"] == "message_not_found"
    assert assert_problem(mark(api, reader, reply, reply), 400)["code"] == "not_a_thread_root"
    assert_problem(mark(api, api.integration, root, reply), 403)
    for name in ("threads", "mentions"):
        assert_problem(api.integration.get(f"/v2/organizations/{api.organization_id}/{name}"), 403)

"""Search returns only what the caller can reach now: a lost space, an edit or a deletion shows in the next search."""

import asyncio
from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Api, RunningServer, new_organization
from tests.contract.tour import assert_problem
from tests.search.harness import find, search, send_all, texts, wait_until_indexed


@pytest.mark.contract("Search and unread state 2")
def test_losing_a_space_removes_its_hits_immediately(api: Api) -> None:
    space_id = api.new_space("private")
    room = api.new_room(space_id)["room_id"]
    person_id, key = api.new_person()
    person = api.client(key)
    member = f"/v1/spaces/{space_id}/members/{person_id}"
    assert api.person.put(member, json={"content": {"role": "reader"}}).status_code == 200
    assert api.person.post(f"/v2/rooms/{room}/messages", json={"text": "zeugma"}).status_code == 201
    wait_until_indexed(api)
    for q in ("zeugma", f"in:{room}", f"in:{space_id} zeugma", "from:ada"):
        assert texts(api, q, person) == {"zeugma"}
    assert api.person.delete(member).status_code == 204
    for q in ("zeugma", f"in:{room}", f"in:{space_id} zeugma", "from:ada"):
        assert texts(api, q, person) == set()
    assert texts(api, "zeugma") == {"zeugma"}


@pytest.mark.contract("Search and unread state 2")
def test_closing_a_space_and_deleting_a_room_or_space_remove_their_hits(api: Api) -> None:
    space_id = api.new_space()
    rooms = [api.new_room(space_id)["room_id"] for _ in range(2)]
    _, key = api.new_person()
    person = api.client(key)
    for room_id in rooms:
        assert api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": "zeugma"}).status_code == 201
    wait_until_indexed(api)
    assert len(find(api, "zeugma", person)) == 2
    assert api.person.delete(f"/v2/rooms/{rooms[0]}").status_code == 204
    assert len(find(api, "zeugma", person)) == 1
    closed = api.person.patch(f"/v1/spaces/{space_id}", json={"content": {"visibility": "private"}})
    assert closed.status_code == 200
    assert find(api, "zeugma", person) == []
    assert len(find(api, "zeugma")) == 1
    assert api.person.delete(f"/v1/spaces/{space_id}").status_code == 204
    assert find(api, "zeugma") == []


@pytest.mark.contract("Search and unread state 1")
def test_an_integration_finds_only_granted_spaces(api: Api) -> None:
    send_all(api, "zeugma")
    within = api.new_integration([{"space_id": api.space_id, "role": "reader"}])
    assert texts(api, "zeugma", api.client(within["key"])) == {"zeugma"}
    assert texts(api, "zeugma", api.client(api.new_integration()["key"])) == set()


@pytest.mark.contract("Search and unread state 1")
def test_another_organization_finds_nothing_and_is_not_found(api: Api, outsider: Api) -> None:
    send_all(api, "zeugma")
    assert find(outsider, f"zeugma or in:{api.room_id}") == []
    path = f"/v2/organizations/{api.organization_id}/search?q=zeugma"
    assert assert_problem(outsider.person.get(path), 404)["code"] == "organization_not_found"
    assert_problem(outsider.client(None).get(path), 401)


@pytest.mark.contract("Search and unread state 11")
def test_an_edit_is_found_immediately_and_the_replaced_text_is_not(api: Api) -> None:
    before = api.send("oldword")
    wait_until_indexed(api)
    after = api.send("unindexedword")
    for message in (before, after):  # indexed or not
        edited = api.person.patch(f"{api.messages}/{message['message_id']}", json={"text": "newword"})
        assert edited.status_code == 200
        assert message["message_id"] in find(api, "newword")
    wait_until_indexed(api)
    assert find(api, "oldword or unindexedword") == []
    assert texts(api, "newword") == {"newword"}
    assert len(find(api, "newword")) == 2
    assert search(api, "newword")["results"][0]["edited_at"] is not None


@pytest.mark.contract("Search and unread state 11")
def test_a_deleted_message_is_gone_from_search_immediately_and_permanently(api: Api) -> None:
    indexed = api.send("zeugma")
    wait_until_indexed(api)
    fresh = api.send("zeugma")
    for message in (indexed, fresh):
        assert api.person.delete(f"{api.messages}/{message['message_id']}").status_code == 204
    assert find(api, "zeugma") == []
    wait_until_indexed(api)
    assert find(api, "zeugma or from:ada") == []
    assert api.sql("select from message_search where room_id = $1", api.room_id) == []


def test_nothing_is_left_of_a_hundred_messages_deleted_while_they_are_indexed(api: Api) -> None:
    async def send_and_delete(client: httpx.AsyncClient) -> None:
        sent = (await client.post(api.messages, json={"text": "zeugma"})).json()["message_id"]
        await asyncio.sleep(0.01 * (hash(sent) % 120))
        assert (await client.delete(f"{api.messages}/{sent}")).status_code == 204

    async def run() -> None:
        headers = {"authorization": f"Bearer {api.personal_key}"}
        async with httpx.AsyncClient(base_url=api.url, headers=headers, timeout=60) as client:
            await asyncio.gather(*(send_and_delete(client) for _ in range(100)))

    asyncio.run(run())
    wait_until_indexed(api)
    assert api.sql("select from message_search where room_id = $1", api.room_id) == []


LETTERS = st.text("bcdfgéüя日", min_size=3, max_size=5)


@pytest.fixture(scope="module")
def two_rooms(server: RunningServer) -> Iterator[tuple[Api, str, str]]:
    """Create an organization with a private space, and a person who reaches only the open one."""
    made = new_organization(server.settings, server.url)
    room = made.new_room(made.new_space("private"))["room_id"]
    _, key = made.new_person()
    yield made, room, key
    made.close()


@pytest.mark.contract("Search and unread state 1")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    word=LETTERS,
    messages=st.lists(
        st.tuples(
            st.booleans(),
            st.booleans(),
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40),
        ),
        max_size=6,
    ),
)
def test_every_message_with_a_rare_word_is_found_exactly_by_those_who_can_reach_it(
    two_rooms: tuple[Api, str, str], word: str, messages: list[tuple[bool, bool, str]]
) -> None:
    api, private, key = two_rooms
    rare = f"{word}{uuid4().hex}"
    expected: dict[bool, set[str]] = {True: set(), False: set()}
    for is_private, has_word, text in messages:
        body = {"text": f"{text} {rare if has_word else 'other'} {text}"}
        path = f"/v2/rooms/{private if is_private else api.room_id}/messages"
        answer = api.person.post(path, json=body)
        assert answer.status_code == 201, answer.text
        if has_word:
            expected[is_private].add(answer.json()["message_id"])
    wait_until_indexed(api)
    assert set(find(api, rare)) == expected[True] | expected[False]
    assert set(find(api, f"{rare.upper()} ", api.client(key))) == expected[False]
    assert set(find(api, rare[:-2], api.client(key))) == expected[False]

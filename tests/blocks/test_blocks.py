"""Blocks of a room's page: their types, order, versions."""

from typing import Any
from uuid import uuid4

import pytest

from tests.blocks.changing import URL, add, change, outline, page
from tests.conftest import Api
from tests.contract.tour import assert_problem

BLOCK = {
    "block_id", "room_id", "parent_block_id", "position", "type", "content", "version", "created_by", "created_at",
    "updated_by", "updated_at",
}  # fmt: skip
# Type, content sent, content returned: omitted fields get their defaults.
CONTENTS: list[tuple[str, Any, Any]] = [
    ("heading", {"text": "Plan"}, {"text": "Plan", "level": 1}),
    ("heading", {"text": "Plan", "level": 3}, {"text": "Plan", "level": 3}),
    ("paragraph", {"text": "*x*\n\ny"}, {"text": "*x*\n\ny"}),
    ("quote", {"text": "Ünïcode 👍"}, {"text": "Ünïcode 👍"}),
    ("list", {"items": ["a", "b"]}, {"items": ["a", "b"], "ordered": False}),
    ("list", {"items": [], "ordered": True}, {"items": [], "ordered": True}),
    ("list", {"items": ["a", "b"], "levels": [0, 1]}, {"items": ["a", "b"], "ordered": False, "levels": [0, 1]}),
    (
        "todo",
        {"items": [{"text": "a"}, {"text": "b", "level": 1}]},
        {"items": [{"text": "a", "done": False}, {"text": "b", "done": False, "level": 1}]},
    ),
    ("todo", {"items": [{"text": "tea"}]}, {"items": [{"text": "tea", "done": False}]}),
    ("code", {"text": "1", "language": "python"}, {"text": "1", "language": "python"}),
    ("divider", {}, {}),
    ("image", {"url": URL}, {"url": URL, "alt": "", "caption": ""}),
    ("file", {"url": URL, "size": 3}, {"url": URL, "name": "", "size": 3}),
    ("file", {"url": URL}, {"url": URL, "name": "", "size": None}),
    ("callout", {"text": "Mind", "emoji": "⚠️"}, {"text": "Mind", "emoji": "⚠️"}),
]


@pytest.mark.contract("Messages and blocks 12")
@pytest.mark.parametrize(("kind", "sent", "shown"), CONTENTS)
def test_a_block_has_the_content_of_its_type(api: Api, kind: str, sent: Any, shown: Any) -> None:
    made = add(api, type=kind, content=sent)
    assert set(made) == BLOCK
    assert (made["type"], made["content"], made["version"], made["position"]) == (kind, shown, 1, 0)
    assert (made["room_id"], made["parent_block_id"], made["created_by"]) == (api.room_id, None, api.person_id)
    assert api.person.get(f"/v2/blocks/{made['block_id']}").json() == made
    assert page(api) == [made]


@pytest.mark.parametrize(
    ("kind", "content", "where"),
    [
        ("heading", {}, "/content/text"),
        ("heading", {"text": "x", "level": 0}, "/content/level"),
        ("heading", {"text": "x" * 2001}, "/content/text"),
        ("paragraph", {"text": "x", "color": "red"}, "/content/color"),
        ("paragraph", {"text": None}, "/content/text"),
        ("list", {"items": "a"}, "/content/items"),
        ("list", {"items": ["x"] * 501}, "/content/items"),
        ("list", {"items": ["x"], "levels": [6]}, "/content/levels"),
        ("todo", {"items": [{"done": True}]}, "/content/items"),
        ("todo", {"items": [{"text": "x", "level": -1}]}, "/content/items"),
        ("divider", {"text": "x"}, "/content/text"),
        ("image", {"url": "ftp://example.org/x"}, "/content/url"),
        ("file", {"url": URL, "size": -1}, "/content/size"),
        ("callout", {"text": "x", "emoji": "x" * 201}, "/content/emoji"),
        ("quote", [], "/content"),
        ("quote", "text", "/content"),
    ],
)
def test_content_that_the_type_does_not_have_is_rejected_and_named(
    api: Api, kind: str, content: Any, where: str
) -> None:
    answer = api.person.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": kind, "content": content})
    assert assert_problem(answer, 400)["errors"][0]["pointer"].startswith(where)
    block = add(api, type=kind, content=next(sent for name, sent, _ in CONTENTS if name == kind))
    patched = api.person.patch(f"/v2/blocks/{block['block_id']}", json={"version": 1, "content": content})
    assert assert_problem(patched, 400)["errors"][0]["pointer"].startswith(where)


def test_blocks_are_inserted_at_the_given_position(api: Api) -> None:
    a, _, c = (add(api, name) for name in "abc")
    assert outline(api) == ["a", "b", "c"]
    add(api, "d", position=1)
    assert outline(api) == ["a", "d", "b", "c"]
    add(api, "e", position=0)
    assert add(api, "f", position=99)["position"] == 5
    assert outline(api) == ["e", "a", "d", "b", "c", "f"]
    assert change(api, c, position=1)["position"] == 1
    assert outline(api) == ["e", "c", "a", "d", "b", "f"]
    assert change(api, a, position=100_000)["position"] == 5
    assert outline(api) == ["e", "c", "d", "b", "f", "a"]
    assert change(api, a, position=5)["position"] == 5
    assert outline(api) == ["e", "c", "d", "b", "f", "a"]


def test_blocks_nest_and_move_between_parents(api: Api) -> None:
    a, b = add(api, "a"), add(api, "b")
    inner = add(api, "1", parent_block_id=a["block_id"])
    add(api, "2", parent_block_id=a["block_id"])
    add(api, "3", parent_block_id=inner["block_id"])
    assert outline(api) == ["a", "a1", "a13", "a2", "b"]
    change(api, inner, parent_block_id=b["block_id"])
    assert outline(api) == ["a", "a2", "b", "b1", "b13"]
    change(api, inner, parent_block_id=None, position=0)
    assert outline(api) == ["1", "13", "a", "a2", "b"]
    change(api, inner, parent_block_id=a["block_id"], position=0)
    assert outline(api) == ["a", "a1", "a13", "a2", "b"]
    change(api, inner, content={"text": "one"})
    assert outline(api) == ["a", "aone", "aone3", "a2", "b"]


def test_a_block_cannot_be_moved_under_itself(api: Api) -> None:
    a = add(api, "a")
    inner = add(api, "1", parent_block_id=a["block_id"])
    deepest = add(api, "2", parent_block_id=inner["block_id"])
    for parent in (a, inner, deepest):
        body = {"version": 1, "parent_block_id": parent["block_id"]}
        problem = assert_problem(api.person.patch(f"/v2/blocks/{a['block_id']}", json=body), 400)
        assert problem["errors"][0]["pointer"] == "/parent_block_id"
    assert outline(api) == ["a", "a1", "a12"]


def test_a_parent_must_be_a_block_of_the_room(api: Api) -> None:
    room = api.new_room()["room_id"]
    block = {"type": "divider", "content": {}}
    elsewhere = api.person.post(f"/v2/rooms/{room}/blocks", json=block).json()
    own = add(api)
    for parent in (elsewhere["block_id"], str(uuid4())):
        made = api.person.post(f"/v2/rooms/{api.room_id}/blocks", json={**block, "parent_block_id": parent})
        moved = api.person.patch(f"/v2/blocks/{own['block_id']}", json={"version": 1, "parent_block_id": parent})
        for answer in (made, moved):
            assert assert_problem(answer, 400)["errors"][0]["pointer"] == "/parent_block_id"


@pytest.mark.contract("Messages and blocks 12")
def test_a_change_applies_only_to_the_version_that_was_read(api: Api) -> None:
    block = add(api)
    path = f"/v2/blocks/{block['block_id']}"
    second = api.person.patch(path, json={"version": 1, "content": {"text": "second"}}).json()
    assert second["version"] == 2
    assert second["updated_at"] >= block["updated_at"]
    for version in (1, 3):
        stale = api.person.patch(path, json={"version": version, "content": {"text": "lost"}})
        problem = assert_problem(stale, 409)
        assert (problem["code"], problem["block"]) == ("block_changed", second)
    assert api.person.get(path).json() == second


@pytest.mark.parametrize("field", ["block_id", "room_id", "created_by", "updated_at"])
def test_a_field_that_cannot_change_is_rejected_and_named(api: Api, field: str) -> None:
    answer = api.person.patch(f"/v2/blocks/{add(api)['block_id']}", json={"version": 1, field: "quote"})
    assert assert_problem(answer, 400)["errors"][0]["pointer"] == f"/{field}"


@pytest.mark.contract("Messages and blocks 13")
def test_a_block_turns_into_another_type_with_content_of_that_type(api: Api) -> None:
    block = add(api, "words")
    path = f"/v2/blocks/{block['block_id']}"
    quote = change(api, block, type="quote")
    assert (quote["type"], quote["content"], quote["version"]) == ("quote", {"text": "words"}, 2)
    heading = change(api, block, type="heading", content={"text": "words", "level": 2})
    assert (heading["type"], heading["content"]) == ("heading", {"text": "words", "level": 2})
    for body in ({"type": "list"}, {"type": "todo", "content": {"text": "words"}}, {"type": "blink"}):
        assert_problem(api.person.patch(path, json={"version": 3, **body}), 400)
    assert api.person.get(path).json() == heading


@pytest.mark.contract("Messages and blocks 13")
def test_a_block_names_who_changed_it_last(api: Api) -> None:
    block = add(api)
    assert block["updated_by"] == api.person_id
    other = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    change = {"version": 1, "content": {"text": "y"}}
    answer = api.client(other["key"]).patch(f"/v2/blocks/{block['block_id']}", json=change).json()
    assert (answer["created_by"], answer["updated_by"]) == (api.person_id, other["api_key"]["integration_id"])
    api.sql("update blocks set updated_by = null where block_id = $1::text::uuid", block["block_id"])
    assert api.person.get(f"/v2/blocks/{block['block_id']}").json()["updated_by"] is None


def test_deleting_a_block_deletes_its_children(api: Api) -> None:
    add(api, "a")
    b = add(api, "b")
    inner = add(api, "1", parent_block_id=b["block_id"])
    deepest = add(api, "2", parent_block_id=inner["block_id"])
    add(api, "c")
    assert api.person.delete(f"/v2/blocks/{b['block_id']}").status_code == 204
    assert outline(api) == ["a", "c"]
    for gone in (b, inner, deepest):
        for method in ("GET", "DELETE"):
            answer = api.person.request(method, f"/v2/blocks/{gone['block_id']}")
            assert assert_problem(answer, 404)["code"] == "block_not_found"


@pytest.mark.contract("Messages and blocks 12")
def test_pages_of_any_size_return_the_blocks_in_reading_order(api: Api) -> None:
    for name in "abc":
        top = add(api, name)
        for number in "12":
            inner = add(api, number, parent_block_id=top["block_id"])
            add(api, "x", parent_block_id=inner["block_id"], position=0)
    whole = page(api)
    assert len(whole) == 15
    for limit in (1, 4, 15, 16):
        walked: list[dict[str, Any]] = []
        query: dict[str, Any] = {"limit": limit}
        while True:
            part = api.person.get(f"/v2/rooms/{api.room_id}/blocks", params=query).json()
            walked += part["blocks"]
            assert len(part["blocks"]) <= limit
            if part["next_cursor"] is None:
                break
            query["cursor"] = part["next_cursor"]
        assert walked == whole


def test_readers_read_blocks_and_members_change_them(api: Api) -> None:
    block = add(api)
    path, rooms = f"/v2/blocks/{block['block_id']}", f"/v2/rooms/{api.room_id}/blocks"
    for role, write in (("reader", False), ("member", True)):
        client = api.client(api.new_integration([{"space_id": api.space_id, "role": role}])["key"])
        assert client.get(path).status_code == client.get(rooms).status_code == 200
        made = client.post(rooms, json={"type": "divider", "content": {}})
        edited = client.patch(path, json={"version": 1, "content": {"text": role}})
        deleted = client.delete(f"/v2/blocks/{made.json().get('block_id', block['block_id'])}")
        assert [made.status_code, edited.status_code, deleted.status_code] == ([201, 200, 204] if write else [403] * 3)
    lone = api.client(api.new_integration()["key"])
    assert assert_problem(lone.get(path), 404)["code"] == "block_not_found"
    assert assert_problem(lone.delete(path), 404)["code"] == "block_not_found"
    assert assert_problem(lone.get(rooms), 404)["code"] == "room_not_found"

"""Texts that an older release accepted and this one rejects exist in databases: they can be read, changed and
deleted.
"""

import json
from collections.abc import Iterator

import httpx
import pytest

from atrium.kit.http.route import Route
from tests.conftest import Api
from tests.contract.tour import API, World, assert_problem, first_chunk, populate
from tests.scim.conftest import Directory, directory

__all__ = ["directory"]
OLD = "a\tb\nc\u202ed"  # valid names before, invalid now
OTHERS = ("/v1/sessions", "/v1/me/sessions", "/sign-in", "/uploads")  # resources without a name, and signing out
NAMES = """
with own as (select actor_id from memberships where organization_id = $1::text::uuid),
     own_spaces as (select space_id from spaces where organization_id = $1::text::uuid),
     own_rooms as (select room_id from rooms where space_id in (select space_id from own_spaces)),
     a as (update actors set name = $2 where actor_id in (select actor_id from own)),
     k as (update api_keys set name = $2 where actor_id in (select actor_id from own)),
     o as (update organizations set name = $2 where organization_id = $1::text::uuid),
     w as (update webhooks set name = $2 where organization_id = $1::text::uuid),
     s as (update spaces set name = $2 where organization_id = $1::text::uuid),
     r as (update rooms set name = $2 where room_id in (select room_id from own_rooms)),
     f as (update attachments set name = $2 where room_id in (select room_id from own_rooms)),
     v as (update recordings set name = $2 where room_id in (select room_id from own_rooms))
update uploads set name = $2 where room_id in (select room_id from own_rooms)
"""
MESSAGE = "update messages set text = $2, blocks = $3::text::jsonb where message_id = $1::text::uuid"
BLOCK = "update blocks set type = 'callout', content = $2::text::jsonb where block_id = $1::text::uuid"
CALLOUT = {"type": "callout", "content": {"text": ">" * 200, "emoji": OLD}}
BLOCKS = [
    {"type": "file", "content": {"url": "https://a.example/x", "name": OLD, "size": None}}, CALLOUT,
    {"type": "code", "content": {"text": "x", "language": OLD}},
]  # fmt: skip
LARGE = [{"type": "paragraph", "content": {"text": "x" * 40_000}}] * 5


@pytest.fixture
def world(api: Api) -> World:
    """Return one resource of each kind, with texts as an older release stored them."""
    made = populate(api)
    api.sql(NAMES, api.organization_id, OLD)
    api.sql(BLOCK, made.ids["block_id"], json.dumps(CALLOUT["content"]))
    api.sql(MESSAGE, made.ids["message_id"], "x", json.dumps(BLOCKS))
    return made


def responses(world: World, method: str) -> Iterator[tuple[Route, httpx.Response]]:
    """Return the responses to a person on the routes of a method, the deepest paths first."""
    for route in sorted(API, key=lambda each: -each.path.count("/")):
        if route.method == method and not any(part in route.path for part in OTHERS):
            streams = route.streamed is not None
            yield route, first_chunk(world.client, world.path(route)) if streams else world.ask(route)


@pytest.mark.contract("Messages and blocks 19")
@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_a_resource_with_an_old_name_can_be_read_changed_and_deleted(world: World, method: str) -> None:
    found = [(route.path, answer.status_code, answer.text[:500]) for route, answer in responses(world, method)]
    gone = 404 if method == "DELETE" else None  # deleted with its parent
    assert [each for each in found if each[1] >= 400 and each[1] != gone] == []
    assert len([each for each in found if each[1] < 400]) > 8


@pytest.mark.contract("Messages and blocks 19")
@pytest.mark.parametrize(
    ("text", "blocks"),
    [("x", BLOCKS), ("x" * 200_000, []), ("x", LARGE)],
    ids=["labels", "a long text", "large blocks"],
)
def test_a_message_of_an_older_release_can_be_read_changed_and_deleted(
    api: Api, text: str, blocks: list[object]
) -> None:
    message_id = api.send()["message_id"]
    where = f"{api.messages}/{message_id}"
    api.sql(MESSAGE, message_id, text, json.dumps(blocks))
    shown = api.person.get(where).json()
    assert (shown["text"], shown["blocks"]) == (text, blocks)
    assert api.person.put(f"{where}/reactions/+1").status_code == (413 if len(json.dumps(shown)) > 1 << 17 else 200)
    assert api.person.delete(f"{where}/reactions/+1").status_code == 204
    shortened = api.person.patch(where, json={"text": "shorter"})
    if blocks == LARGE:
        assert_problem(shortened, 413)
    else:
        assert shortened.json()["blocks"] == blocks
    assert api.person.patch(where, json={"text": "new", "blocks": []}).json()["blocks"] == []
    api.sql(MESSAGE, message_id, text, json.dumps(blocks))
    assert api.person.delete(where).status_code == 204


@pytest.mark.contract("Messages and blocks 19")
def test_invalid_labels_are_rejected_when_sent(api: Api) -> None:
    where = f"{api.messages}/{api.send()['message_id']}"
    for nr, (block, name) in enumerate(zip(BLOCKS, ("name", "emoji", "language"), strict=True)):
        for answer in (
            api.person.post(api.messages, json={"blocks": BLOCKS[nr:]}),
            api.person.patch(where, json={"blocks": BLOCKS[nr:]}),
        ):
            assert assert_problem(answer, 400)["errors"][0]["pointer"] == f"/blocks/0/content/{name}"
        page = api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block)
        assert assert_problem(page, 400)["errors"][0]["pointer"] == f"/content/{name}"


@pytest.mark.contract("Messages and blocks 19")
def test_a_directory_renames_and_removes_resources_with_old_names(directory: Directory) -> None:
    user, group = directory.user(displayName="Ada"), directory.group("Crew")
    for table, key, made in (("directory_users", "user_id", user), ("groups", "group_id", group)):
        directory.api.sql(
            f"update {table} set attributes = attributes || jsonb_build_object('displayName', $2::text) "
            f"where {key} = $1::text::uuid",
            made["id"],
            OLD,
        )
        assert directory.read(made)["displayName"] == OLD
    out = {"op": "replace", "path": "active", "value": False}
    assert directory.patch_and_read(user, out)["active"] is False, "an account with an old name can be deactivated"
    come = {"op": "add", "path": "members", "value": [{"value": user["id"]}]}
    assert directory.patch(group, come).is_success
    for made in (user, group):
        for name, status in ((OLD + "x", 400), ("Bea", 200)):
            change = {"op": "replace", "path": "displayName", "value": name}
            assert min(directory.patch(made, change).status_code, 400 if status == 400 else 204) in (status, 204)
    directory.api.sql(
        "update groups set attributes = attributes || jsonb_build_object('displayName', $2::text) "
        "where group_id = $1::text::uuid",
        group["id"],
        OLD,
    )
    assert directory.client.delete(f"/Groups/{group['id']}").status_code == 204
    assert directory.client.delete(f"/Users/{user['id']}").status_code == 204

"""Spaces: creating, reading, changing, deleting, and who may do so."""

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

SPACE = {"space_id", "organization_id", "name", "description", "visibility", "created_by", "created_at", "role"}


def test_a_space_has_defaults(api: Api) -> None:
    made = api.person.post(f"{api.organization}/spaces", json={"content": {"name": "Lab"}})
    assert made.status_code == 201
    space = made.json()["space"]
    assert set(space) == SPACE
    assert (space["name"], space["description"], space["visibility"], space["role"]) == ("Lab", "", "open", "admin")
    assert space["created_by"] == api.person_id
    assert api.person.get(f"/v1/spaces/{space['space_id']}").json() == {"space": space}


def test_reachable_spaces_are_listed_in_pages(api: Api) -> None:
    open_spaces = [api.space_id, *(api.new_space() for _ in range(2))]
    private = api.new_space("private")
    _, key = api.new_person()
    spaces = f"{api.organization}/spaces"
    first = api.client(key).get(spaces, params={"limit": 2}).json()
    rest = api.client(key).get(spaces, params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [each["space_id"] for each in first["spaces"] + rest["spaces"]] == open_spaces
    assert rest["next_cursor"] is None
    assert private in api.person.get(spaces).text


def test_a_change_updates_only_the_given_fields(api: Api) -> None:
    path = f"/v1/spaces/{api.space_id}"
    before = api.person.get(path).json()["space"]
    for field, value in (
        ("description", "what for"),
        ("visibility", "private"),
        ("name", "Other"),
        ("description", ""),
    ):
        changed = api.person.patch(path, json={"content": {field: value}})
        assert changed.status_code == 200
        before[field] = value
        assert changed.json()["space"] == before == api.person.get(path).json()["space"]
    assert api.person.patch(path, json={"content": {}}).json()["space"] == before


@pytest.mark.parametrize("field", ["space_id", "created_at", "organization_id", "role"])
def test_a_field_that_cannot_change_is_rejected_and_named(api: Api, field: str) -> None:
    answer = api.person.patch(f"/v1/spaces/{api.space_id}", json={"content": {field: "x"}})
    assert assert_problem(answer, 400)["errors"][0]["pointer"] == f"/content/{field}"


def test_a_deleted_space_is_not_found_and_neither_are_its_rooms(api: Api) -> None:
    space_id = api.new_space()
    room = api.new_room(space_id)
    bot = api.client(api.new_integration([{"space_id": space_id, "role": "admin"}])["key"])
    assert api.person.delete(f"/v1/spaces/{space_id}").status_code == 204
    for client in (api.person, bot):
        assert assert_problem(client.get(f"/v1/spaces/{space_id}"), 404)["code"] == "space_not_found"
        assert_problem(client.delete(f"/v1/spaces/{space_id}"), 404)
        assert_problem(client.get(f"/v2/spaces/{space_id}/rooms"), 404)
        assert_problem(client.get(f"/v2/rooms/{room['room_id']}"), 404)
        assert_problem(client.get(f"/v2/rooms/{room['room_id']}/messages"), 404)
        assert_problem(client.post(f"/v2/rooms/{room['room_id']}/messages", json={"text": "x"}), 404)
        assert space_id not in client.get(f"{api.organization}/spaces").text
    assert space_id not in api.person.get(f"{api.organization}/api-keys").text


# Organization role, role granted in the space (None: none) -> role in an open space, in a private one.
MATRIX = [
    ("guest", None, None, None),
    ("guest", "reader", "reader", "reader"),
    ("guest", "member", "member", "member"),
    ("guest", "admin", "admin", "admin"),
    ("member", None, "member", None),
    ("member", "reader", "member", "reader"),
    ("member", "admin", "admin", "admin"),
    ("reader", None, "member", None),
    ("reader", "reader", "member", "reader"),
    ("admin", None, "admin", "admin"),
    ("admin", "reader", "admin", "admin"),
    ("super_admin", None, "admin", "admin"),
]


@pytest.mark.contract("API key 3", "Authentication 3")
@pytest.mark.parametrize(("role", "granted", "in_open", "in_private"), MATRIX)
def test_a_person_has_the_highest_of_their_roles_in_a_space(
    api: Api, role: str, granted: str | None, in_open: str | None, in_private: str | None
) -> None:
    person_id, key = api.new_person(role)
    for visibility, expected in (("open", in_open), ("private", in_private)):
        space_id = api.new_space(visibility)
        if granted:
            put = api.person.put(f"/v1/spaces/{space_id}/members/{person_id}", json={"content": {"role": granted}})
            assert put.json()["member"]["role"] == expected
        room = api.new_room(space_id)["room_id"]
        seen = api.client(key).get(f"/v1/spaces/{space_id}")
        assert (seen.json()["space"]["role"] if seen.status_code == 200 else None) == expected
        assert_may(api, key, space_id, room, expected, organization_admin="admin" in role)


@pytest.mark.contract("API key 2")
@pytest.mark.parametrize("role", ["guest", "member", "reader", "admin", "super_admin"])
@pytest.mark.parametrize("granted", [None, "reader", "member", "admin"])
def test_an_integration_has_granted_roles_and_inherits_none(api: Api, role: str, granted: str | None) -> None:
    for visibility in ("open", "private"):
        space_id = api.new_space(visibility)
        room = api.new_room(space_id)["room_id"]
        made = api.new_integration([{"space_id": space_id, "role": granted}] if granted else [], role=role)
        assert_may(api, made["key"], space_id, room, granted, organization_admin="admin" in role)


def assert_may(api: Api, key: str, space_id: str, room: str, role: str | None, *, organization_admin: bool) -> None:
    """Return the answers to every kind of request in a space, for an actor with `role`."""
    client, level = api.client(key), [None, "reader", "member", "admin"].index(role)
    block = {"type": "divider", "content": {}}
    theirs = api.person.post(f"/v2/rooms/{room}/messages", json={"text": "x"}).json()["message_id"]
    anyone = {"content": {"role": "reader"}}
    requests = [
        (1, "GET", f"/v1/spaces/{space_id}", None, 200),
        (1, "GET", f"/v1/spaces/{space_id}/members", None, 200),
        (1, "GET", f"/v2/spaces/{space_id}/rooms", None, 200),
        (1, "GET", f"/v2/rooms/{room}", None, 200),
        (1, "GET", f"/v2/rooms/{room}/messages", None, 200),
        (1, "GET", f"/v2/rooms/{room}/messages/{theirs}", None, 200),
        (1, "GET", f"/v2/rooms/{room}/threads/{theirs}/messages", None, 200),
        (1, "GET", f"/v2/rooms/{room}/blocks", None, 200),
        (2, "POST", f"/v2/rooms/{room}/messages", {"text": "x"}, 201),
        (2, "PUT", f"/v2/rooms/{room}/messages/{theirs}/reactions/+1", None, 200),
        (2, "DELETE", f"/v2/rooms/{room}/messages/{theirs}/reactions/+1", None, 204),
        (2, "POST", f"/v2/rooms/{room}/blocks", block, 201),
        (3, "POST", f"/v2/spaces/{space_id}/rooms", {"name": "x"}, 201),
        (3, "PATCH", f"/v2/rooms/{room}", {"name": "y"}, 200),
        (3, "PUT", f"/v1/spaces/{space_id}/members/{api.person_id}", anyone, 200),
        (3, "DELETE", f"/v1/spaces/{space_id}/members/{api.person_id}", None, 204),
        (4, "PATCH", f"/v2/rooms/{room}/messages/{theirs}", {"text": "x"}, 403),
        (3, "DELETE", f"/v2/rooms/{room}/messages/{theirs}", None, 204),
    ]
    for needed, method, path, body, good in requests:
        answer = client.request(method, path, json=body)
        expected = 404 if level == 0 else good if level >= needed else 403
        assert answer.status_code == expected, (role, method, path, answer.text)
    renamed = client.patch(f"/v1/spaces/{space_id}", json={"content": {"name": "x"}})
    assert renamed.status_code == (404 if level == 0 else 200 if organization_admin else 403)


@pytest.mark.parametrize("role", ["guest", "member", "reader"])
def test_only_organization_admins_create_spaces(api: Api, role: str) -> None:
    for key in (api.new_person(role)[1], api.new_integration(role=role)["key"]):
        assert_problem(api.client(key).post(f"{api.organization}/spaces", json={"content": {"name": "x"}}), 403)


@pytest.mark.contract("API key 3")
def test_closing_a_space_excludes_people_without_a_grant(api: Api) -> None:
    _, key = api.new_person()
    client = api.client(key)
    assert client.get(api.messages).status_code == 200
    api.person.patch(f"/v1/spaces/{api.space_id}", json={"content": {"visibility": "private"}})
    assert_problem(client.get(api.messages), 404)
    assert_problem(client.post(api.messages, json={"text": "x"}), 404)
    api.person.patch(f"/v1/spaces/{api.space_id}", json={"content": {"visibility": "open"}})
    assert client.get(api.messages).status_code == 200

"""Organization keys and their integrations."""

from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

RECORD = {
    "api_key_id", "integration_id", "organization_id", "name", "description", "organization_role", "spaces",
    "last_four", "created_by", "created_at", "expires_at", "last_used_at", "key_name",
    "scopes", "allowed_networks",
}  # fmt: skip


def path(api: Api, shown: dict[str, Any]) -> str:
    return f"{api.organization}/api-keys/{shown['api_key']['api_key_id']}"


@pytest.mark.contract("API key 1", "Authentication 2")
def test_an_integration_is_created_with_its_key(api: Api) -> None:
    content = {"name": "Deploy bot", "spaces": [{"space_id": api.space_id, "role": "member"}]}
    made = api.person.post(f"{api.organization}/api-keys", json={"content": content})
    assert made.status_code == 201
    record = made.json()["api_key"]
    assert set(made.json()) == {"api_key", "key"}
    assert set(record) == RECORD
    assert {name: record[name] for name in content} == content
    assert (record["description"], record["organization_role"], record["expires_at"]) == ("", "member", None)
    assert (record["created_by"], record["organization_id"]) == (api.person_id, api.organization_id)
    sent = api.client(made.json()["key"]).post(api.messages, json={"text": "deployed"}).json()
    assert (sent["user_id"], sent["sender_type"]) == (record["integration_id"], "integration")


@pytest.mark.contract("Authentication 5")
def test_a_key_is_only_in_the_response_that_created_it(api: Api) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "admin"}])
    for answer in (
        api.person.get(path(api, made)),
        api.person.get(f"{api.organization}/api-keys"),
        api.person.patch(path(api, made), json={"content": {"name": "Other"}}),
        api.person.get(f"/v1/spaces/{api.space_id}/members"),
    ):
        assert answer.status_code == 200
        assert made["key"][5:35] not in answer.text
        assert '"key"' not in answer.text


def test_keys_are_listed_in_pages(api: Api) -> None:
    ids = [api.new_integration()["api_key"]["api_key_id"] for _ in range(3)]
    keys = f"{api.organization}/api-keys"
    first = api.person.get(keys, params={"limit": 3}).json()
    rest = api.person.get(keys, params={"limit": 3, "cursor": first["next_cursor"]}).json()
    assert [each["api_key_id"] for each in first["api_keys"] + rest["api_keys"]][1:] == ids
    assert rest["next_cursor"] is None


@pytest.mark.contract("Authentication 2")
def test_a_change_to_its_spaces_takes_effect_immediately(api: Api) -> None:
    other = api.new_space()
    made = api.new_integration([{"space_id": api.space_id, "role": "reader"}])
    bot = api.client(made["key"])
    assert bot.get(api.messages).status_code == 200
    assert_problem(bot.post(api.messages, json={"text": "x"}), 403)
    content = {"spaces": [{"space_id": api.space_id, "role": "member"}], "name": "Renamed", "description": "new"}
    changed = api.person.patch(path(api, made), json={"content": content})
    assert changed.status_code == 200
    assert {name: changed.json()["api_key"][name] for name in content} == content
    assert bot.post(api.messages, json={"text": "x"}).status_code == 201
    api.person.patch(path(api, made), json={"content": {"spaces": [{"space_id": other, "role": "admin"}]}})
    assert_problem(bot.get(api.messages), 404)
    assert_problem(bot.post(api.messages, json={"text": "x"}), 404)
    assert bot.get(f"/v1/spaces/{other}").json()["space"]["role"] == "admin"


def test_a_change_keeps_the_fields_it_does_not_name(api: Api) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "reader"}])
    changed = api.person.patch(path(api, made), json={"content": {}}).json()["api_key"]
    assert changed == made["api_key"]


@pytest.mark.parametrize("field", ["last_four", "integration_id", "created_by", "key"])
def test_a_field_that_cannot_change_is_rejected_and_named(api: Api, field: str) -> None:
    made = api.new_integration()
    problem = assert_problem(api.person.patch(path(api, made), json={"content": {field: "x"}}), 400)
    assert problem["errors"][0]["pointer"] == f"/content/{field}"


@pytest.mark.contract("API key 8")
def test_rotation_replaces_the_key_and_nothing_else(api: Api) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    old = api.client(made["key"])
    rotated = api.person.post(f"{path(api, made)}/rotate")
    assert rotated.status_code == 200
    for _ in range(4):
        assert_problem(old.get(api.messages), 401)
        assert_problem(old.get(f"/v2/rooms/{api.room_id}"), 401)
    new = api.client(rotated.json()["key"])
    assert new.get(api.messages).status_code == 200
    assert rotated.json()["api_key"] == made["api_key"] | {"last_four": rotated.json()["key"][-4:]}


@pytest.mark.contract("API key 9")
def test_a_revoked_key_stops_and_its_messages_stay(api: Api) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    bot = api.client(made["key"])
    sent = bot.post(api.messages, json={"text": "still here"}).json()
    assert api.person.delete(path(api, made)).status_code == 204
    assert_problem(bot.get(api.messages), 401)
    assert api.person.get(f"{api.messages}/{sent['message_id']}").json() == sent
    for answer in (api.person.get(path(api, made)), api.person.delete(path(api, made))):
        assert assert_problem(answer, 404)["code"] == "api_key_not_found"
    assert made["api_key"]["api_key_id"] not in api.person.get(f"{api.organization}/api-keys").text


@pytest.mark.contract("API key 6")
def test_a_key_of_another_organization_is_not_found(api: Api, outsider: Api) -> None:
    theirs = outsider.new_integration()
    for method, tail in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/rotate")):
        body = {"json": {"content": {"name": "x"}}} if method == "PATCH" else {}
        assert_problem(api.person.request(method, path(api, theirs) + tail, **body), 404)


@pytest.mark.contract("API key 4")
def test_an_organization_key_outlives_its_creators_membership(api: Api) -> None:
    person_id, key = api.new_person("admin")
    content = {"name": "Legacy", "spaces": [{"space_id": api.space_id, "role": "member"}]}
    made = api.client(key).post(f"{api.organization}/api-keys", json={"content": content}).json()
    assert api.person.delete(f"{api.organization}/members/{person_id}").status_code == 204
    assert_problem(api.client(key).get("/v1/me/profile"), 401)
    assert api.client(made["key"]).post(api.messages, json={"text": "on"}).status_code == 201
    assert api.person.get(path(api, made)).json()["api_key"]["created_by"] == person_id


@pytest.mark.contract("API key 2")
def test_an_integration_reaches_only_granted_spaces(api: Api) -> None:
    bot = api.new_integration(
        role="admin"
    )  # no organization role of an integration gives access to spaces, not even open ones
    client = api.client(bot["key"])
    assert_problem(client.get(f"/v1/spaces/{api.space_id}"), 404)
    assert_problem(client.get(api.messages), 404)
    assert client.get(f"{api.organization}/spaces").json()["spaces"] == []
    made = client.post(f"{api.organization}/spaces", json={"content": {"name": "Its own"}})
    assert (made.status_code, made.json()["space"]["role"]) == (201, "admin")


def test_an_integration_cannot_grant_more_than_it_has(api: Api) -> None:
    private = api.new_space("private")
    bot = api.new_integration([{"space_id": api.space_id, "role": "member"}], role="admin")
    client, keys = api.client(bot["key"]), f"{api.organization}/api-keys"

    def wish(**content: Any) -> dict[str, Any]:
        return {"content": {"name": "Child", "spaces": [], **content}}

    assert client.post(keys, json=wish(spaces=[{"space_id": api.space_id, "role": "member"}])).status_code == 201
    assert_problem(client.post(keys, json=wish(spaces=[{"space_id": api.space_id, "role": "admin"}])), 403)
    hidden = assert_problem(client.post(keys, json=wish(spaces=[{"space_id": private, "role": "reader"}])), 404)
    missing = assert_problem(client.post(keys, json=wish(spaces=[{"space_id": str(uuid4()), "role": "reader"}])), 404)
    assert hidden | {"request_id": ""} == missing | {"request_id": ""}
    assert_problem(client.post(keys, json=wish(organization_role="admin")), 403)
    assert client.post(keys, json=wish(organization_role="reader")).status_code == 201
    raised = {"content": {"spaces": [{"space_id": api.space_id, "role": "admin"}]}}
    assert_problem(client.patch(path(api, bot), json=raised), 403)
    assert_problem(client.patch(path(api, bot), json={"content": {"organization_role": "super_admin"}}), 403)


def test_an_admin_cannot_rotate_a_super_admins_key(api: Api) -> None:
    bot = api.new_integration(role="super_admin")
    _, key = api.new_person("admin")
    assert_problem(api.client(key).post(f"{path(api, bot)}/rotate"), 403)
    assert api.client(bot["key"]).get(api.organization).status_code == 200


def test_a_space_named_twice_is_rejected(api: Api) -> None:
    space = {"space_id": api.space_id, "role": "member"}
    body = {"content": {"name": "x", "spaces": [space, space]}}
    problem = assert_problem(api.person.post(f"{api.organization}/api-keys", json=body), 400)
    assert problem["errors"][0]["pointer"] == "/content/spaces"


@pytest.mark.contract("API key 6")
@pytest.mark.parametrize(("role", "status"), [("guest", 403), ("member", 403), ("reader", 403), ("admin", 200)])
def test_only_admins_see_keys(api: Api, role: str, status: int) -> None:
    _, key = api.new_person(role)
    made = api.new_integration()
    assert api.client(key).get(f"{api.organization}/api-keys").status_code == status
    assert api.client(key).get(path(api, made)).status_code == status
    bot = api.client(api.new_integration(role=role)["key"])
    assert bot.get(f"{api.organization}/api-keys").status_code == status

"""SCIM users are people in Atrium: membership, keys, name, address and history."""

import os

import httpx
import pytest

from tests.audit.entries import entries
from tests.conftest import TLS, Api
from tests.contract.tour import assert_problem
from tests.scim.conftest import CORE_USER, Directory, error_in

TRIES = 6  # enough requests for both HTTP processes to handle one
OFF = {"op": "replace", "path": "active", "value": False}


def statuses(client: httpx.Client, path: str = "/v1/me/profile") -> set[int]:
    """Return the statuses of several requests, each on a new connection."""
    headers = {**client.headers, "connection": "close"}
    return {
        httpx.get(f"{client.base_url}".rstrip("/") + path, headers=headers, verify=TLS, timeout=60).status_code
        for _ in range(TRIES)
    }


def test_a_created_user_is_a_member_with_name_and_address(directory: Directory) -> None:
    email = f"{os.urandom(5).hex()}@corp.local"
    user = directory.user(email, name={"givenName": "Grace", "familyName": "Hopper"}, emails=[{"value": email}])
    [member] = [
        each
        for each in directory.api.person.get(f"{directory.api.organization}/members").json()["members"]
        if each["person_id"] == user["id"]
    ]
    assert (member["name"], member["email"]) == ("Grace Hopper", email)
    assert (member["role"], member["active"]) == ("member", True)
    directory.patch_and_read(user, {"op": "replace", "value": {"displayName": "Amazing Grace"}})
    members = directory.api.person.get(f"{directory.api.organization}/members").json()["members"]
    assert "Amazing Grace" in {each["name"] for each in members}


def test_an_existing_person_is_adopted_once(directory: Directory) -> None:
    email = f"{os.urandom(5).hex()}@example.org"
    person_id, key = directory.api.new_person("reader", email)
    assert directory.search(filter=f'userName eq "{email}"') == [person_id]
    made = directory.user("other-name", emails=[{"value": email.upper(), "type": "work"}])
    assert made["id"] == person_id
    assert directory.api.client(key).get("/v1/me/organizations").json()["organizations"][0]["role"] == "reader"
    again = {"userName": "OTHER-name", "emails": [{"value": email}]}
    error_in(directory.client.post("/Users", json=again), 409, "uniqueness")


@pytest.mark.contract("Directory provisioning 2")
def test_a_user_name_is_unique_in_an_organization_only(directory: Directory, outsider: Api) -> None:
    name = f"n{os.urandom(4).hex()}"
    directory.user(name)
    other = directory.user()
    rename = {"op": "replace", "path": "userName", "value": name.upper()}
    error_in(directory.patch(other, rename), 409, "uniqueness")
    body = {"userName": name}
    assert outsider.integration.post("/scim/v2/Users", json=body).status_code == 201


@pytest.mark.contract("Directory provisioning 2")
def test_users_of_another_organization_are_not_found(directory: Directory, outsider: Api) -> None:
    theirs = outsider.integration.post("/scim/v2/Users", json={"userName": "x"}).json()
    for path in (f"/Users/{theirs['id']}", f"/Users/{outsider.person_id}", "/Users/x", "/Groups/%20"):
        error_in(directory.client.get(path), 404)
    error_in(directory.patch(theirs, OFF), 404)
    assert theirs["id"] not in directory.search()
    body = {"displayName": "x", "members": [{"value": theirs["id"]}]}
    error_in(directory.client.post("/Groups", json=body), 400, "invalidValue")


@pytest.mark.contract("Directory provisioning 13")
def test_deactivation_disables_keys_immediately_and_history_keeps_the_name(directory: Directory) -> None:
    api = directory.api
    person_id, key = api.new_person("admin", f"{os.urandom(5).hex()}@example.org")
    person = api.client(key)
    sent = person.post(api.messages, json={"text": "I was here"}).json()
    made = person.post(f"{api.organization}/api-keys", json={"content": {"name": "Their bot", "spaces": []}}).json()
    [user] = [each for each in directory.client.get("/Users").json()["Resources"] if each["id"] == person_id]
    assert statuses(person) == {200}
    assert directory.patch(user, OFF).json()["active"] is False
    assert statuses(person) == {401}
    assert statuses(person, api.messages) == {401}
    assert statuses(api.client(made["key"]), api.organization) == {200}
    [message] = api.person.get(api.messages).json()["messages"]
    assert message["user_id"] == sent["user_id"] == person_id
    members = api.person.get(f"{api.organization}/members").json()["members"]
    assert [each["name"] for each in members if each["person_id"] == person_id] == [user["displayName"]]
    assert directory.patch(user, {"op": "replace", "path": "active", "value": True}).json()["active"] is True
    assert statuses(person) == {200}


def test_deletion_removes_the_membership_and_keeps_the_messages(directory: Directory) -> None:
    api = directory.api
    email = f"{os.urandom(5).hex()}@example.org"
    person_id, key = api.new_person("member", email)
    assert api.client(key).post(api.messages, json={"text": "bye"}).status_code == 201
    group = directory.group(members=[person_id])
    version = directory.read(group)["meta"]["version"]
    assert directory.client.delete(f"/Users/{person_id}").status_code == 204
    assert statuses(api.client(key)) == {401}
    assert directory.members(group) == set()
    assert directory.read(group)["meta"]["version"] != version
    assert [each["user_id"] for each in api.person.get(api.messages).json()["messages"]] == [person_id]
    assert api.sql("select name from actors where actor_id = $1", person_id)[0]["name"] == email.partition("@")[0]
    back = directory.user(email, emails=[{"value": email}])
    assert back["id"] == person_id, "who comes back is the one who went"


@pytest.mark.contract("Directory provisioning 14")
def test_the_last_super_admin_can_be_neither_deactivated_nor_deleted(directory: Directory) -> None:
    api = directory.api
    [user] = [each for each in directory.client.get("/Users").json()["Resources"] if each["id"] == api.person_id]
    for answer in (
        directory.patch(user, OFF),
        directory.patch(user, {"op": "Replace", "value": {"active": "False"}}),
        directory.client.put(f"/Users/{user['id']}", json={**user, "active": False}),
        directory.client.delete(f"/Users/{user['id']}"),
        directory.client.post("/Users", json={**user, "active": False}),
    ):
        assert "super_admin" in error_in(answer, 409)["detail"]
    bulk = {"Operations": [{"method": "DELETE", "path": f"/Users/{user['id']}"}]}
    assert directory.client.post("/Bulk", json=bulk).json()["Operations"][0]["status"] == "409"
    assert statuses(api.person) == {200}
    other_id, _ = api.new_person("super_admin")
    assert directory.patch(user, OFF).status_code == 200
    assert directory.client.delete(f"/Users/{user['id']}").status_code == 204
    error_in(directory.client.delete(f"/Users/{other_id}"), 409)


def test_the_address_of_a_member_changes_but_not_that_of_an_admin(directory: Directory) -> None:
    api = directory.api
    new = [f"{os.urandom(5).hex()}@example.org" for _ in range(2)]
    for person_id, address, follows in ((api.person_id, new[0], False), (api.new_person()[0], new[1], True)):
        user = directory.client.get(f"/Users/{person_id}").json()
        after = directory.patch_and_read(user, {"op": "replace", "path": "emails", "value": [{"value": address}]})
        assert after["emails"] == [{"value": address}]
        stored = api.sql("select email from people where person_id = $1", person_id)[0]["email"]
        assert (stored == address) is follows


def test_a_person_in_several_organizations_keeps_name_and_address(directory: Directory, outsider: Api) -> None:
    email = f"{os.urandom(5).hex()}@example.org"
    person_id, key = outsider.new_person("member", email)
    user = directory.user("shared", emails=[{"value": email}], displayName="Renamed")
    assert user["id"] == person_id
    directory.patch_and_read(user, {"op": "replace", "path": "emails", "value": [{"value": "elsewhere@example.org"}]})
    profile = outsider.client(key).get("/v1/me/profile").json()
    assert (profile["name"], profile["email"]) == (email.partition("@")[0], email)
    directory.patch_and_read(user, OFF)
    client = outsider.client(key)
    assert client.get(outsider.organization).status_code == 200
    assert_problem(client.get(directory.api.organization), 404)


@pytest.mark.contract("Signing in 25")
def test_a_pending_membership_elsewhere_reserves_neither_name_nor_address(directory: Directory, outsider: Api) -> None:
    email = f"{os.urandom(5).hex()}@example.org"
    person_id, key = directory.api.new_person("member", email)
    named = outsider.integration.post("/scim/v2/Users", json={"schemas": [CORE_USER], "userName": email})
    assert (named.status_code, named.json()["id"]) == (201, person_id)
    user, later = directory.client.get(f"/Users/{person_id}").json(), f"{os.urandom(5).hex()}@example.org"
    directory.patch_and_read(
        user,
        {"op": "replace", "path": "displayName", "value": "Renamed"},
        {"op": "replace", "path": "emails", "value": [{"value": later}]},
    )
    profile = directory.api.client(key).get("/v1/me/profile").json()
    assert (profile["name"], profile["email"]) == ("Renamed", later)


def test_two_people_may_share_an_address(directory: Directory) -> None:
    address = f"{os.urandom(5).hex()}@example.org"
    one, two = (directory.user(f"{address}-{nr}", emails=[{"value": address}]) for nr in range(2))
    assert one["id"] != two["id"]
    assert directory.search(filter=f'emails.value eq "{address}"') == [one["id"], two["id"]]
    owners = directory.api.sql("select person_id::text from people where email = $1", address)
    assert [each["person_id"] for each in owners] == [one["id"]]


@pytest.mark.contract("Directory provisioning 1")
def test_provisioning_requires_an_organization_key_of_an_admin(directory: Directory) -> None:
    api = directory.api
    for client in (api.person, api.client(api.new_integration(role="reader")["key"])):
        for path in ("/Users", "/Groups", "/Schemas", f"/Users/{api.person_id}"):
            error_in(client.get(f"/scim/v2{path}"), 403)
        error_in(client.post("/scim/v2/Users", json={"userName": "x"}), 403)
    error_in(api.client(None).get("/scim/v2/Users"), 401)
    error_in(api.client("atro_nonsense").delete(f"/scim/v2/Users/{api.person_id}"), 401)


@pytest.mark.contract("Directory provisioning 17")
def test_each_change_is_logged_once_and_no_change_is_not(directory: Directory) -> None:
    def actions() -> list[str]:
        return [entry["action"] for entry in entries(directory.api)]

    before = len(actions())
    user = directory.user(password="secret-of-mine")
    directory.patch_and_read(user, {"op": "add", "path": "title", "value": "Captain"})
    directory.patch_and_read(user, {"op": "add", "path": "title", "value": "Captain"})
    directory.client.put(f"/Users/{user['id']}", json=directory.read(user))
    directory.patch_and_read(user, OFF)
    directory.patch_and_read(user, {"op": "replace", "value": {"active": True, "title": "Admiral"}})
    group = directory.group(members=[user["id"]])
    directory.patch_and_read(group, {"op": "remove", "path": "members", "value": [{"value": user["id"]}]})
    directory.patch_and_read(group, {"op": "remove", "path": "members", "value": [{"value": user["id"]}]})
    directory.client.delete(f"/Groups/{group['id']}")
    directory.client.delete(f"/Users/{user['id']}")
    logged = actions()[: len(actions()) - before]
    assert logged == [
        "user.deleted",
        "group.deleted",
        "group.updated",
        "group.created",
        "user.reactivated",
        "user.deactivated",
        "user.updated",
        "user.created",
    ]
    assert "secret-of-mine" not in str(entries(directory.api))
    [change] = entries(directory.api, action="group.updated")
    assert change["after"] == {"members_removed": [user["id"]]}


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b'{"userName":"\\ud800"}', b"\xff"])
def test_a_body_that_is_not_a_json_object_is_rejected(directory: Directory, body: bytes) -> None:
    user, group = directory.user(), directory.group()
    for method, path in (
        ("POST", "/Users"),
        ("PUT", f"/Users/{user['id']}"),
        ("PATCH", f"/Users/{user['id']}"),
        ("POST", "/Groups"),
        ("PATCH", f"/Groups/{group['id']}"),
        ("POST", "/Bulk"),
        ("POST", "/.search"),
        ("POST", "/Users/.search"),
    ):
        error_in(directory.client.request(method, path, content=body), 400, "invalidSyntax")

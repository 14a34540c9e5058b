"""Provision as Microsoft Entra ID does: the requests in its documentation and those that it is known to send."""

from uuid import uuid4

import pytest

from tests.scim.conftest import CORE_GROUP, CORE_USER, ENTERPRISE, Directory, Json, error_in


def entra_user(**more: object) -> Json:
    """Return a user in the format of Entra."""
    return {
        "schemas": [CORE_USER, ENTERPRISE],
        "externalId": "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        "userName": "Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1",
        "active": True,
        "emails": [{"primary": True, "type": "work", "value": "Test_User_fd0ea19b@testuser.com"}],
        "meta": {"resourceType": "User"},
        "name": {"formatted": "givenName familyName", "familyName": "familyName", "givenName": "givenName"},
        "roles": [],
        **more,
    }


@pytest.mark.contract("Directory provisioning 10")
def test_a_user_is_created_once_and_found_by_each_name(directory: Directory) -> None:
    nobody = directory.client.get("/Users", params={"filter": 'userName eq "nobody"'})
    assert (nobody.status_code, nobody.json()["totalResults"]) == (200, 0)
    made = directory.created(directory.client.post("/Users", json=entra_user()))
    assert made["meta"]["resourceType"] == "User"
    assert made["active"] is True
    for scim_filter in (
        f'userName eq "{made["userName"].upper()}"',
        'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
        'emails[type eq "work"].value eq "test_user_fd0ea19b@testuser.com"',
        'emails[type eq "work" and value eq "Test_User_fd0ea19b@testuser.com"]',
        f'id eq "{made["id"]}"',
        f"userName eq {made['userName']}",
        "externalId eq 0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        'displayName eq "nobody" or externalId sw "0a21f0f2"',
    ):
        assert directory.search(filter=scim_filter) == [made["id"]], scim_filter
    error_in(directory.client.post("/Users", json=entra_user()), 409, "uniqueness")


def test_a_search_for_an_address_of_another_type_finds_none(directory: Directory) -> None:
    directory.user(emails=[{"type": "home", "value": "ada@home.example"}])
    assert directory.search(filter='emails[type eq "work"].value eq "ada@home.example"') == []
    assert len(directory.search(filter='emails[type eq "home"].value eq "ada@home.example"')) == 1


@pytest.mark.contract("Directory provisioning 10")
def test_capitalized_operations_and_an_address_by_type_are_accepted(directory: Directory) -> None:
    user = directory.created(directory.client.post("/Users", json=entra_user()))
    answer = directory.patch(
        user,
        {"op": "Replace", "path": 'emails[type eq "work"].value', "value": "updatedEmail@microsoft.com"},
        {"op": "Replace", "path": "name.familyName", "value": "updatedFamilyName"},
        {"op": "Add", "path": "title", "value": "Captain"},
    )
    assert answer.status_code == 200
    after = answer.json()
    assert after["emails"] == [{"primary": True, "type": "work", "value": "updatedEmail@microsoft.com"}]
    assert (after["name"]["familyName"], after["name"]["givenName"]) == ("updatedFamilyName", "givenName")
    assert after["title"] == "Captain"


@pytest.mark.parametrize("op", ["Add", "Replace"])
def test_a_missing_address_is_created(directory: Directory, op: str) -> None:
    user = directory.user()
    after = directory.patch_and_read(
        user,
        {"op": op, "path": 'emails[type eq "work"].value', "value": "new@corp.local"},
        {"op": op, "path": 'phoneNumbers[type eq "mobile"].value', "value": "+49 30 1"},
        {"op": op, "path": 'addresses[type eq "work"].locality', "value": "Berlin"},
    )
    assert after["emails"] == [{"type": "work", "value": "new@corp.local"}]
    assert after["phoneNumbers"] == [{"type": "mobile", "value": "+49 30 1"}]
    assert after["addresses"] == [{"type": "work", "locality": "Berlin"}]


@pytest.mark.parametrize("value", ["False", "false", False])
def test_a_user_is_disabled_by_every_form_of_false_and_enabled_again(directory: Directory, value: object) -> None:
    user = directory.user()
    off = directory.patch(user, {"op": "Replace", "path": "active", "value": value})
    assert (off.status_code, off.json()["active"]) == (200, False)
    assert directory.read(user)["active"] is False
    assert directory.search(filter=f'userName eq "{user["userName"]}"') == [user["id"]]
    on = directory.patch(user, {"op": "Replace", "path": "active", "value": "True"})
    assert (on.status_code, on.json()["active"]) == (200, True)


@pytest.mark.contract("Directory provisioning 10")
def test_dotted_keys_without_a_path_are_attributes(directory: Directory) -> None:
    user = directory.user(name={"givenName": "Ada", "familyName": "Byron"})
    value = {"name.familyName": "Lovelace", f"{ENTERPRISE}:department": "Engines", "active": "False"}
    answer = directory.patch(user, {"op": "Replace", "value": value})
    assert answer.status_code == 200
    after = answer.json()
    assert after["name"] == {"givenName": "Ada", "familyName": "Lovelace"}
    assert (after[ENTERPRISE], after["active"]) == ({"department": "Engines"}, False)
    assert set(after["schemas"]) == {CORE_USER, ENTERPRISE}


@pytest.mark.contract("Directory provisioning 10")
@pytest.mark.parametrize(
    "value",
    ["8", ["8"], [{"value": "8"}], {"value": "8"}, [{"$ref": "https://x/Users/8", "value": "8"}]],
    ids=["text", "texts", "array", "object", "array with a reference"],
)
@pytest.mark.parametrize("op", ["Add", "Replace"])
def test_a_manager_is_accepted_in_every_format_and_removed(directory: Directory, op: str, value: object) -> None:
    user = directory.user()
    after = directory.patch_and_read(user, {"op": op, "path": f"{ENTERPRISE}:manager", "value": value})
    assert after[ENTERPRISE]["manager"]["value"] == "8"
    after = directory.patch_and_read(user, {"op": "Remove", "path": f"{ENTERPRISE}:manager"})
    assert "manager" not in after.get(ENTERPRISE, {})
    created = directory.user(**{ENTERPRISE: {"manager": value, "department": "D"}})
    assert (created[ENTERPRISE]["manager"]["value"], created[ENTERPRISE]["department"]) == ("8", "D")


def test_an_empty_manager_removes_the_manager(directory: Directory) -> None:
    user = directory.user(**{ENTERPRISE: {"manager": {"value": "8"}, "department": "D"}})
    for value in ("", [], None):
        after = directory.patch_and_read(user, {"op": "Replace", "path": f"{ENTERPRISE}:manager", "value": value})
        assert after[ENTERPRISE] == {"department": "D"}


def test_enterprise_attributes_are_changed_by_their_paths(directory: Directory) -> None:
    user = directory.user(**{ENTERPRISE: {"employeeNumber": "701984", "costCenter": "4130"}})
    after = directory.patch_and_read(
        user,
        {"op": "Add", "path": f"{ENTERPRISE}:department", "value": "Engines"},
        {"op": "Replace", "path": f"{ENTERPRISE}:costCenter", "value": "1"},
        {"op": "Remove", "path": f"{ENTERPRISE}:employeeNumber", "value": None},
    )
    assert after[ENTERPRISE] == {"department": "Engines", "costCenter": "1"}


def test_a_filter_on_a_quoted_boolean_is_accepted(directory: Directory) -> None:
    after = directory.patch_and_read(
        directory.user(), {"op": "Add", "path": 'roles[primary eq "True"].value', "value": "dev"}
    )
    assert after["roles"] == [{"primary": True, "value": "dev"}]


def test_unknown_attributes_are_ignored(directory: Directory) -> None:
    custom = "urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User"
    user = directory.user(**{custom: {"tag": "701984"}, "shoeSize": 43})
    assert not {custom, "shoeSize"} & directory.read(user).keys()
    assert directory.patch(user, {"op": "Add", "path": f"{custom}:tag", "value": "1"}).status_code == 200
    error_in(directory.patch(user, {"op": "Add", "path": "shoeSize", "value": "1"}), 400, "invalidPath")


def test_a_group_is_created_found_without_members_and_renamed(directory: Directory) -> None:
    group = directory.group("displayName 1", externalId="8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159")
    user = directory.user()
    directory.patch_and_read(group, {"op": "Add", "path": "members", "value": [{"$ref": None, "value": user["id"]}]})
    query = {"excludedAttributes": "members", "filter": 'displayName eq "displayName 1"'}
    page = directory.client.get("/Groups", params=query).json()
    assert [each["id"] for each in page["Resources"]] == [group["id"]]
    assert "members" not in page["Resources"][0]
    assert "members" not in directory.read(group, excludedAttributes="members")
    renamed = directory.patch(group, {"op": "Replace", "path": "displayName", "value": "1879db59"})
    assert (renamed.status_code, renamed.content) == (204, b"")
    assert directory.read(group)["displayName"] == "1879db59"
    assert directory.search("/Groups", filter='externalId eq "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159"') == [group["id"]]


@pytest.mark.contract("Directory provisioning 10")
def test_members_are_added_and_removed_by_values_and_by_a_filter(directory: Directory) -> None:
    one, two, three, four = (directory.user()["id"] for _ in range(4))
    group = directory.group()
    added = directory.patch(group, {"op": "Add", "path": "members", "value": [{"value": each} for each in (one, two)]})
    assert added.status_code == 204
    directory.patch_and_read(group, {"op": "Add", "path": "members", "value": [{"value": three}, {"value": four}]})
    assert directory.members(group) == {one, two, three, four}
    removed = directory.patch(group, {"op": "Remove", "path": "members", "value": [{"$ref": None, "value": one}]})
    assert removed.status_code == 204
    assert directory.members(group) == {two, three, four}
    directory.patch_and_read(group, {"op": "Remove", "path": f'members[value eq "{two}"]'})
    directory.patch_and_read(group, {"op": "Remove", "path": f"members[value eq {three}]"})
    assert directory.members(group) == {four}
    directory.patch_and_read(group, {"op": "Remove", "path": "members"})
    assert directory.members(group) == set()


@pytest.mark.contract("Directory provisioning 10")
def test_an_empty_list_replaces_all_members(directory: Directory) -> None:
    group = directory.group(members=[directory.user()["id"], directory.user()["id"]])
    directory.patch_and_read(group, {"op": "Remove", "path": "members", "value": []})
    assert len(directory.members(group)) == 2
    directory.patch_and_read(group, {"op": "Replace", "path": "members", "value": []})
    assert "members" not in directory.read(group)


def test_groups_are_found_by_member(directory: Directory) -> None:
    user, other = directory.user(), directory.user()
    group = directory.group(members=[user["id"]])
    directory.group("Others", members=[other["id"]])
    for scim_filter in (
        f'members.value eq "{user["id"]}"',
        f'members[value eq "{user["id"]}"]',
        f'members eq "{user["id"]}"',
    ):
        assert directory.search("/Groups", filter=scim_filter) == [group["id"]]
    both = f'id eq "{group["id"]}" and members[value eq "{user["id"]}"]'
    assert directory.search("/Groups", filter=both, attributes="id") == [group["id"]]
    assert directory.search("/Groups", filter=both.replace(user["id"], other["id"])) == []
    assert [each["value"] for each in directory.read(user)["groups"]] == [group["id"]]
    assert directory.search(filter=f'groups.value eq "{group["id"]}"') == [user["id"]]


@pytest.mark.contract("Directory provisioning 3")
def test_users_and_groups_are_deleted(directory: Directory) -> None:
    user, group = directory.user(), directory.group()
    for resource, kind in ((user, "Users"), (group, "Groups")):
        gone = directory.client.delete(f"/{kind}/{resource['id']}")
        assert (gone.status_code, gone.content) == (204, b"")
        error_in(directory.client.get(f"/{kind}/{resource['id']}"), 404)
        error_in(directory.client.delete(f"/{kind}/{resource['id']}"), 404)
        error_in(directory.patch(resource, {"op": "Add", "path": "displayName", "value": "x"}), 404)


@pytest.mark.contract("Directory provisioning 11")
@pytest.mark.parametrize("path", ["members", f"{CORE_GROUP}:members", f"{CORE_GROUP.upper()}:MEMBERS", " members "])
def test_removing_a_member_by_any_path_removes_that_member_only(directory: Directory, path: str) -> None:
    one, two = (directory.user()["id"] for _ in range(2))
    group = directory.group(members=[one, two])
    directory.patch_and_read(group, {"op": "remove", "path": path, "value": str(uuid4())})
    assert directory.members(group) == {one, two}
    directory.patch_and_read(group, {"op": "remove", "path": path, "value": one})
    assert directory.members(group) == {two}
    directory.patch_and_read(group, {"op": "add", "value": {path: [{"value": one}]}})
    assert directory.members(group) == {one, two}


@pytest.mark.contract("Directory provisioning 10")
def test_keys_without_a_path_are_applied_or_rejected(directory: Directory) -> None:
    user = directory.user(emails=[{"value": "old@corp.local", "type": "work"}])
    value = {'emails[type eq "work"].value': "new@corp.local", f"{CORE_USER}:title": "Captain"}
    after = directory.patch_and_read(user, {"op": "replace", "value": value})
    assert (after["emails"][0]["value"], after["title"]) == ("new@corp.local", "Captain")
    error_in(directory.patch(user, {"op": "replace", "value": {"title": "x", "shoeSize": 43}}), 400, "invalidPath")
    assert directory.read(user)["title"] == "Captain"
    assert directory.patch(user, {"op": "replace", "value": {"id": user["id"]}}).status_code == 200


@pytest.mark.contract("Directory provisioning 4")
def test_a_group_is_found_by_an_unquoted_name_with_spaces(directory: Directory) -> None:
    group = directory.group("EDU All personal")
    directory.group("EDU")
    assert directory.search("/Groups", filter="displayName eq EDU All personal") == [group["id"]]

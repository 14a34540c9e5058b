"""Provision as Okta does: the requests in its documentation."""

import pytest

from tests.scim.conftest import CORE_GROUP, CORE_USER, ENTERPRISE, Directory, Json, error_in


def okta_user(**more: object) -> Json:
    """Return a user in the format of Okta."""
    return {
        "schemas": [CORE_USER],
        "userName": "test.user@okta.local",
        "name": {"givenName": "Test", "familyName": "User"},
        "emails": [{"primary": True, "value": "test.user@okta.local", "type": "work"}],
        "displayName": "Test User",
        "locale": "en-US",
        "externalId": "00ujl29u0le5T6Aj10h7",
        "groups": [],
        "password": "1mz050nq",
        "active": True,
        **more,
    }


@pytest.mark.contract("Directory provisioning 12")
def test_a_user_is_looked_up_created_and_read(directory: Directory) -> None:
    query = {"filter": 'userName eq "test.user@okta.local"', "startIndex": "1", "count": "100"}
    page = directory.client.get("/Users", params=query).json()
    assert (page["totalResults"], page["startIndex"], page["itemsPerPage"]) == (0, 1, 0)
    made = directory.created(directory.client.post("/Users", json=okta_user()))
    assert "password" not in made
    assert (made["displayName"], made["locale"], made["active"]) == ("Test User", "en-US", True)
    assert directory.read(made) == made
    assert directory.search(**query) == [made["id"]]
    error_in(directory.client.post("/Users", json=okta_user()), 409, "uniqueness")
    assert not directory.api.sql("select from directory_users where attributes::text like '%1mz050nq%'")


@pytest.mark.contract("Directory provisioning 12")
def test_a_user_is_replaced(directory: Directory) -> None:
    made = directory.created(directory.client.post("/Users", json=okta_user()))
    body = okta_user(
        id=made["id"],
        meta=made["meta"],
        name={"givenName": "Another", "familyName": "User"},
        displayName="Another User",
        **{ENTERPRISE: {"department": "Sales", "manager": {"value": "00u1", "displayName": "The Boss"}}},
    )
    del body["locale"]
    put = directory.client.put(f"/Users/{made['id']}", json=body)
    assert put.status_code == 200
    after = put.json()
    assert (after["id"], after["displayName"]) == (made["id"], "Another User")
    assert (after["name"]["givenName"], after[ENTERPRISE]["manager"]) == ("Another", {"value": "00u1"})
    assert "locale" not in after
    assert after["meta"]["created"] == made["meta"]["created"]
    error_in(directory.client.put("/Users/0d2f7a52-5f0e-4f0c-9d5e-6d1f3f6f2a11", json=body), 404)


@pytest.mark.contract("Directory provisioning 12")
def test_a_user_is_deactivated_and_reactivated_without_a_path(directory: Directory) -> None:
    made = directory.created(directory.client.post("/Users", json=okta_user()))
    off = directory.patch(made, {"op": "replace", "value": {"active": False}})
    assert (off.status_code, off.json()["active"]) == (200, False)
    on = directory.patch(made, {"op": "replace", "value": {"active": True}})
    assert (on.status_code, on.json()["active"]) == (200, True)


def test_a_user_deactivated_by_put_stays_so_when_active_is_missing(directory: Directory) -> None:
    made = directory.created(directory.client.post("/Users", json=okta_user()))
    off = directory.client.put(f"/Users/{made['id']}", json=okta_user(active=False))
    assert (off.status_code, off.json()["active"]) == (200, False)
    silent = okta_user(title="Gone")
    del silent["active"]
    assert directory.client.put(f"/Users/{made['id']}", json=silent).json()["active"] is False
    assert directory.client.put(f"/Users/{made['id']}", json=okta_user()).json()["active"] is True


@pytest.mark.contract("Directory provisioning 12")
def test_a_group_is_created_renamed_replaced_and_deleted(directory: Directory) -> None:
    one, two = directory.user(), directory.user()
    body = {"schemas": [CORE_GROUP], "displayName": "Test SCIMv2", "members": []}
    group = directory.created(directory.client.post("/Groups", json=body))
    renamed = {"op": "replace", "value": {"id": group["id"], "displayName": "Test SCIMv2 renamed"}}
    assert directory.patch_and_read(group, renamed)["displayName"] == "Test SCIMv2 renamed"
    directory.patch_and_read(
        group,
        {"op": "add", "path": "members", "value": [{"value": one["id"], "display": "test.user@okta.local"}]},
        {"op": "add", "path": "members", "value": [{"value": two["id"], "display": "x"}]},
    )
    assert directory.members(group) == {one["id"], two["id"]}
    directory.patch_and_read(group, {"op": "remove", "path": f'members[value eq "{one["id"]}"]'})
    assert directory.members(group) == {two["id"]}
    put = directory.client.put(
        f"/Groups/{group['id']}", json={**body, "members": [{"value": one["id"], "display": "x"}]}
    )
    assert put.status_code == 200
    assert [each["value"] for each in put.json()["members"]] == [one["id"]]
    assert put.json()["displayName"] == "Test SCIMv2"
    page = directory.client.get("/Groups", params={"startIndex": "1", "count": "100"}).json()
    assert page["totalResults"] == 1
    assert directory.client.delete(f"/Groups/{group['id']}").status_code == 204


def test_all_members_are_replaced(directory: Directory) -> None:
    one, two, three = (directory.user()["id"] for _ in range(3))
    group = directory.group(members=[one, two])
    directory.patch_and_read(group, {"op": "replace", "path": "members", "value": [{"value": two}, {"value": three}]})
    assert directory.members(group) == {two, three}
    directory.patch_and_read(group, {"op": "replace", "value": {"displayName": "New", "members": [{"value": one}]}})
    assert (directory.members(group), directory.read(group)["displayName"]) == ({one}, "New")


def test_users_are_imported_page_by_page(directory: Directory) -> None:
    made = {directory.user()["id"] for _ in range(7)}
    seen: list[str] = []
    while page := directory.search(startIndex=len(seen) + 1, count=3):
        seen += page
    assert len(seen) == len(set(seen)) == 8
    assert set(seen) - made == {directory.api.person_id}

"""The audit log says which personal keys work again when an account is reactivated."""

from typing import Any

import pytest

from tests.conftest import Api


def reactivation(api: Api, action: str) -> dict[str, Any]:
    entries = api.person.get(f"{api.organization}/audit-log", params={"action": action}).json()["entries"]
    return dict(entries[0])


@pytest.mark.contract("Roles and keys 21")
def test_the_entry_of_a_reactivation_names_the_keys_that_work_again(api: Api) -> None:
    person_id, key = api.new_person()
    member = f"{api.organization}/members/{person_id}"
    for active in (False, True):
        assert api.person.patch(member, json={"content": {"active": active}}).status_code == 200
    assert api.client(key).get("/v1/me/profile").status_code == 200
    entry = reactivation(api, "member.reactivated")
    assert entry["before"] == {"active": False, "api_keys": []}
    assert entry["after"] == {"active": True, "api_keys": [f"First key (…{key[-4:]})"]}


@pytest.mark.contract("Roles and keys 21")
def test_the_entry_of_a_reactivation_by_the_directory_names_them_too(api: Api) -> None:
    person_id, key = api.new_person()
    user = f"/scim/v2/Users/{person_id}"
    for active in (False, True):
        operations = [{"op": "replace", "path": "active", "value": active}]
        assert api.integration.patch(user, json={"Operations": operations}).is_success
    assert reactivation(api, "user.reactivated")["after"]["api_keys"] == [f"First key (…{key[-4:]})"]


@pytest.mark.contract("Roles and keys 21")
def test_without_keys_the_entry_names_none(api: Api) -> None:
    person_id, key = api.new_person()
    own = api.client(key).get("/v1/me/integrations").json()["integrations"][0]["api_key_id"]
    assert api.client(key).delete(f"/v1/me/integrations/{own}").status_code == 204
    for active in (False, True):
        api.person.patch(f"{api.organization}/members/{person_id}", json={"content": {"active": active}})
    assert reactivation(api, "member.reactivated")["after"] == {"active": True}

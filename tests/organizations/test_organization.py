"""The organization itself: who reads and renames it."""

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem


def test_an_organization_includes_the_callers_role(api: Api) -> None:
    answer = api.person.get(api.organization)
    assert answer.status_code == 200
    shown = answer.json()["organization"]
    assert set(shown) == {"organization_id", "name", "created_at", "role"}
    assert (shown["organization_id"], shown["name"], shown["role"]) == (api.organization_id, "Acme", "super_admin")
    assert api.integration.get(api.organization).json()["organization"]["role"] == "admin"


@pytest.mark.parametrize(
    ("role", "rename"), [("guest", 403), ("member", 403), ("reader", 403), ("admin", 200), ("super_admin", 200)]
)
def test_admins_can_rename_it(api: Api, role: str, rename: int) -> None:
    _, key = api.new_person(role)
    for client in (api.client(key), api.client(api.new_integration(role=role)["key"])):
        assert client.get(api.organization).status_code == 200
        changed = client.patch(api.organization, json={"content": {"name": "Renamed"}})
        assert changed.status_code == rename
        name = api.person.get(api.organization).json()["organization"]["name"]
        assert name == ("Renamed" if rename == 200 else "Acme")
        if rename == 200:
            assert changed.json()["organization"] == client.get(api.organization).json()["organization"]


@pytest.mark.parametrize("field", ["organization_id", "created_at", "role", "plan"])
def test_a_field_that_cannot_change_is_rejected_and_named(api: Api, field: str) -> None:
    answer = api.person.patch(api.organization, json={"content": {"name": "x", field: "x"}})
    assert assert_problem(answer, 400)["errors"][0]["pointer"] == f"/content/{field}"


def test_another_organization_is_not_found(api: Api, outsider: Api) -> None:
    for client in (outsider.person, outsider.integration):
        assert assert_problem(client.get(api.organization), 404)["code"] == "organization_not_found"

"""Callers who manage a key can renew it after it expired, and change the expiry of a valid one."""

from typing import Any

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

LATER = "2091-01-01T00:00:00.000Z"
EXPIRE = "update api_keys set expires_at = now() - interval '1 second' where api_key_id = $1::text::uuid"


def path(api: Api, shown: dict[str, Any]) -> str:
    return f"{api.organization}/api-keys/{shown['api_key']['api_key_id']}"


def expired_integration_key(api: Api) -> tuple[str, str]:
    made = api.new_integration()
    api.sql(EXPIRE, made["api_key"]["api_key_id"])
    return path(api, made), made["key"]


def expired_personal_key(api: Api) -> tuple[str, str]:
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "x", "expires_at": LATER}}).json()
    api.sql(EXPIRE, made["api_key"]["api_key_id"])
    return f"/v1/me/integrations/{made['api_key']['api_key_id']}", made["key"]


@pytest.mark.contract("Roles and keys 23")
@pytest.mark.parametrize("expired", [expired_integration_key, expired_personal_key])
@pytest.mark.parametrize("until", [LATER, None])
def test_an_expired_key_is_renewed_by_rotating_it(api: Api, expired: Any, until: str | None) -> None:
    at, old = expired(api)
    for body in ({}, {"json": {"content": {}}}):
        assert assert_problem(api.person.post(f"{at}/rotate", **body), 409)["code"] == "api_key_expired"
    renewed = api.person.post(f"{at}/rotate", json={"content": {"expires_at": until}})
    assert renewed.status_code == 200, renewed.text
    assert renewed.json()["api_key"]["expires_at"] == until
    assert api.client(renewed.json()["key"]).get(api.organization).status_code == 200
    assert_problem(api.client(old).get(api.organization), 401)


@pytest.mark.contract("Roles and keys 23")
def test_a_rotation_keeps_or_changes_the_expiry(api: Api) -> None:
    made = api.new_integration()
    moved = api.person.post(f"{path(api, made)}/rotate", json={"content": {"expires_at": LATER}}).json()
    assert moved["api_key"]["expires_at"] == LATER
    for body in ({}, {"json": {}}, {"json": {"content": {}}}, {"content": b""}):
        assert api.person.post(f"{path(api, made)}/rotate", **body).json()["api_key"]["expires_at"] == LATER
    assert_problem(api.person.post(f"{path(api, made)}/rotate", json={"content": {"expires_at": "2020-01-01"}}), 400)
    assert_problem(api.person.post(f"{path(api, made)}/rotate", json={"content": {"name": "x"}}), 400)


@pytest.mark.contract("Roles and keys 23")
def test_the_expiry_of_a_valid_key_can_be_changed(api: Api) -> None:
    made = api.new_integration()
    for until in (LATER, "2090-01-01T00:00:00.000Z", None):
        changed = api.person.patch(path(api, made), json={"content": {"expires_at": until}})
        assert changed.json()["api_key"] == made["api_key"] | {"expires_at": until}
        assert api.client(made["key"]).get(api.organization).status_code == 200
    passed = api.person.patch(path(api, made), json={"content": {"expires_at": "2020-01-01"}})
    assert assert_problem(passed, 400)["errors"][0]["pointer"] == "/content/expires_at"
    api.sql(EXPIRE, made["api_key"]["api_key_id"])
    for until in (LATER, None):
        late = api.person.patch(path(api, made), json={"content": {"expires_at": until}})
        assert assert_problem(late, 409)["code"] == "api_key_expired", (
            "everyone who kept the old key would have access again"
        )
    present = api.person.get(path(api, made)).json()["api_key"]["expires_at"]
    same = api.person.patch(path(api, made), json={"content": {"expires_at": present, "name": "Old"}})
    assert same.json()["api_key"]["name"] == "Old"

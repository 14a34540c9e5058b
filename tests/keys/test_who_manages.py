"""Managing a key gives no more access than the caller has: by its role, its spaces or its expiry."""

from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem, subscription

SOON, LATER = "2090-01-01T00:00:00.000Z", "2091-01-01T00:00:00.000Z"


def path(api: Api, shown: dict[str, Any]) -> str:
    return f"{api.organization}/api-keys/{shown['api_key']['api_key_id']}"


def change_key(client: httpx.Client, at: str, **content: Any) -> httpx.Response:
    return client.patch(at, json={"content": content})


def client_with_expiring_key(api: Api) -> httpx.Client:
    """Return a client of the super_admin with a personal key that expires."""
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "x", "expires_at": SOON}})
    return api.client(made.json()["key"])


@pytest.mark.contract("Roles and keys 17")
@pytest.mark.parametrize("role", ["admin", "super_admin"])
def test_only_a_super_admin_manages_keys_of_integrations_that_are_admin_or_higher(api: Api, role: str) -> None:
    """With a directory's key, an admin could remove super_admins."""
    directory, member = api.new_integration(role=role), api.new_integration()
    admin = api.client(api.new_person("admin")[1])
    for client in (admin, api.integration):
        assert_problem(client.post(f"{path(api, directory)}/rotate"), 403)
        for change in ({"name": "Mine"}, {"spaces": []}, {"organization_role": "member"}, {"expires_at": LATER}):
            assert_problem(change_key(client, path(api, directory), **change), 403)
        made = {"name": "Mine", "spaces": [], "organization_role": role}
        assert_problem(client.post(f"{api.organization}/api-keys", json={"content": made}), 403)
        assert_problem(change_key(client, path(api, member), organization_role=role), 403)
    assert api.person.get(path(api, directory)).json()["api_key"] == directory["api_key"]
    assert api.client(directory["key"]).get(api.organization).status_code == 200
    assert change_key(api.person, path(api, directory), name="Theirs").status_code == 200
    assert api.person.post(f"{path(api, directory)}/rotate").status_code == 200


@pytest.mark.contract("Roles and keys 17")
def test_an_admin_manages_the_keys_of_other_integrations(api: Api) -> None:
    admin = api.client(api.new_person("admin")[1])
    content = {"name": "x", "spaces": [{"space_id": api.new_space("private"), "role": "admin"}]}
    bot = admin.post(f"{api.organization}/api-keys", json={"content": {**content, "organization_role": "reader"}})
    assert bot.status_code == 201
    assert change_key(admin, path(api, bot.json()), name="y", spaces=[], organization_role="guest").status_code == 200
    assert admin.post(f"{path(api, bot.json())}/rotate").status_code == 200
    assert admin.delete(path(api, bot.json())).status_code == 204


@pytest.mark.contract("Roles and keys 17")
def test_an_integration_cannot_manage_a_key_that_reaches_further_than_its_own(api: Api) -> None:
    """It could read with the other key what it was not granted, or revoke the other's grants."""
    private = api.new_space("private")
    within = {"space_id": api.space_id, "role": "member"}
    for grants in ([{"space_id": private, "role": "reader"}], [within, {"space_id": private, "role": "admin"}]):
        other = api.new_integration(grants)
        assert_problem(api.integration.post(f"{path(api, other)}/rotate"), 403)
        for change in ({"spaces": []}, {"spaces": [within]}, {"name": "x"}, {"organization_role": "guest"}):
            assert_problem(change_key(api.integration, path(api, other), **change), 403)
        assert_problem(api.integration.delete(path(api, other)), 403)
        assert api.person.get(path(api, other)).json()["api_key"] == other["api_key"]
        assert api.client(other["key"]).get(f"/v1/spaces/{private}").status_code == 200


def test_an_integration_cannot_manage_a_key_with_a_higher_space_role_than_its_own(api: Api) -> None:
    member, admin = [{"space_id": api.space_id, "role": role} for role in ("member", "admin")]
    client, other = api.client(api.new_integration([member], role="admin")["key"]), api.new_integration([admin])
    assert_problem(client.post(f"{path(api, other)}/rotate"), 403)
    assert_problem(client.delete(path(api, other)), 403)
    assert client.post(f"{path(api, api.new_integration([member]))}/rotate").status_code == 200


@pytest.mark.contract("Roles and keys 17")
def test_an_integration_manages_the_keys_that_reach_no_further(api: Api) -> None:
    """The key that `atrium init` creates is used for this."""
    content = {"name": "Deploy bot", "spaces": [{"space_id": api.space_id, "role": "admin"}]}
    made = api.integration.post(f"{api.organization}/api-keys", json={"content": content})
    assert made.status_code == 201
    assert change_key(api.integration, path(api, made.json()), name="Deploys", spaces=[]).status_code == 200
    rotated = api.integration.post(f"{path(api, made.json())}/rotate")
    assert api.client(rotated.json()["key"]).get(api.organization).status_code == 200
    assert api.integration.delete(path(api, made.json())).status_code == 204


@pytest.mark.contract("Roles and keys 20")
def test_a_personal_key_expires_no_later_than_the_key_that_created_it(api: Api) -> None:
    client, own = client_with_expiring_key(api), "/v1/me/integrations"
    made = client.post(own, json={"content": {"name": "x"}}).json()
    assert made["api_key"]["expires_at"] == SOON, "where nothing is said"
    sooner = client.post(own, json={"content": {"name": "x", "expires_at": "2089-01-01"}}).json()
    assert sooner["api_key"]["expires_at"] == "2089-01-01T00:00:00.000Z"
    for until in (LATER, "2090-01-01T00:00:01Z"):
        problem = assert_problem(client.post(own, json={"content": {"name": "x", "expires_at": until}}), 400)
        assert problem["errors"][0]["pointer"] == "/content/expires_at"
    [first, *_] = client.get(own).json()["integrations"]
    assert first["expires_at"] is None
    for content in ({}, {"expires_at": LATER}, {"expires_at": None}):
        assert_problem(client.post(f"{own}/{first['api_key_id']}/rotate", json={"content": content}), 403)
    assert api.person.get("/v1/me/profile").status_code == 200
    rotated = client.post(f"{own}/{sooner['api_key']['api_key_id']}/rotate", json={"content": {"expires_at": SOON}})
    assert rotated.json()["api_key"]["expires_at"] == SOON


@pytest.mark.contract("Roles and keys 20")
def test_an_integrations_key_expires_no_later_than_the_key_that_created_it(api: Api) -> None:
    parent, content = api.new_integration(role="admin"), {"name": "Child", "spaces": []}
    assert change_key(api.person, path(api, parent), expires_at=SOON).status_code == 200
    client, keys = api.client(parent["key"]), f"{api.organization}/api-keys"
    made = client.post(keys, json={"content": content}).json()
    assert made["api_key"]["expires_at"] == SOON
    assert_problem(client.post(keys, json={"content": {**content, "expires_at": LATER}}), 400)
    assert_problem(change_key(client, path(api, made), expires_at=None), 403)
    assert_problem(client.post(f"{path(api, made)}/rotate", json={"content": {"expires_at": LATER}}), 403)
    assert client.post(f"{path(api, made)}/rotate").json()["api_key"]["expires_at"] == SOON


@pytest.mark.contract("Roles and keys 20")
def test_a_session_can_create_a_key_that_does_not_expire(api: Api) -> None:
    token = {"content": {"token": api.sign_in_url.partition("#token=")[2]}}
    browser, headers = api.client(None), {"sec-fetch-site": "same-origin"}
    assert browser.post("/v1/sessions/link", json=token, headers=headers).status_code == 201
    made = browser.post("/v1/me/integrations", json={"content": {"name": "Laptop"}}, headers=headers)
    assert made.json()["api_key"]["expires_at"] is None


@pytest.mark.contract("Roles and keys 22")
def test_a_person_has_at_most_fifty_keys(api: Api) -> None:
    _, key = api.new_person()
    client, own = api.client(key), "/v1/me/integrations"
    made = [client.post(own, json={"content": {"name": "x"}}).json() for _ in range(49)]
    problem = assert_problem(client.post(own, json={"content": {"name": "x"}}), 409)
    assert problem["code"] == "too_many_keys"
    assert client.delete(f"{own}/{made[0]['api_key']['api_key_id']}").status_code == 204
    assert client.post(own, json={"content": {"name": "x"}}).status_code == 201


@pytest.mark.contract("Roles and keys 19")
def test_an_integration_cannot_redirect_events_that_it_could_not_subscribe_to(api: Api) -> None:
    """It would receive the events of rooms that it cannot reach."""
    private = api.new_space("private")
    content = {
        "name": "x",
        "endpoint_url": "http://127.0.0.1:9/mine",
        "subscriptions": [subscription(private, "SPACE")],
    }
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content}).json()["webhook"]
    at = f"{api.organization}/webhooks/{made['id']}"
    refused = assert_problem(change_key(api.integration, at, endpoint_url="http://127.0.0.1:9/theirs"), 403)
    assert "subscribes to a room or space that you have no access to" in refused["detail"]
    assert api.person.get(at).json()["webhook"]["endpoint_url"] == content["endpoint_url"]
    assert change_key(api.integration, at, endpoint_url=content["endpoint_url"], name="y").status_code == 200
    assert change_key(api.person, at, endpoint_url="http://127.0.0.1:9/new").status_code == 200
    assert api.person.delete(f"/v1/spaces/{private}").status_code == 204
    assert change_key(api.integration, at, endpoint_url="http://127.0.0.1:9/gone").status_code == 200

"""Several keys of one integration, so that a key can be replaced without downtime."""

from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem


def keys_of(api: Api, shown: dict[str, Any]) -> str:
    return f"{api.organization}/integrations/{shown['api_key']['integration_id']}/api-keys"


def another(api: Api, shown: dict[str, Any], client: httpx.Client | None = None, **limits: Any) -> httpx.Response:
    content = {"key_name": "another", **limits}
    return (client or api.person).post(keys_of(api, shown), json={"content": content})


@pytest.mark.contract("Scopes and networks 12")
def test_an_integration_is_used_with_each_of_its_keys_until_each_is_revoked(api: Api) -> None:
    first = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    made = another(api, first, scopes=["messages:write"])
    second = made.json()
    assert made.status_code == 201
    assert second["api_key"] == first["api_key"] | {
        name: second["api_key"][name] for name in ("api_key_id", "created_at", "last_four")
    } | {"key_name": "another", "scopes": ["messages:write"]}
    sent = [api.client(shown["key"]).post(api.messages, json={"text": "hi"}).json() for shown in (first, second)]
    assert {message["user_id"] for message in sent} == {first["api_key"]["integration_id"]}
    listed = api.person.get(keys_of(api, first)).json()["api_keys"]
    assert [key["api_key_id"] for key in listed] == [each["api_key"]["api_key_id"] for each in (first, second)]
    assert second["key"] not in api.person.get(keys_of(api, first)).text
    assert api.person.delete(f"{api.organization}/api-keys/{first['api_key']['api_key_id']}").status_code == 204
    assert_problem(api.client(first["key"]).post(api.messages, json={"text": "no"}), 401)
    assert api.client(second["key"]).post(api.messages, json={"text": "still"}).status_code == 201


@pytest.mark.contract("Scopes and networks 12")
def test_a_key_is_renamed_apart_from_its_integration(api: Api) -> None:
    first = api.new_integration()
    second = another(api, first).json()
    at = f"{api.organization}/api-keys"
    api.person.patch(f"{at}/{second['api_key']['api_key_id']}", json={"content": {"key_name": "new office"}})
    api.person.patch(f"{at}/{first['api_key']['api_key_id']}", json={"content": {"name": "Robot"}})
    listed = api.person.get(keys_of(api, first)).json()["api_keys"]
    assert [(key["name"], key["key_name"]) for key in listed] == [("Robot", "Robot"), ("Robot", "new office")]


@pytest.mark.contract("Scopes and networks 27")
def test_only_who_may_manage_the_integration_creates_its_keys(api: Api) -> None:
    plain, above = api.new_integration(), api.new_integration(role="admin")
    private = api.new_integration([{"space_id": api.new_space("private"), "role": "reader"}])
    admin, reader = (api.client(api.new_person(role)[1]) for role in ("admin", "reader"))
    assert_problem(another(api, plain, reader), 403)
    assert_problem(another(api, above, admin), 403)
    assert_problem(another(api, private, api.integration), 403)
    assert another(api, plain, admin).status_code == 201
    assert another(api, above).status_code == 201


@pytest.mark.contract("Scopes and networks 27")
def test_there_are_keys_only_of_integrations_of_the_organization(api: Api, outsider: Api) -> None:
    """The identity behind an incoming webhook is no integration, and an integration without keys has ended."""
    incoming = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "Grafana"}).json()
    message = api.client(None).post(httpx.URL(incoming["url"]).path, json={"text": "down"})
    assert message.is_success, message.text
    [sent] = [each for each in api.person.get(api.messages).json()["messages"] if each["text"] == "down"]
    ended = api.new_integration()
    assert api.person.delete(f"{api.organization}/api-keys/{ended['api_key']['api_key_id']}").status_code == 204
    foreign = outsider.new_integration()["api_key"]["integration_id"]
    for integration_id in (sent["user_id"], ended["api_key"]["integration_id"], foreign, api.person_id):
        path = f"{api.organization}/integrations/{integration_id}/api-keys"
        made = api.person.post(path, json={"content": {"key_name": "x"}})
        assert assert_problem(made, 404)["code"] == "integration_not_found"
        assert assert_problem(api.person.get(path), 404)["code"] == "integration_not_found"


@pytest.mark.contract("Scopes and networks 12")
def test_an_integration_has_at_most_fifty_keys(api: Api) -> None:
    first = api.new_integration()
    codes = [another(api, first).status_code for _ in range(50)]
    assert codes == [201] * 49 + [409]
    assert another(api, first).json()["code"] == "too_many_keys"
    assert len(api.person.get(keys_of(api, first), params={"limit": 200}).json()["api_keys"]) == 50

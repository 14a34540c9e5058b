"""Actors by id."""

from uuid import uuid4

import pytest
from httpx import Client

from tests.conftest import Api

FIELDS = ("active", "imported", "role", "email")


def names_of(api: Api, *ids: str) -> dict[str, str]:
    answer = api.person.get(f"{api.organization}/actors", params={"ids": ",".join(ids)})
    assert answer.status_code == 200, answer.text
    return {each["actor_id"]: f"{each['actor_type']} {each['name']}" for each in answer.json()["actors"]}


@pytest.mark.contract("Web application 77")
def test_actors_are_named_by_id_and_keep_their_names_when_they_leave(api: Api) -> None:
    grace, _ = api.new_person(email=f"grace{uuid4().hex}@example.org")
    bot = api.new_integration()["api_key"]["integration_id"]
    before = names_of(api, api.person_id, grace, bot, str(uuid4()))
    assert before[api.person_id] == "person Ada"
    assert before[grace].startswith("person grace")
    assert before[bot] == "integration Another"
    assert len(before) == 3
    assert api.person.delete(f"{api.organization}/members/{grace}").status_code == 204
    assert names_of(api, grace) == {grace: before[grace]}


@pytest.mark.contract("Web application 78")
def test_what_actors_are_and_for_readers_their_role_and_address(api: Api) -> None:
    address = f"grace{uuid4().hex}@example.org"
    grace, key = api.new_person(email=address)
    member = api.client(key)
    bot = api.new_integration()["api_key"]["integration_id"]
    query = {"ids": f"{grace},{bot}"}

    def actors_seen_by(client: Client) -> dict[str, tuple[object, ...]]:
        found = client.get(f"{api.organization}/actors", params=query).json()["actors"]
        return {each["actor_id"]: tuple(each[name] for name in FIELDS) for each in found}

    assert actors_seen_by(api.person) == {grace: (True, False, "member", address), bot: (True, False, "member", None)}
    assert actors_seen_by(member) == {grace: (True, False, None, None), bot: (True, False, None, None)}
    path = f"{api.organization}/members/{grace}"
    assert api.person.patch(path, json={"content": {"role": "reader"}}).status_code == 200
    assert actors_seen_by(member)[grace] == (True, False, "reader", address)
    assert api.person.patch(path, json={"content": {"active": False}}).status_code == 200
    assert actors_seen_by(api.person)[grace] == (False, False, "reader", address)
    assert api.person.delete(path).status_code == 204
    assert actors_seen_by(api.person)[grace] == (False, False, None, None)


@pytest.mark.contract("Web application 78")
def test_a_key_that_may_not_list_members_sees_no_role_and_no_address_of_actors(api: Api) -> None:
    for scopes, is_shown in ((["search"], False), (["search", "members:manage"], True)):
        made = api.person.post("/v1/me/integrations", json={"content": {"name": "narrow", "scopes": scopes}})
        client = api.client(made.json()["key"])
        [own] = client.get(f"{api.organization}/actors", params={"ids": api.person_id}).json()["actors"]
        assert own["name"] == "Ada"
        assert [own["role"] is not None, own["email"] is not None] == [is_shown, is_shown]


@pytest.mark.contract("Web application 77")
def test_actors_of_another_organization_are_not_named(api: Api, outsider: Api) -> None:
    assert names_of(api, outsider.person_id) == {}
    response = api.person.get(f"{outsider.organization}/actors", params={"ids": outsider.person_id})
    assert response.status_code == 404


def test_more_than_a_hundred_ids_or_an_invalid_one_is_rejected(api: Api) -> None:
    for ids in ("", "ada", f"{uuid4()},", ",".join(str(uuid4()) for _ in range(101))):
        assert api.person.get(f"{api.organization}/actors", params={"ids": ids}).status_code == 400
    assert api.person.get(f"{api.organization}/actors").status_code == 400

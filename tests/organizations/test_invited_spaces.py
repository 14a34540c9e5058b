"""Invitations that add a person to spaces, as far as the inviter may."""

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

ACCEPT = "/v1/invitations/accept"
Spaces = list[dict[str, str]]


def invite(client: httpx.Client, api: Api, spaces: Spaces, email: str = "grace@example.org") -> httpx.Response:
    content = {"email": email, "role": "guest", "spaces": spaces}
    return client.post(f"{api.organization}/invitations", json={"content": content})


def accept(api: Api, token: str, key: str | None = None) -> httpx.Response:
    return api.client(key).post(ACCEPT, json={"content": {"token": token, "name": "Grace"}})


def fresh(api: Api) -> str:
    return f"{api.organization_id}@example.org"


def role_in(api: Api, key: str, space_id: str) -> str | None:
    answer = api.client(key).get(f"/v1/spaces/{space_id}")
    return answer.json()["space"]["role"] if answer.is_success else None


@pytest.mark.contract("Roles and keys 9")
def test_an_accepted_invitation_gives_its_roles_in_spaces(api: Api) -> None:
    private, other = api.new_space("private"), api.new_space("private")
    spaces = [{"space_id": private, "role": "member"}, {"space_id": api.space_id, "role": "reader"}]
    made = invite(api.person, api, spaces, fresh(api)).json()
    assert made["invitation"]["spaces"] == spaces
    [listed] = api.person.get(f"{api.organization}/invitations").json()["invitations"]
    assert sorted(map(str, listed["spaces"])) == sorted(map(str, spaces))
    key = accept(api, made["token"]).json()["key"]
    assert [role_in(api, key, each) for each in (private, api.space_id, other)] == ["member", "reader", None]
    granted = api.person.get(f"{api.organization}/audit-log", params={"action": "space_member.set"}).json()["entries"]
    assert {each["target"]["id"] for each in granted} == {private, api.space_id}
    assert {each["actor"]["name"] for each in granted} == {"Grace"}


@pytest.mark.contract("Roles and keys 9")
def test_a_role_that_is_higher_already_stays(api: Api) -> None:
    private = api.new_space("private")
    person_id, key = api.new_person("guest")
    api.person.put(f"/v1/spaces/{private}/members/{person_id}", json={"content": {"role": "admin"}})
    token = invite(api.person, api, [{"space_id": private, "role": "reader"}]).json()["token"]
    assert accept(api, token, key).status_code == 201
    assert role_in(api, key, private) == "admin"


@pytest.mark.contract("Roles and keys 9")
def test_a_space_that_was_deleted_since_is_left_out(api: Api) -> None:
    private = api.new_space("private")
    token = invite(api.person, api, [{"space_id": private, "role": "member"}], fresh(api)).json()["token"]
    assert api.person.delete(f"/v1/spaces/{private}").status_code == 204
    assert api.person.get(f"{api.organization}/invitations").json()["invitations"][0]["spaces"] == []
    assert accept(api, token).status_code == 201


@pytest.mark.contract("Roles and keys 9")
def test_only_spaces_of_the_organization_can_be_named_each_once(api: Api, outsider: Api) -> None:
    """An admin of two organizations cannot reach across them."""
    person_id, key = api.new_person("admin")
    there = outsider.person.post(
        f"{outsider.organization}/invitations", json={"content": {"email": "x@example.org", "role": "admin"}}
    ).json()["token"]
    assert accept(outsider, there, key).status_code == 201, person_id
    of_both = api.client(key)
    assert of_both.get(f"/v1/spaces/{outsider.space_id}").json()["space"]["role"] == "admin"
    for space_id in (outsider.space_id, api.organization_id):
        problem = assert_problem(invite(of_both, api, [{"space_id": space_id, "role": "reader"}]), 400)
        assert problem["errors"][0]["pointer"] == "/content/spaces/0/space_id"
    twice = [{"space_id": api.space_id, "role": "reader"}, {"space_id": api.space_id, "role": "admin"}]
    problem = assert_problem(invite(of_both, api, twice), 400)
    assert problem["errors"] == [{"pointer": "/content/spaces/1/space_id", "detail": "is a duplicate"}]

"""Roles in a space, granted or inherited from the organization."""

from tests.conftest import Api
from tests.contract.tour import assert_problem


def members(api: Api, space_id: str) -> dict[str, tuple[str, str | None]]:
    listed = api.person.get(f"/v1/spaces/{space_id}/members").json()["members"]
    return {each["actor_id"]: (each["role"], each["granted"]) for each in listed}


def test_every_actor_who_reaches_the_space_is_a_member(api: Api) -> None:
    guest, _ = api.new_person("guest")
    invited, _ = api.new_person("guest")
    plain, _ = api.new_person("member")
    admin, _ = api.new_person("admin")
    bot = api.new_integration([{"space_id": api.space_id, "role": "reader"}])["api_key"]["integration_id"]
    lone = api.new_integration(role="admin")["api_key"]["integration_id"]
    api.person.put(f"/v1/spaces/{api.space_id}/members/{invited}", json={"content": {"role": "reader"}})
    seen = members(api, api.space_id)
    assert guest not in seen
    assert lone not in seen
    assert seen[invited] == ("reader", "reader")
    assert seen[plain] == ("member", None)
    assert seen[admin] == ("admin", None)
    assert seen[bot] == ("reader", "reader")
    assert seen[api.person_id] == ("admin", "admin")


def test_members_are_listed_in_pages(api: Api) -> None:
    for _ in range(2):
        api.new_person()
    path = f"/v1/spaces/{api.space_id}/members"
    first = api.person.get(path, params={"limit": 2}).json()
    rest = api.person.get(path, params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [each["actor_id"] for each in first["members"] + rest["members"]] == sorted(members(api, api.space_id))
    assert rest["next_cursor"] is None


def test_a_grant_is_created_changed_and_revoked(api: Api) -> None:
    person_id, key = api.new_person("guest")
    path, client = f"/v1/spaces/{api.space_id}/members/{person_id}", api.client(key)
    put = api.person.put(path, json={"content": {"role": "reader"}})
    assert put.status_code == 200
    assert set(put.json()["member"]) == {"actor_id", "actor_type", "name", "role", "granted"}
    assert (put.json()["member"]["actor_type"], put.json()["member"]["role"]) == ("person", "reader")
    assert_problem(client.post(api.messages, json={"text": "x"}), 403)
    assert api.person.put(path, json={"content": {"role": "member"}}).json()["member"]["granted"] == "member"
    assert client.post(api.messages, json={"text": "x"}).status_code == 201
    assert api.person.put(path, json={"content": {"role": "member"}}).status_code == 200
    assert api.person.delete(path).status_code == 204
    assert_problem(client.get(api.messages), 404)
    assert assert_problem(api.person.delete(path), 404)["code"] == "member_not_found"


def test_an_inherited_role_stays_when_a_grant_is_revoked(api: Api) -> None:
    person_id, key = api.new_person("member")
    path = f"/v1/spaces/{api.space_id}/members/{person_id}"
    api.person.put(path, json={"content": {"role": "admin"}})
    api.person.delete(path)
    assert api.client(key).get(f"/v1/spaces/{api.space_id}").json()["space"]["role"] == "member"


def test_only_actors_of_the_organization_can_be_granted_roles(api: Api, outsider: Api) -> None:
    deactivated, _ = api.new_person()
    api.person.patch(f"{api.organization}/members/{deactivated}", json={"content": {"active": False}})
    for actor in (outsider.person_id, outsider.new_integration()["api_key"]["integration_id"], deactivated):
        path = f"/v1/spaces/{api.space_id}/members/{actor}"
        problem = assert_problem(api.person.put(path, json={"content": {"role": "reader"}}), 404)
        assert problem["code"] == "member_not_found"


def test_a_space_admin_without_an_organization_role_manages_members(api: Api) -> None:
    boss, key = api.new_person("guest")
    other, _ = api.new_person("guest")
    api.person.put(f"/v1/spaces/{api.space_id}/members/{boss}", json={"content": {"role": "admin"}})
    path = f"/v1/spaces/{api.space_id}/members/{other}"
    assert api.client(key).put(path, json={"content": {"role": "admin"}}).status_code == 200
    assert api.client(key).delete(path).status_code == 204
    assert_problem(api.client(key).patch(f"/v1/spaces/{api.space_id}", json={"content": {"name": "x"}}), 403)
    assert_problem(api.client(key).delete(f"/v1/spaces/{api.space_id}"), 403)

"""Admins list and revoke the personal keys of their members."""

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.keys.member_keys import keys, revoke


@pytest.mark.contract("Scopes and networks 14")
def test_admins_see_whose_keys_there_are_and_their_limits_but_no_key(api: Api) -> None:
    person_id, key = api.new_person()
    limits = {"scopes": ["search"], "allowed_networks": ["127.0.0.0/8"]}
    made = api.client(key).post("/v1/me/integrations", json={"content": {"name": "Laptop", **limits}}).json()
    admin = api.client(api.new_person("admin")[1])
    first, second = keys(api, admin, person_id=person_id)
    assert second == made["api_key"] | {"person_id": person_id, "person_name": first["person_name"]}
    assert {each["person_id"] for each in keys(api, admin, limit=200)} >= {person_id, api.person_id}
    [page, rest] = [keys(api, admin, person_id=person_id, limit=1), keys(api, admin, limit=200)]
    assert page == [first]
    listed = api.person.get(f"{api.organization}/personal-keys", params={"limit": 200}).text
    assert key not in listed
    assert made["key"] not in listed
    assert not {each["api_key_id"] for each in rest} & {
        each["api_key_id"] for each in api.person.get(f"{api.organization}/api-keys").json()["api_keys"]
    }


@pytest.mark.contract("Scopes and networks 14")
def test_sessions_and_the_keys_of_others_are_not_listed(api: Api, outsider: Api) -> None:
    person_id, _ = api.new_person()
    before = len(keys(api, person_id=person_id))
    path = f"{api.organization}/members/{person_id}"
    assert api.person.patch(path, json={"content": {"active": False}}).status_code == 200
    assert (before, keys(api, person_id=person_id)) == (1, []), "their keys do nothing here"
    [theirs] = keys(outsider, person_id=outsider.person_id)[:1]
    assert keys(api, person_id=outsider.person_id) == []
    assert assert_problem(revoke(api, theirs), 404)["code"] == "api_key_not_found"
    assert outsider.person.get("/v1/me/profile").status_code == 200


@pytest.mark.contract("Scopes and networks 14")
def test_a_revoked_key_stops_immediately_and_the_log_says_whose_it_was(api: Api) -> None:
    person_id, key = api.new_person()
    client, admin = api.client(key), api.client(api.new_person("admin")[1])
    [found] = keys(api, person_id=person_id)
    assert client.get(api.organization).status_code == 200
    assert revoke(api, found, admin).status_code == 204
    assert_problem(client.get(api.organization), 401)
    assert keys(api, person_id=person_id) == []
    assert_problem(revoke(api, found, admin), 404)
    log = api.person.get(f"{api.organization}/audit-log", params={"limit": 5}).json()["entries"]
    entry = next(each for each in log if each["action"] == "personal_key.revoked")
    assert (entry["target"]["id"], entry["before"]["person_id"]) == (found["api_key_id"], person_id)


@pytest.mark.contract("Scopes and networks 14")
@pytest.mark.parametrize("role", ["admin", "super_admin"])
def test_only_a_super_admin_revokes_the_keys_of_admins(api: Api, role: str) -> None:
    person_id, key = api.new_person(role)
    [found] = keys(api, person_id=person_id)
    for client in (api.client(api.new_person("admin")[1]), api.client(api.new_integration(role="admin")["key"])):
        assert_problem(revoke(api, found, client), 403)
    assert api.client(key).get(api.organization).status_code == 200
    assert revoke(api, found).status_code == 204
    assert_problem(api.client(key).get(api.organization), 401)


@pytest.mark.contract("Scopes and networks 14")
def test_a_session_is_no_key_that_an_admin_could_revoke_here(api: Api) -> None:
    person_id, _ = api.new_person()
    api.sql(
        "insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_at, is_session)"
        " values (gen_random_uuid(), $1::text::uuid, 'Firefox', sha256(uuid_send(gen_random_uuid())), '', now(), true)",
        person_id,
    )
    [session] = api.sql("select api_key_id from api_keys where actor_id = $1::text::uuid and is_session", person_id)
    assert len(keys(api, person_id=person_id)) == 1
    assert_problem(revoke(api, {"api_key_id": session["api_key_id"]}), 404)

"""A person's own keys: created, listed, rotated, revoked."""

from datetime import timedelta

import pytest

from atrium.keys.tokens import hash_of
from tests.conftest import Api
from tests.contract.tour import assert_problem

OWN = "/v1/me/integrations"
RECORD = {"api_key_id", "name", "last_four", "created_at", "expires_at", "last_used_at", "scopes", "allowed_networks"}


@pytest.mark.contract("API key 1", "Caller endpoints 1")
def test_the_profile_shows_the_keys_person(api: Api) -> None:
    profile = api.person.get("/v1/me/profile").json()
    assert set(profile) == {"person_id", "name", "email", "created_at"}
    assert (profile["person_id"], profile["name"]) == (api.person_id, "Ada")


@pytest.mark.contract("Caller endpoints 2")
def test_own_organizations_are_listed_with_the_callers_role(api: Api) -> None:
    _, key = api.new_person("guest")
    mine = api.client(key).get("/v1/me/organizations").json()
    assert mine["organizations"] == [{"organization_id": api.organization_id, "name": "Acme", "role": "guest"}]
    assert mine["next_cursor"] is None


@pytest.mark.contract("API key 7", "Caller endpoints 3")
def test_a_key_is_shown_once_and_then_only_its_metadata(api: Api) -> None:
    made = api.person.post(OWN, json={"content": {"name": "Laptop"}})
    assert made.status_code == 201
    shown = made.json()
    assert set(shown) == {"api_key", "key"}
    assert set(shown["api_key"]) == RECORD
    assert shown["api_key"]["last_four"] == shown["key"][-4:]
    assert (shown["api_key"]["expires_at"], shown["api_key"]["last_used_at"]) == (None, None)
    listed = api.client(shown["key"]).get(OWN)
    names = [each["name"] for each in listed.json()["integrations"]]
    assert names == ["First key", "Laptop"]
    assert all(set(each) == RECORD for each in listed.json()["integrations"])
    assert shown["key"] not in listed.text
    assert shown["key"][5:35] not in listed.text


def test_own_keys_are_listed_in_pages(api: Api) -> None:
    ids = [api.person.post(OWN, json={"content": {"name": "x"}}).json()["api_key"]["api_key_id"] for _ in range(3)]
    first = api.person.get(OWN, params={"limit": 2}).json()
    rest = api.person.get(OWN, params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [each["api_key_id"] for each in first["integrations"] + rest["integrations"]][1:] == ids
    assert rest["next_cursor"] is None


def test_a_rotated_key_stops_immediately(api: Api) -> None:
    made = api.person.post(OWN, json={"content": {"name": "Laptop"}}).json()
    old = api.client(made["key"])
    assert old.get("/v1/me/profile").status_code == 200
    rotated = old.post(f"{OWN}/{made['api_key']['api_key_id']}/rotate")
    assert rotated.status_code == 200
    for _ in range(4):  # on either process
        assert_problem(old.get("/v1/me/profile"), 401)
        assert_problem(old.get(api.messages), 401)
        assert_problem(old.post(api.messages, json={"text": "x"}), 401)
    new = api.client(rotated.json()["key"])
    assert new.get("/v1/me/profile").status_code == 200
    changed = {"last_four", "last_used_at"}
    before, after = made["api_key"], rotated.json()["api_key"]
    assert {k: v for k, v in before.items() if k not in changed} == {k: v for k, v in after.items() if k not in changed}
    assert after["last_four"] == rotated.json()["key"][-4:]


@pytest.mark.contract("API key 9")
def test_a_revoked_key_stops_and_is_no_longer_listed(api: Api) -> None:
    made = api.person.post(OWN, json={"content": {"name": "Laptop"}}).json()
    gone = api.client(made["key"])
    path = f"{OWN}/{made['api_key']['api_key_id']}"
    assert gone.delete(path).status_code == 204
    assert_problem(gone.get("/v1/me/profile"), 401)
    assert assert_problem(api.person.delete(path), 404)["code"] == "api_key_not_found"
    assert_problem(api.person.post(f"{path}/rotate"), 404)
    api.sql("update api_keys set expires_at = now() where key_hash = $1", hash_of(made["key"]))
    assert_problem(api.person.post(f"{path}/rotate"), 404)
    assert "Laptop" not in api.person.get(OWN).text


@pytest.mark.contract("API key 7")
def test_another_persons_key_is_not_listed(api: Api) -> None:
    _, other = api.new_person()
    [theirs] = api.client(other).get(OWN).json()["integrations"]
    organizations = api.person.get(f"{api.organization}/api-keys").json()["api_keys"][0]["api_key_id"]
    for key_id in (theirs["api_key_id"], organizations):
        assert_problem(api.person.delete(f"{OWN}/{key_id}"), 404)
        assert_problem(api.person.post(f"{OWN}/{key_id}/rotate"), 404)
    assert api.client(other).get("/v1/me/profile").status_code == 200


@pytest.mark.contract("Caller endpoints 4", "Errors 1")
def test_an_organization_key_has_no_account(api: Api) -> None:
    bot = api.integration
    for method, path in (("GET", "/v1/me/profile"), ("GET", "/v1/me/organizations"), ("GET", OWN), ("POST", OWN)):
        assert assert_problem(bot.request(method, path), 403)["code"] == "forbidden"


def test_a_key_expires_at_its_time(api: Api) -> None:
    made = api.person.post(OWN, json={"content": {"name": "x", "expires_at": "2099-05-01T12:00:00+02:00"}}).json()
    assert made["api_key"]["expires_at"] == "2099-05-01T10:00:00.000Z"
    short = api.client(made["key"])
    assert short.get("/v1/me/profile").status_code == 200
    key_id = made["api_key"]["api_key_id"]
    at_its_end = """select who.actor_id from api_keys cross join lateral caller_of(key_hash, expires_at - $2::interval, '', null) who
                    where api_keys.api_key_id = $1::text::uuid"""
    assert api.sql(at_its_end, key_id, timedelta()) == []
    assert len(api.sql(at_its_end, key_id, timedelta(microseconds=1))) == 1
    api.sql("update api_keys set expires_at = now() - interval '1 second' where api_key_id = $1::text::uuid", key_id)
    assert_problem(short.get("/v1/me/profile"), 401)
    assert_problem(short.get(api.messages), 401)
    assert_problem(short.post(api.messages, json={"text": "x"}), 401)

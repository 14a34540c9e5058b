"""Mailed links to sign in or set a password; each works once, for a limited time."""

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.sessions.visitor import SESSIONS, browser, mails_to, status_of, token_in, visitor

LINKS, RESETS, CONFIRM = "/v1/sign-in-links", "/v1/password-resets", "/v1/password-resets/confirm"
NEW = "another good password"


def request_token(api: Api, path: str, email: str) -> str:
    """Request a mail; return the token in it."""
    answer = api.client(None).post(path, json={"content": {"email": email}})
    assert answer.status_code == 202, answer.text
    return token_in(mails_to(api, email)[-1], "token" if path == LINKS else "reset")


@pytest.mark.contract("Signing in 9")
def test_a_mailed_link_signs_in_once(api: Api) -> None:
    grace, client = visitor(api), browser(api)
    body = {"content": {"token": request_token(api, LINKS, grace.email.upper())}}
    answer = client.post(f"{SESSIONS}/link", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["session"]["signed_in_by"] == "link"
    assert client.get("/v1/me/profile").json()["email"] == grace.email
    again = browser(api).post(f"{SESSIONS}/link", json=body)
    assert assert_problem(again, 401)["code"] == "link_refused"
    assert "set-cookie" not in again.headers


@pytest.mark.contract("Signing in 9")
def test_opening_the_page_of_a_link_does_not_use_it_up(api: Api) -> None:
    """Mail scanners open links."""
    token = request_token(api, LINKS, visitor(api).email)
    for url in (f"/sign-in#token={token}", f"/sign-in?token={token}", f"{SESSIONS}/link?token={token}"):
        api.client(None).get(url)
        api.client(None).head(url)
    assert browser(api).post(f"{SESSIONS}/link", json={"content": {"token": token}}).status_code == 201


def test_the_link_printed_by_init_signs_in(api: Api) -> None:
    client, token = browser(api), api.sign_in_url.partition("#token=")[2]
    assert client.post(f"{SESSIONS}/link", json={"content": {"token": token}}).status_code == 201
    assert client.get("/v1/me/profile").json()["person_id"] == api.person_id


@pytest.mark.contract("Signing in 9")
def test_an_unknown_address_gets_the_same_response_and_nothing_is_written(api: Api) -> None:
    grace = visitor(api)
    for path in (LINKS, RESETS):
        emails = (grace.email, f"nobody-{grace.email}")
        known, unknown = (api.client(None).post(path, json={"content": {"email": email}}) for email in emails)
        assert (known.status_code, unknown.status_code) == (202, 202)
        assert {**known.json(), "email": ""} == {**unknown.json(), "email": ""}
        assert set(known.headers) == set(unknown.headers)
    assert mails_to(api, f"nobody-{grace.email}") == []


def test_only_the_hash_of_a_link_is_stored(api: Api) -> None:
    token = request_token(api, LINKS, visitor(api).email)
    rows = api.sql("select l::text as row from sign_in_links l")
    assert all(token not in row["row"] for row in rows)


def test_a_link_works_for_one_purpose_only(api: Api) -> None:
    grace = visitor(api)
    link, reset = request_token(api, LINKS, grace.email), request_token(api, RESETS, grace.email)
    assert_problem(browser(api).post(f"{SESSIONS}/link", json={"content": {"token": reset}}), 401)
    crossed = browser(api).post(CONFIRM, json={"content": {"token": link, "password": NEW}})
    assert assert_problem(crossed, 401)["code"] == "link_refused"


@pytest.mark.contract("Roles and keys 24", "Signing in 10")
def test_a_reset_sets_the_password_ends_every_session_and_starts_one(api: Api) -> None:
    grace, client = visitor(api), browser(api)
    before, stale = [grace.signed_in_client(), grace.signed_in_client()], request_token(api, LINKS, grace.email)
    body = {"content": {"token": request_token(api, RESETS, grace.email), "password": NEW}}
    answer = client.post(CONFIRM, json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["session"]["signed_in_by"] == "reset"
    assert status_of(client) == 200
    assert [status_of(each) for each in before] == [401, 401]
    assert_problem(grace.sign_in(), 401)
    assert grace.sign_in(NEW).status_code == 201
    assert_problem(browser(api).post(CONFIRM, json=body), 401)
    assert_problem(browser(api).post(f"{SESSIONS}/link", json={"content": {"token": stale}}), 401)
    assert "was changed" in mails_to(api, grace.email)[-1]


@pytest.mark.contract("Roles and keys 24")
def test_a_reset_revokes_personal_keys_on_request(api: Api) -> None:
    grace, own = visitor(api), "/v1/me/integrations"
    laptop = api.client(grace.signed_in_client().post(own, json={"content": {"name": "Laptop"}}).json()["key"])
    for asks, status in (({}, 200), ({"revoke_keys": False}, 200), ({"revoke_keys": True}, 401)):
        client, token = browser(api), request_token(api, RESETS, grace.email)
        answer = client.post(CONFIRM, json={"content": {"token": token, "password": NEW, **asks}})
        assert answer.status_code == 200, answer.text
        assert status_of(laptop) == status
        assert status_of(client) == 200
    assert client.get(own).json()["integrations"] == []
    query = {"action": "personal_key.revoked", "actor_id": grace.person_id}
    [entry] = api.person.get(f"{api.organization}/audit-log", params=query).json()["entries"]
    assert entry["target"]["name"] == "Laptop"


def test_a_rejected_reset_does_not_use_up_its_link(api: Api) -> None:
    grace = visitor(api)
    token = request_token(api, RESETS, grace.email)
    short = browser(api).post(CONFIRM, json={"content": {"token": token, "password": "short"}})
    assert assert_problem(short, 400)["errors"][0]["pointer"] == "/content/password"
    assert browser(api).post(CONFIRM, json={"content": {"token": token, "password": NEW}}).status_code == 200


def test_a_removed_person_cannot_return_with_a_link(api: Api) -> None:
    grace = visitor(api)
    link, reset = request_token(api, LINKS, grace.email), request_token(api, RESETS, grace.email)
    api.person.patch(f"{api.organization}/members/{grace.person_id}", json={"content": {"active": False}})
    assert_problem(browser(api).post(f"{SESSIONS}/link", json={"content": {"token": link}}), 401)
    assert_problem(browser(api).post(CONFIRM, json={"content": {"token": reset, "password": NEW}}), 401)
    api.person.patch(f"{api.organization}/members/{grace.person_id}", json={"content": {"active": True}})
    assert grace.sign_in().status_code == 201

"""Invitations: mailed, and accepted with a password by people who sign in with a browser."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.sessions.visitor import PASSWORD, browser, invite, mails_to, status_of, token_in, visitor

ACCEPT = "/v1/invitations/accept"


def test_an_invitation_is_mailed_with_the_link_that_accepts_it(api: Api) -> None:
    email, token = invite(api)
    [mail] = mails_to(api, email)
    assert token_in(mail, "invitation") == token
    assert mail.startswith("Ada invited you to Acme on Atrium. Accept the invitation by 20")


@pytest.mark.contract("Signing in 1")
def test_an_invitation_with_a_password_signs_in(api: Api) -> None:
    client, (email, token) = browser(api), invite(api, role="reader")
    body = {"content": {"token": token, "name": "Grace", "password": PASSWORD}}
    taken = client.post(ACCEPT, json=body)
    assert taken.status_code == 201, taken.text
    assert taken.json()["key"] is None
    assert re.search("atrium_session=atrs_", taken.headers["set-cookie"])
    assert client.get("/v1/me/profile").json()["email"] == email
    assert client.get(api.organization).json()["organization"]["role"] == "reader"
    assert client.get("/v1/me/integrations").json()["integrations"] == []
    content = {"email": email, "password": PASSWORD}
    assert browser(api).post("/v1/sessions", json={"content": content}).status_code == 201
    assert assert_problem(browser(api).post(ACCEPT, json=body), 404)["code"] == "invitation_not_found"


def test_without_a_password_the_answer_is_a_key_and_no_cookie(api: Api) -> None:
    _, token = invite(api)
    taken = api.client(None).post(ACCEPT, json={"content": {"token": token, "name": "Grace"}})
    assert taken.status_code == 201
    assert taken.json()["key"].startswith("atrp_")
    assert "set-cookie" not in taken.headers


def test_a_signed_in_person_joins_as_themselves(api: Api, outsider: Api) -> None:
    grace = visitor(api)
    client, (_, token) = grace.signed_in_client(), invite(outsider)
    refused = client.post(ACCEPT, json={"content": {"token": token, "name": "x", "password": PASSWORD}})
    assert assert_problem(refused, 400)["errors"][0]["pointer"] == "/content/password"
    taken = client.post(ACCEPT, json={"content": {"token": token, "name": "ignored"}})
    assert (taken.status_code, taken.json()["person_id"], taken.json()["key"]) == (201, grace.person_id, None)
    assert len(client.get("/v1/me/organizations").json()["organizations"]) == 2


@pytest.mark.contract("Scopes and networks 1")
def test_a_key_with_scopes_does_not_join(api: Api, outsider: Api) -> None:
    """Joining changes the account: it could revoke all other keys of its owner."""
    person_id, key = api.new_person()
    content = {"name": "narrow", "scopes": ["search"]}
    narrow = api.client(api.client(key).post("/v1/me/integrations", json={"content": content}).json()["key"])
    _, token = invite(outsider)
    body = {"content": {"token": token, "name": "x"}}
    assert assert_problem(narrow.post(ACCEPT, json=body), 403)["code"] == "insufficient_scope"
    assert status_of(api.client(key)) == 200
    assert api.client(key).post(ACCEPT, json=body).json()["person_id"] == person_id


def test_an_invalid_invitation_hashes_no_password_and_sets_no_cookie(api: Api) -> None:
    client = browser(api)
    answer = client.post(ACCEPT, json={"content": {"token": "x", "name": "x", "password": PASSWORD}})
    assert assert_problem(answer, 404)["code"] == "invitation_not_found"
    assert status_of(client) == 401


def test_an_invitation_accepted_concurrently_is_accepted_once(api: Api) -> None:
    _, token = invite(api)
    body = {"content": {"token": token, "name": "Grace", "password": PASSWORD}}
    with ThreadPoolExecutor(6) as crowd:
        answers = list(crowd.map(lambda _: browser(api).post(ACCEPT, json=body).status_code, range(6)))
    assert sorted(answers) == [201, *[404] * 5]

"""Requests that another site makes a browser send: they carry the cookie and are rejected."""

from collections.abc import Mapping

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.sessions.visitor import PASSWORD, SESSIONS, Visitor, browser, invite, status_of, visitor

FOREIGN: list[Mapping[str, str]] = [
    {},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "cross-site", "origin": "OWN"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "http://127.0.0.1"},
    {"origin": "ftp://OWN"},
    {"origin": ""},
    {"referer": "OWN/sign-in"},
]
OWN: list[Mapping[str, str]] = [
    {"sec-fetch-site": "same-origin"},
    {"origin": "OWN"},
    {"sec-fetch-site": "same-origin", "origin": "OWN"},
]


def as_sent(headers: Mapping[str, str], url: str) -> dict[str, str]:
    return {name: value.replace("ftp://OWN", "ftp" + url[4:]).replace("OWN", url) for name, value in headers.items()}


def plain(api: Api, signed_in: httpx.Client | None = None) -> httpx.Client:
    """Return a browser that does not send the origin of its requests."""
    client = api.client(None)
    if signed_in is not None:
        client.cookies.update(dict(signed_in.cookies))
    return client


@pytest.mark.contract("Signing in 5")
@pytest.mark.parametrize("headers", FOREIGN)
def test_a_cross_site_change_with_a_cookie_is_rejected_and_changes_nothing(
    api: Api, headers: Mapping[str, str]
) -> None:
    grace = visitor(api)
    client, sent = plain(api, grace.signed_in_client()), as_sent(headers, api.url)
    requests = [
        client.post(api.messages, json={"text": "forged"}, headers=sent),
        client.put("/v1/me/password", json={"content": {"password": "x" * 20}}, headers=sent),
        client.patch("/v1/me/profile", json={"content": {"name": "Mallory"}}, headers=sent),
        client.delete("/v1/me/sessions", headers=sent),
        client.delete("/v1/sessions/current", headers=sent),
        client.post("/v1/me/integrations", json={"content": {"name": "k"}}, headers=sent),
        client.post("/v1/invitations/accept", json={"content": {"token": "x", "name": "x"}}, headers=sent),
    ]
    assert [assert_problem(answer, 403)["code"] for answer in requests] == ["forged_request"] * len(requests)
    assert client.get(api.messages).json()["messages"] == []
    assert client.get("/v1/me/profile").json()["name"] == "Grace"


@pytest.mark.parametrize("headers", OWN)
def test_a_same_origin_change_with_a_cookie_is_accepted(api: Api, headers: Mapping[str, str]) -> None:
    client = plain(api, visitor(api).signed_in_client())
    assert client.post(api.messages, json={"text": "own"}, headers=as_sent(headers, api.url)).status_code == 201
    assert client.delete("/v1/me/sessions", headers=as_sent(headers, api.url)).status_code == 204


@pytest.mark.contract("Signing in 5")
@pytest.mark.parametrize("headers", FOREIGN)
def test_another_site_cannot_sign_a_browser_in_as_someone_else(api: Api, headers: Mapping[str, str]) -> None:
    """Requests that set a cookie are rejected too, or a page could sign its visitors in to its owner's account."""
    grace, sent = visitor(api), as_sent(headers, api.url)
    _, token = invite(api)
    credentials = {"email": grace.email, "password": grace.password}
    reset = {"token": "x", "password": PASSWORD}
    joining = {"token": token, "name": "x", "password": PASSWORD}
    requests = {
        SESSIONS: credentials,
        f"{SESSIONS}/link": {"token": "x"},
        "/v1/password-resets/confirm": reset,
        "/v1/invitations/accept": joining,
    }
    for path, content in requests.items():
        answer = plain(api).post(path, json={"content": content}, headers=sent)
        assert assert_problem(answer, 403)["code"] == "forged_request", path
        assert "set-cookie" not in answer.headers
    assert browser(api).post("/v1/invitations/accept", json={"content": joining}).status_code == 201


def test_reading_with_a_cookie_is_allowed(api: Api) -> None:
    client = plain(api, visitor(api).signed_in_client())
    assert client.get(api.messages, headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.contract("Signing in 5")
@pytest.mark.parametrize("headers", FOREIGN)
def test_a_key_is_accepted_from_any_origin(api: Api, headers: Mapping[str, str]) -> None:
    client = api.person
    client.cookies.set("atrium_session", "atrs_x")
    assert client.post(api.messages, json={"text": "k"}, headers=as_sent(headers, api.url)).status_code == 201


def test_a_stale_cookie_does_not_prevent_signing_in(api: Api) -> None:
    grace, client = visitor(api), browser(api)
    client.cookies.set("atrium_session", "atrs_x", domain="127.0.0.1")
    assert grace.sign_in(client=client).status_code == 201
    gone = grace.signed_in_client()
    assert Visitor(api, grace.email, "").signed_in_client().delete("/v1/me/sessions").status_code == 204
    assert status_of(gone) == 401
    assert grace.sign_in(client=gone).status_code == 201
    assert status_of(gone) == 200

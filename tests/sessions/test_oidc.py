"""Single sign-on with a real OpenID Connect provider: who may sign in, and where they come back to."""

import asyncio
import os
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from atrium.sessions.model import local_path
from tests.conftest import Api
from tests.sessions.provider import Provider, running_provider
from tests.sessions.single_sign_on import CALLBACK, SECRET, START, assert_stopped, atrium, new_user, run, sign_in
from tests.sessions.visitor import visitor


@pytest.mark.contract("Signing in 27")
def test_a_verified_address_signs_in_first_and_its_identity_afterwards(api: Api, provider: Provider) -> None:
    grace = visitor(api)
    sub, _ = new_user(provider, grace.email.upper())

    async def scenario() -> None:
        async with atrium(api, provider, smtp_url="smtp://127.0.0.1:1") as (client, _):
            methods = (await client.get("/v1/sign-in/methods")).json()
            assert methods["oidc"] == {"name": "Acme SSO", "start": START}
            assert methods["mail_server"] is True
            for _ in range(2):
                answer = await sign_in(client, sub)
                assert (answer.status_code, answer.headers["location"]) == (302, "/sign-in")
                assert (await client.get("/v1/me/profile")).json()["person_id"] == grace.person_id
                sessions = (await client.get("/v1/me/sessions", params={"limit": 200})).json()["sessions"]
                assert sessions[-1]["signed_in_by"] == "oidc"
                client.cookies.clear()
                provider.put_user(sub, email="moved@elsewhere.example", email_verified=False)

    run(scenario)


def test_the_request_to_the_provider_is_bound_to_the_browser(api: Api, provider: Provider) -> None:
    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            begun = await client.get(START)
            query = parse_qs(urlsplit(begun.headers["location"]).query)
            assert query["response_type"] == ["code"]
            assert query["code_challenge_method"] == ["S256"]
            assert query["redirect_uri"] == [f"http://atrium.test{CALLBACK}"]
            assert set(query["scope"][0].split()) == {"openid", "email", "profile"}
            assert min(len(query[name][0]) for name in ("state", "nonce", "code_challenge")) >= 43
            cookie = begun.headers["set-cookie"]
            assert {"HttpOnly", "SameSite=Lax", "Path=/v1/sign-in/oidc"} <= set(cookie.split("; "))
            assert all(query[name][0] not in cookie for name in ("state", "nonce"))
            assert SECRET not in begun.headers["location"]

    run(scenario)


def test_a_new_person_joins_the_configured_organization(api: Api, provider: Provider) -> None:
    sub, email = new_user(provider)

    async def scenario() -> None:
        chosen = {"oidc_organization": api.organization_id, "oidc_default_role": "guest"}
        async with atrium(api, provider, **chosen) as (client, _):
            assert (await sign_in(client, sub)).headers["location"] == "/sign-in"
            profile = (await client.get("/v1/me/profile")).json()
            assert (profile["name"], profile["email"]) == ("Grace Hopper", email)
            [mine] = (await client.get("/v1/me/organizations")).json()["organizations"]
            assert (mine["organization_id"], mine["role"]) == (api.organization_id, "guest")

    run(scenario)


def test_without_a_configured_organization_unknown_people_cannot_sign_in(api: Api, provider: Provider) -> None:
    sub, email = new_user(provider)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            assert_stopped(await sign_in(client, sub), "oidc_no_account", client)

    run(scenario)
    assert api.sql("select from people where email = $1", email) == []


@pytest.mark.contract("Signing in 27")
@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": None},
        {"email_verified": "no"},
        {"email": None},
        {"email": "no address"},
    ],
)
def test_an_unverified_address_links_no_account(api: Api, provider: Provider, claims: dict[str, Any]) -> None:
    grace = visitor(api)
    sub, _ = new_user(provider)
    provider.put_user(sub, **{"email": grace.email, "email_verified": True, **claims})

    async def scenario() -> None:
        async with atrium(api, provider, oidc_organization=api.organization_id) as (client, _):
            assert_stopped(await sign_in(client, sub), "oidc_unverified", client)

    run(scenario)


@pytest.mark.parametrize(("letter", "spelled"), [("i", "\u0130"), ("k", "\u212a")], ids=["dotted I", "kelvin sign"])
def test_a_verified_address_in_look_alike_letters_is_a_different_address(
    api: Api, provider: Provider, letter: str, spelled: str
) -> None:
    grace = visitor(api, email=f"{letter}{os.urandom(6).hex()}@example.org")
    sub, _ = new_user(provider, grace.email.replace(letter, spelled, 1))

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            assert_stopped(await sign_in(client, sub), "oidc_no_account", client)

    run(scenario)


@pytest.mark.contract("Signing in 27")
def test_an_address_reassigned_at_the_provider_opens_no_account(api: Api, provider: Provider) -> None:
    grace = visitor(api)
    first, _ = new_user(provider, grace.email)
    second, _ = new_user(provider, grace.email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            assert (await sign_in(client, first)).headers["location"] == "/sign-in"
            client.cookies.clear()
            assert_stopped(await sign_in(client, second), "oidc_linked", client)

    run(scenario)


@pytest.mark.parametrize("linked", [True, False])
def test_a_deactivated_account_cannot_sign_in_or_join_again(api: Api, provider: Provider, linked: bool) -> None:
    grace = visitor(api)
    sub, _ = new_user(provider, grace.email)

    async def scenario() -> None:
        async with atrium(api, provider, oidc_organization=api.organization_id) as (client, _):
            if linked:
                await sign_in(client, sub)
                client.cookies.clear()
            member = f"{api.organization}/members/{grace.person_id}"
            assert api.person.patch(member, json={"content": {"active": False}}).status_code == 200
            assert_stopped(await sign_in(client, sub), "oidc_deactivated", client)
            entries = api.person.get(f"{api.organization}/audit-log", params={"action": "sign_in.refused"}).json()[
                "entries"
            ]
            assert [entry["target"]["id"] for entry in entries] == [grace.person_id]
            assert api.person.delete(member).status_code == 204
            assert_stopped(await sign_in(client, sub), "oidc_deactivated", client)

    run(scenario)


def test_the_query_of_the_authorization_endpoint_stays_as_the_provider_wrote_it(api: Api) -> None:
    async def scenario(provider: Provider) -> None:
        endpoint = "https://id.example/authorize?policy=a%2Fb&x[]=%20+"
        provider.disguise = lambda metadata: {**metadata, "authorization_endpoint": endpoint}
        async with atrium(api, provider) as (client, _):
            location = (await client.get(START)).headers["location"]
        assert location.startswith(f"{endpoint}&response_type=code&client_id=")
        assert location.count("?") == 1

    with running_provider() as other:
        asyncio.run(scenario(other))


def test_without_a_provider_single_sign_on_returns_to_the_sign_in_page(api: Api) -> None:
    client = api.client(None)
    assert client.get(START).headers["location"] == "/sign-in?problem=oidc_not_offered"
    assert client.get(CALLBACK, params={"code": "x", "state": "y"}).headers["location"] == "/sign-in?problem=oidc_stale"


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        ("/", "/"),
        ("/rooms/1?x=%20#y", "/rooms/1?x=%20#y"),
        ("//evil.example", "/sign-in"),
        ("/\\evil.example", "/sign-in"),
        ("/a\\b", "/sign-in"),
        ("https://evil.example", "/sign-in"),
        ("javascript:alert(1)", "/sign-in"),
        ("evil.example", "/sign-in"),
        ("/\n/evil.example", "/sign-in"),
        ("/\t/evil.example", "/sign-in"),
        ("/ä", "/sign-in"),
        ("", "/sign-in"),
        ("/" + "x" * 3000, "/sign-in"),
    ],
)
def test_sign_in_redirects_only_to_a_path_of_this_server(requested: str, expected: str) -> None:
    assert local_path(requested) == expected


def test_sign_in_redirects_to_the_requested_path(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            for requested, expected in (("/docs", "/docs"), ("//evil.example", "/sign-in")):
                answer = await sign_in(client, sub, return_to=requested)
                assert answer.headers["location"] == expected

    run(scenario)

"""Single sign-on with a real OpenID Connect provider, and every invalid response of it."""

import asyncio
import base64
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from atrium.sessions.model import local_path
from tests.conftest import Api, free_port
from tests.sessions.provider import Provider, Tokens, running_provider
from tests.sessions.single_sign_on import CALLBACK, CLIENT, SECRET, START, atrium, new_user, sign_in, through
from tests.sessions.visitor import visitor


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as made:
        yield made


@pytest.fixture(autouse=True)
def honest(provider: Provider) -> Iterator[None]:
    yield
    provider.tamper, provider.key_set, provider.broken = None, None, False


def run(scenario: Callable[[], Any]) -> None:
    asyncio.run(scenario())


def assert_stopped(answer: httpx.Response, problem: str, client: httpx.AsyncClient) -> None:
    assert (answer.status_code, answer.headers["location"]) == (302, f"/sign-in?problem={problem}"), answer.text
    assert "atrium_session" not in client.cookies


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


@pytest.mark.parametrize("claims", [{"email_verified": False}, {"email_verified": None}, {"email_verified": "no"},
                                    {"email": None}, {"email": "no address"}])  # fmt: skip
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


def test_a_token_with_another_nonce_is_rejected(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            answer = await sign_in(client, sub, lambda query: {**query, "nonce": "of another sign-in"})
            assert_stopped(answer, "oidc_not_vouched", client)

    run(scenario)


def test_an_expired_token_is_rejected(api: Api) -> None:
    async def scenario(provider: Provider) -> None:
        sub, _ = new_user(provider, visitor(api).email)
        async with atrium(api, provider) as (client, _):
            assert_stopped(await sign_in(client, sub), "oidc_not_vouched", client)

    with running_provider(max_age=timedelta(minutes=-2)) as late:
        asyncio.run(scenario(late))


def test_a_token_for_another_client_is_rejected(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)
    nonces: list[str] = []

    def noted(query: dict[str, str]) -> dict[str, str]:
        nonces.append(query["nonce"])
        return query

    def foreign(_: Tokens) -> Tokens:
        return provider.tokens_for("another", sub, nonces[-1])

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.tamper = foreign
            assert_stopped(await sign_in(client, sub, noted), "oidc_not_vouched", client)
            provider.tamper = lambda _: provider.tokens_for(CLIENT, sub, nonces[-1])
            assert (await sign_in(client, sub, noted)).headers["location"] == "/sign-in"

    run(scenario)


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(value)).rstrip(b"=").decode()


def payload_of(tokens: Tokens) -> dict[str, Any]:
    text = tokens["id_token"].split(".")[1]
    return msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def resigned(tokens: Tokens, **claims: Any) -> Tokens:
    """Return tokens with other claims under the old signature."""
    head, _, signature = tokens["id_token"].split(".")
    return {**tokens, "id_token": f"{head}.{part({**payload_of(tokens), **claims})}.{signature}"}


def unsigned(tokens: Tokens) -> Tokens:
    return {**tokens, "id_token": f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(payload_of(tokens))}."}


def by_the_shared_secret(tokens: Tokens) -> Tokens:
    return {**tokens, "id_token": jwt.encode({"alg": "HS256"}, payload_of(tokens), OctKey.import_key(SECRET))}


def by_another_key(tokens: Tokens) -> Tokens:
    key = RSAKey.generate_key(2048)
    return {**tokens, "id_token": jwt.encode({"alg": "RS256"}, payload_of(tokens), key)}


FORGERIES: dict[str, Callable[[Tokens], Tokens]] = {
    "other claims under the signature": lambda tokens: resigned(tokens, email="ada@example.org"),
    "no signature": unsigned,
    "signed with the shared secret": by_the_shared_secret,
    "signed with another key": by_another_key,
    "no token": lambda tokens: {name: value for name, value in tokens.items() if name != "id_token"},
    "no JWT": lambda tokens: {**tokens, "id_token": "x.y.z"},
    "null": lambda tokens: {**tokens, "id_token": None},
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_token_is_rejected(api: Api, provider: Provider, what: str) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.tamper = FORGERIES[what]
            assert_stopped(await sign_in(client, sub), "oidc_not_vouched", client)

    run(scenario)


OTHER_KEYS: dict[str, dict[str, Any]] = {
    "an unknown curve": {"kty": "EC", "crv": "P-1024", "x": "AA", "y": "AA", "kid": "other"},
    "an unknown type": {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA", "kid": "other"},
    "no type": {"kid": "other"},
    "a type that is no text": {"kty": 7, "kid": "other"},
    "an incomplete key": {"kty": "RSA", "kid": "other", "e": "AQAB"},
    "a key that is no base64": {"kty": "RSA", "kid": "other", "e": "AQAB", "n": "!"},
    "a shared secret": {"kty": "oct", "k": "c2VjcmV0", "kid": "other"},
    "a key for encryption": {**RSAKey.generate_key(2048).as_dict(private=False), "use": "enc", "kid": "other"},
    "a key without an id": RSAKey.generate_key(2048).as_dict(private=False, kid=None),
}


@pytest.mark.parametrize("same_id", [False, True], ids=["other id", "same id"])
@pytest.mark.parametrize("other", [*OTHER_KEYS, "no object"])
def test_keys_that_are_not_understood_are_ignored_one_by_one(
    api: Api, provider: Provider, other: str, same_id: bool
) -> None:
    """RFC 7517, section 5; two keys may even have one id (section 4.5)."""
    sub, _ = new_user(provider, visitor(api).email)

    def with_another(published: dict[str, Any]) -> dict[str, Any]:
        [own] = published["keys"]
        key: Any = {name: value for name, value in OTHER_KEYS.get(other, {}).items() if value is not None}
        if same_id and "kid" in own:
            key["kid"] = own["kid"]
        return {"keys": ["key" if other == "no object" else key, own]}

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.key_set = with_another
            assert (await sign_in(client, sub)).headers["location"] == "/sign-in"
            client.cookies.clear()
            provider.tamper = by_another_key
            assert_stopped(await sign_in(client, sub), "oidc_not_vouched", client)

    run(scenario)


@pytest.mark.parametrize("published", [[], ["x"], None])
def test_without_a_key_of_the_provider_nobody_signs_in(api: Api, provider: Provider, published: Any) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.key_set = lambda _: {"keys": published}
            assert_stopped(await sign_in(client, sub), "oidc_not_vouched", client)

    run(scenario)


def test_a_callback_works_once(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            back = await through(client, sub)
            cookie = {"cookie": f"atrium_sign_in={client.cookies['atrium_sign_in']}"}
            assert (await client.get(back)).headers["location"] == "/sign-in"
            client.cookies.clear()
            redeemed = provider.requested_paths.count("/oauth2/token")
            assert_stopped(await client.get(back, headers=cookie), "oidc_stale", client)
            assert provider.requested_paths.count("/oauth2/token") == redeemed

    run(scenario)


def test_a_callback_works_only_in_the_browser_that_started_it_and_in_time(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, clock), atrium(api, provider) as (other, _):
            back = await through(client, sub)
            assert_stopped(await other.get(back), "oidc_stale", other)
            await through(other, sub)
            assert_stopped(await other.get(back), "oidc_stale", other)
            forged = {"cookie": "atrium_sign_in=" + "A" * 200}
            assert_stopped(await other.get(back, headers=forged), "oidc_stale", other)
            clock.at += timedelta(minutes=10)
            assert_stopped(await client.get(back), "oidc_stale", client)

    run(scenario)


def test_a_code_is_redeemed_only_once_and_only_with_its_verifier(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            back = await through(client, sub)
            wrong = back.replace("code=", "code=x")
            assert_stopped(await client.get(wrong), "oidc_not_vouched", client)

    run(scenario)


def test_declining_at_the_provider_shows_a_reason(api: Api, provider: Provider) -> None:
    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            begun = await client.get(START)
            state = parse_qs(urlsplit(begun.headers["location"]).query)["state"][0]
            answer = await client.get(CALLBACK, params={"error": "access_denied", "state": state})
            assert_stopped(answer, "oidc_denied", client)

    run(scenario)


def test_an_unreachable_or_broken_provider_is_reported(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)
    gone = Provider()
    gone.url = f"http://127.0.0.1:{free_port()}"

    async def scenario() -> None:
        async with atrium(api, gone) as (client, _):
            assert_stopped(await client.get(START), "oidc_away", client)
        async with atrium(api, provider) as (client, _):
            back = await through(client, sub)
            provider.broken = True
            assert_stopped(await client.get(back), "oidc_away", client)
            provider.broken = False
            assert (await sign_in(client, sub)).headers["location"] == "/sign-in"

    run(scenario)


def test_a_provider_with_another_issuer_is_rejected(api: Api) -> None:
    async def scenario(provider: Provider) -> None:
        provider.disguise = lambda metadata: {**metadata, "issuer": "https://evil.example"}
        async with atrium(api, provider) as (client, _):
            assert_stopped(await client.get(START), "oidc_away", client)

    with running_provider() as other:
        asyncio.run(scenario(other))


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


def test_no_secret_is_logged_on_errors(api: Api, provider: Provider, capfd: pytest.CaptureFixture[str]) -> None:
    sub, email = new_user(provider, visitor(api).email)
    seen: list[str] = []

    def noted(tokens: Tokens) -> Tokens:
        seen.extend([tokens["access_token"], tokens["id_token"]])
        return unsigned(tokens)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.tamper = noted
            back = await through(client, sub)
            seen.append(parse_qs(urlsplit(back).query)["code"][0])
            assert_stopped(await client.get(back), "oidc_not_vouched", client)

    run(scenario)
    written = "".join(capfd.readouterr())
    ours = "\n".join(
        line for line in written.splitlines() if "HTTP/1.1" not in line
    )  # the provider's own log is not ours
    assert len(seen) == 3
    assert not [each for each in (*seen, SECRET, email) if each in ours]

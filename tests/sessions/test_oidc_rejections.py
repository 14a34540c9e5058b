"""Answers of the OpenID Connect provider that sign nobody in, and callbacks that do not belong to a sign-in."""

import asyncio
import base64
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from tests.conftest import Api, free_port
from tests.sessions.provider import Provider, Tokens, running_provider
from tests.sessions.single_sign_on import (
    CALLBACK,
    CLIENT,
    SECRET,
    START,
    assert_stopped,
    atrium,
    new_user,
    run,
    sign_in,
    through,
)
from tests.sessions.visitor import visitor


@pytest.mark.contract("Signing in 28")
def test_a_token_with_another_nonce_is_rejected(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            answer = await sign_in(client, sub, lambda query: {**query, "nonce": "of another sign-in"})
            assert_stopped(answer, "oidc_not_vouched", client)

    run(scenario)


@pytest.mark.contract("Signing in 28")
def test_an_expired_token_is_rejected(api: Api) -> None:
    async def scenario(provider: Provider) -> None:
        sub, _ = new_user(provider, visitor(api).email)
        async with atrium(api, provider) as (client, _):
            assert_stopped(await sign_in(client, sub), "oidc_not_vouched", client)

    with running_provider(max_age=timedelta(minutes=-2)) as late:
        asyncio.run(scenario(late))


@pytest.mark.contract("Signing in 28")
def test_a_token_for_another_client_is_rejected(api: Api, provider: Provider) -> None:
    sub, _ = new_user(provider, visitor(api).email)
    nonces: list[str] = []

    def note(query: dict[str, str]) -> dict[str, str]:
        nonces.append(query["nonce"])
        return query

    def foreign(_: Tokens) -> Tokens:
        return provider.tokens_for("another", sub, nonces[-1])

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.tamper = foreign
            assert_stopped(await sign_in(client, sub, note), "oidc_not_vouched", client)
            provider.tamper = lambda _: provider.tokens_for(CLIENT, sub, nonces[-1])
            assert (await sign_in(client, sub, note)).headers["location"] == "/sign-in"

    run(scenario)


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(value)).rstrip(b"=").decode()


def payload_of(tokens: Tokens) -> dict[str, Any]:
    text = tokens["id_token"].split(".")[1]
    return msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def with_claims(tokens: Tokens, **claims: Any) -> Tokens:
    """Return tokens with other claims under the old signature."""
    head, _, signature = tokens["id_token"].split(".")
    return {**tokens, "id_token": f"{head}.{part({**payload_of(tokens), **claims})}.{signature}"}


def without_signature(tokens: Tokens) -> Tokens:
    return {**tokens, "id_token": f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(payload_of(tokens))}."}


def by_the_shared_secret(tokens: Tokens) -> Tokens:
    return {**tokens, "id_token": jwt.encode({"alg": "HS256"}, payload_of(tokens), OctKey.import_key(SECRET))}


def by_another_key(tokens: Tokens) -> Tokens:
    key = RSAKey.generate_key(2048)
    return {**tokens, "id_token": jwt.encode({"alg": "RS256"}, payload_of(tokens), key)}


FORGERIES: dict[str, Callable[[Tokens], Tokens]] = {
    "other claims under the signature": lambda tokens: with_claims(tokens, email="ada@example.org"),
    "no signature": without_signature,
    "signed with the shared secret": by_the_shared_secret,
    "signed with another key": by_another_key,
    "no token": lambda tokens: {name: value for name, value in tokens.items() if name != "id_token"},
    "no JWT": lambda tokens: {**tokens, "id_token": "x.y.z"},
    "null": lambda tokens: {**tokens, "id_token": None},
}


@pytest.mark.contract("Signing in 28")
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


@pytest.mark.contract("Signing in 29")
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


@pytest.mark.contract("Signing in 28")
@pytest.mark.parametrize("published", [[], ["x"], None])
def test_without_a_key_of_the_provider_nobody_signs_in(api: Api, provider: Provider, published: Any) -> None:
    sub, _ = new_user(provider, visitor(api).email)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.key_set = lambda _: {"keys": published}
            assert_stopped(await sign_in(client, sub), "oidc_not_vouched", client)

    run(scenario)


@pytest.mark.contract("Signing in 28")
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


@pytest.mark.contract("Signing in 28")
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


@pytest.mark.contract("Signing in 31")
def test_no_secret_is_logged_on_errors(api: Api, provider: Provider, capfd: pytest.CaptureFixture[str]) -> None:
    sub, email = new_user(provider, visitor(api).email)
    seen: list[str] = []

    def note(tokens: Tokens) -> Tokens:
        seen.extend([tokens["access_token"], tokens["id_token"]])
        return without_signature(tokens)

    async def scenario() -> None:
        async with atrium(api, provider) as (client, _):
            provider.tamper = note
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

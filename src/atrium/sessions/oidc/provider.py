"""Communicate with the OpenID Connect provider.

The operator chooses its URLs, which may be private. Requests have short timeouts. An id token is accepted only if its
signature, issuer, audience, times and nonce are valid (OpenID Connect Core 1.0, 3.1.3.7).
"""

import asyncio
import ssl
import time
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import structlog
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc.errors import JoseError

from atrium.kit.settings import Settings
from atrium.kit.text.types import first_name
from atrium.sessions.oidc.identity import AuthorizationFlow, ProviderIdentity, ProviderUnavailable, UntrustedResponse
from atrium.sessions.oidc.provider_keys import verified_token

log = structlog.get_logger()
SCOPE = "openid email profile"
STEP_TIMEOUT, TOTAL_TIMEOUT = 5.0, 15.0  # seconds
METADATA_TTL = 300.0  # seconds
METHODS = "token_endpoint_auth_methods_supported"
LEEWAY = 60  # seconds by which two clocks may differ

_metadata: dict[str, tuple[float, dict[str, Any]]] = {}


class ExpectedClaims(NamedTuple):
    """The values that an id token must match."""

    issuer: str
    nonce: str
    at: datetime


async def authorization_url(settings: Settings, flow: AuthorizationFlow) -> str:
    """Return the URL to send a browser to. Raise ProviderUnavailable."""
    async with _client() as client:
        metadata = await _discover(client, settings)
    endpoint, _, query = metadata["authorization_endpoint"].partition("?")
    url: str = prepare_grant_uri(
        endpoint,
        settings.oidc_client_id,
        "code",
        redirect_uri=callback(settings),
        scope=SCOPE,
        state=flow.state,
        nonce=flow.nonce,
        code_challenge_method="S256",
        code_challenge=create_s256_code_challenge(flow.verifier),
    )
    return url.replace("?", f"?{query}&", 1) if query else url  # the provider's own query stays as it is


async def fetch_identity(settings: Settings, flow: AuthorizationFlow, code: str, now: datetime) -> ProviderIdentity:
    """Redeem the code of the redirect and return the identity. Raise ProviderUnavailable, UntrustedResponse."""
    try:
        async with asyncio.timeout(TOTAL_TIMEOUT), _client() as client:
            metadata = await _discover(client, settings)
            tokens = await _redeem(client, settings, metadata, {"code": code, "code_verifier": flow.verifier})
            keys = _json(await _send(client, "GET", metadata["jwks_uri"]))
            claims = _validated_claims(settings, keys, tokens, ExpectedClaims(metadata["issuer"], flow.nonce, now))
            if "email" not in claims and "userinfo_endpoint" in metadata:
                claims = await _with_userinfo(client, metadata["userinfo_endpoint"], tokens, claims)
    except TimeoutError:
        raise ProviderUnavailable from None
    return _to_identity(claims)


def callback(settings: Settings) -> str:
    """Return the URL that the provider redirects to; it must be registered there."""
    return f"{settings.base_url}/v1/sign-in/oidc/callback"


def _client() -> httpx.AsyncClient:
    return httpx.AsyncClient(timeout=STEP_TIMEOUT, headers={"accept": "application/json"}, verify=_trusted())


@cache
def _trusted() -> ssl.SSLContext:
    """Return the TLS context, read once: reading it blocks the process for 45 ms."""
    return httpx.create_ssl_context()


async def _discover(client: httpx.AsyncClient, settings: Settings) -> dict[str, Any]:
    """Return the provider's metadata; its issuer must be the one in the settings. Raise ProviderUnavailable."""
    issuer = (settings.oidc_issuer or "").rstrip("/")
    valid_until, metadata = _metadata.get(issuer, (0.0, {}))
    if valid_until < time.monotonic():
        metadata = _json(await _send(client, "GET", f"{issuer}/.well-known/openid-configuration"))
        needed = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
        if not all(isinstance(metadata.get(name), str) for name in needed) or metadata["issuer"].rstrip("/") != issuer:
            log.warning(
                "the issuer in the OpenID configuration does not match", issuer=issuer, says=metadata.get("issuer")
            )
            raise ProviderUnavailable
        _metadata[issuer] = (time.monotonic() + METADATA_TTL, metadata)
    return metadata


async def _redeem(
    client: httpx.AsyncClient, settings: Settings, metadata: dict[str, Any], grant: dict[str, str]
) -> dict[str, Any]:
    """Return the tokens for a code. Raise ProviderUnavailable, UntrustedResponse."""
    form = {"grant_type": "authorization_code", "redirect_uri": callback(settings), **grant}
    client_id, secret, auth = settings.oidc_client_id or "", settings.oidc_client_secret, None
    if secret and "client_secret_basic" in metadata.get(METHODS, ["client_secret_basic"]):
        auth = httpx.BasicAuth(quote(client_id, safe=""), quote(secret, safe=""))  # RFC 6749, 2.3.1
    else:
        form |= {"client_id": client_id, **({"client_secret": secret} if secret else {})}
    answer = await _send(client, "POST", metadata["token_endpoint"], data=form, auth=auth)
    if 400 <= answer.status_code < 500:
        log.warning("the OpenID provider rejected the code", status=answer.status_code)
        raise UntrustedResponse
    return _json(answer)


def _validated_claims(
    settings: Settings, keys: dict[str, Any], tokens: dict[str, Any], expected: ExpectedClaims
) -> dict[str, Any]:
    """Return the claims of a valid id token. Raise UntrustedResponse."""
    try:
        token = verified_token(tokens["id_token"], keys)
        claims = CodeIDToken(
            token.claims,
            token.header,
            {
                "iss": {"essential": True, "value": expected.issuer},
                "aud": {"essential": True, "value": settings.oidc_client_id},
            },
            {"nonce": expected.nonce, "client_id": settings.oidc_client_id, "access_token": tokens.get("access_token")},
        )
        claims.validate(now=int(expected.at.timestamp()), leeway=LEEWAY)
    except (JoseError, KeyError, TypeError, ValueError, AttributeError) as error:
        log.warning("invalid id token", error=type(error).__name__)
        raise UntrustedResponse from None
    return dict(claims)


async def _with_userinfo(
    client: httpx.AsyncClient, url: str, tokens: dict[str, Any], claims: dict[str, Any]
) -> dict[str, Any]:
    """Return the claims with those of the userinfo endpoint for the same subject. Raise ProviderUnavailable."""
    bearer = {"authorization": f"Bearer {tokens.get('access_token')}"}
    more = _json(await _send(client, "GET", url, headers=bearer))
    return {**more, **claims} if more.get("sub") == claims["sub"] else claims


def _to_identity(claims: dict[str, Any]) -> ProviderIdentity:
    email = claims.get("email")
    verified = claims.get("email_verified") in (True, "true") and isinstance(email, str)
    names = (claims.get("name"), claims.get("preferred_username"), str(email or claims["sub"]).partition("@")[0])
    name = first_name(*(each for each in names if isinstance(each, str)), otherwise="Unnamed user")
    return ProviderIdentity(claims["iss"], claims["sub"], name, email if verified else None)


async def _send(client: httpx.AsyncClient, method: str, url: str, **more: Any) -> httpx.Response:
    try:
        return await client.request(method, url, **more)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        log.warning("the OpenID provider is unreachable", url=url.partition("?")[0], error=type(error).__name__)
        raise ProviderUnavailable from None


def _json(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.raise_for_status().json()
    except (httpx.HTTPError, ValueError):
        found = None
    if not isinstance(found, dict):
        log.warning("unexpected response from the OpenID provider", host=answer.url.host, status=answer.status_code)
        raise ProviderUnavailable
    return found

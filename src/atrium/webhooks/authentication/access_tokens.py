"""Access tokens for deliveries, by OAuth 2 client credentials (RFC 6749, section 4.4).

Each process requests its own tokens. Nothing of a token endpoint's response is logged or shown but its status, and the
error code if it is one of the standard's.
"""

import asyncio
import base64
import re
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import quote_plus, urlencode

import msgspec
from msgspec import Struct

from atrium.kit.clock import Clock
from atrium.kit.network.outbound import Exchange, Outbound, no_response
from atrium.webhooks.authentication.model import ClientAuthentication, OAuth2Credentials

MAX_GRANTS = 4096
LIFETIME, MAX_LIFETIME = timedelta(hours=1), timedelta(days=1)  # a token without `expires_in`; any token
EARLY = timedelta(minutes=1)  # a token is not used in its last minute, or in the last tenth of a shorter lifetime
NOT_READABLE = msgspec.MsgspecError, UnicodeDecodeError, RecursionError  # the last: nested thousands of times
TOKEN = re.compile(r"[\x21-\x7e]{1,8000}")
CODES = frozenset(
    [
        "invalid_request",
        "invalid_client",
        "invalid_grant",
        "unauthorized_client",
        "unsupported_grant_type",
        "invalid_scope",
        "invalid_target",
    ]
)  # RFC 6749, section 5.2, and RFC 8707


class NoToken(Exception):
    """The token endpoint granted no token; `str()` is the message for users."""


class AccessTokens:
    """The access tokens that one process uses, each requested once for all deliveries that need it."""

    def __init__(self, outbound: Outbound, clock: Clock) -> None:
        self._grant = lru_cache(MAX_GRANTS)(lambda _: _Grant(outbound, clock))

    async def get(
        self, version: bytes, credentials: OAuth2Credentials, *, rejected: str | None, limit: float, within: float
    ) -> str:
        """Return a token other than the `rejected` one, if the endpoint grants another. Raise NoToken.

        `version` changes whenever the credentials do: tokens of other versions are not used. A request for a token
        takes at most `limit` seconds; this caller waits for it at most `within` seconds.
        """
        grant = self._grant(version)
        if (token := grant.valid_token) not in (None, rejected):
            return token or ""
        try:
            async with asyncio.timeout(within):
                return await grant.request(credentials, limit)
        except TimeoutError:
            raise NoToken(f"the token endpoint: {no_response(limit)}") from None


class _Grant:
    """The token of one version of a webhook's credentials, and the request for the next one."""

    def __init__(self, outbound: Outbound, clock: Clock) -> None:
        self._outbound, self._clock = outbound, clock
        self._token, self._usable_until = "", clock()
        self._request: asyncio.Task[str | NoToken] | None = None

    @property
    def valid_token(self) -> str | None:
        """Return the token, if it can still be used."""
        return self._token if self._token and self._clock() < self._usable_until else None

    async def request(self, credentials: OAuth2Credentials, limit: float) -> str:
        """Request a token, or wait for the request that is under way. Raise NoToken."""
        if self._request is None:
            self._request = asyncio.create_task(self._renew(credentials, limit))
        answer = await asyncio.shield(self._request)  # others wait for it too
        if isinstance(answer, NoToken):
            raise answer
        return answer

    async def _renew(self, credentials: OAuth2Credentials, limit: float) -> str | NoToken:
        requested_at = self._clock()
        try:
            headers, body = token_request(credentials)
            exchange = await self._outbound.post(credentials.token_url, headers, body, within=limit, with_body=True)
            self._token, lifetime = granted(exchange)
            self._usable_until = usable_until(requested_at, lifetime)
            return self._token
        except NoToken as error:
            return error
        finally:
            self._request = None


def token_request(credentials: OAuth2Credentials) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a request for a token."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    named = {"scope": credentials.scope, "audience": credentials.audience}
    fields = {"grant_type": "client_credentials"} | {name: value for name, value in named.items() if value}
    client_id, secret = credentials.client_id, str(credentials.client_secret)
    if credentials.client_authentication is ClientAuthentication.BODY:
        fields |= {"client_id": client_id, "client_secret": secret}
    else:
        pair = f"{quote_plus(client_id)}:{quote_plus(secret)}"  # encoded: RFC 6749, section 2.3.1
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    return headers, urlencode(fields).encode()


class _TokenResponse(Struct):
    access_token: str
    token_type: str = "Bearer"  # noqa: S105
    expires_in: float | None = None


class _ErrorResponse(Struct):
    error: str = ""


def granted(exchange: Exchange) -> tuple[str, float | None]:
    """Return the token in a response, and its lifetime in seconds if it says so. Raise NoToken."""
    if exchange.response_code is None:
        raise NoToken(f"the token endpoint: {exchange.error}")
    if not exchange.succeeded:
        raise NoToken(f"the token endpoint answered {exchange.response_code}{_error_code(exchange.body)}")
    try:
        answer = msgspec.json.decode(exchange.body, type=_TokenResponse, strict=False)
    except NOT_READABLE:
        raise NoToken("the token endpoint's response is not JSON with an access_token") from None
    if answer.token_type.lower() != "bearer":
        raise NoToken("the token endpoint granted a token that is not a bearer token")
    if not TOKEN.fullmatch(answer.access_token):
        raise NoToken("the token endpoint granted a token that no header can contain")
    return answer.access_token, answer.expires_in


def usable_until(requested_at: datetime, lifetime: float | None) -> datetime:
    """Return until when a token is used that is valid for `lifetime` seconds, or for an unknown time."""
    if lifetime is None:
        length = LIFETIME
    else:
        in_range = 0 < lifetime < MAX_LIFETIME.total_seconds()
        length = timedelta(seconds=lifetime) if in_range else MAX_LIFETIME if lifetime > 0 else timedelta()
    return requested_at + length - min(EARLY, length / 10)


def _error_code(body: bytes) -> str:
    try:
        code = msgspec.json.decode(body, type=_ErrorResponse).error
    except NOT_READABLE:
        return ""
    return f": {code}" if code in CODES else ""

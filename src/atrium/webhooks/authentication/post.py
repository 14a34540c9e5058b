"""Send a signed delivery as its webhook authenticates: with an access token, a client certificate, or neither."""

import ssl
from collections.abc import Mapping
from functools import partial
from time import monotonic
from typing import NamedTuple

from atrium.kit.network.client_certificates import client_context, in_thread
from atrium.kit.network.outbound import Exchange, Outbound
from atrium.webhooks.authentication.access_tokens import AccessTokens, NoToken
from atrium.webhooks.authentication.model import MutualTlsCredentials, OAuth2Credentials, unsealed

UNAUTHORIZED = 401
SHORTEST = 0.1  # seconds


class Outgoing(NamedTuple):
    """A signed delivery; `limit` is the time for all of its requests, in seconds."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    limit: float


async def send(
    outgoing: Outgoing, *, authentication: bytes | None, version: bytes, outbound: Outbound, tokens: AccessTokens
) -> Exchange:
    """Send a delivery. Errors are in the result. `authentication` is decrypted, and `version` changes when it does."""
    url, headers, body, limit = outgoing
    match None if authentication is None else unsealed(authentication):
        case OAuth2Credentials() as credentials:
            return await _send_with_token(outgoing, credentials, version, outbound, tokens)
        case MutualTlsCredentials(certificate=certificate, private_key=private_key):
            try:
                tls = await in_thread(partial(client_context, certificate, str(private_key)))
            except ssl.SSLError:
                return Exchange(None, "TLS: the client certificate cannot be used", "", 0)
            return await outbound.post(url, headers, body, within=limit, tls=tls)
    return await outbound.post(url, headers, body, within=limit)


async def _send_with_token(
    outgoing: Outgoing, credentials: OAuth2Credentials, version: bytes, outbound: Outbound, tokens: AccessTokens
) -> Exchange:
    """Send a delivery with an access token; if the receiver responds with 401, again with a new one."""
    started, rejected = monotonic(), None

    def time_left() -> float:
        return max(SHORTEST, round(outgoing.limit - (monotonic() - started), 1))

    while True:
        try:
            token = await tokens.get(version, credentials, rejected=rejected, limit=outgoing.limit, within=time_left())
        except NoToken as error:
            return Exchange(None, f"OAuth: {error}", "", round((monotonic() - started) * 1000))
        headers = {**outgoing.headers, "Authorization": f"Bearer {token}"}
        exchange = await outbound.post(outgoing.url, headers, outgoing.body, within=time_left())
        if exchange.response_code != UNAUTHORIZED or rejected is not None:
            return exchange
        rejected = token

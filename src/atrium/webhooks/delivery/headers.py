"""The headers of a delivery: the webhook's custom headers, then ours, which override them."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from atrium import __version__
from atrium.kit.errors import invalid_field
from atrium.webhooks.delivery.signing import sign, standard_signature

MAX_HEADERS = 10
MAX_VALUE_LENGTH = 1000
NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
VALUE = re.compile(r"[\x20-\x7e]*")
# Hop by hop (RFC 9110, section 7.6.1), or set by the HTTP client.
RESERVED = frozenset(
    [
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "host",
        "content-length",
        "content-encoding",
        "expect",
        "proxy-connection",
        "accept-encoding",
    ]
)


def require_headers(headers: Mapping[str, str]) -> None:
    """Raise InvalidRequest for headers that cannot be sent (docs/contract.md#webhook-details)."""
    if len(headers) > MAX_HEADERS:
        raise invalid_field("/content/headers", f"at most {MAX_HEADERS} headers")
    if len({name.lower() for name in headers}) < len(headers):
        raise invalid_field("/content/headers", "names a header twice")
    for name, value in headers.items():
        if not NAME.fullmatch(name):
            raise invalid_field("/content/headers", "a header name is 1 to 100 token characters")
        if name.lower() in RESERVED:
            raise invalid_field("/content/headers", f"{name} is not a header that a webhook can set")
        if len(value) > MAX_VALUE_LENGTH or not VALUE.fullmatch(value):
            raise invalid_field(
                "/content/headers", f"{name}: a value is at most {MAX_VALUE_LENGTH} printable ASCII characters"
            )


def signed_headers(
    event_type: str, delivery_id: UUID, body: bytes, *, secrets: Sequence[str], now: datetime
) -> dict[str, str]:
    """Return the headers of docs/contract.md#events-and-deliveries and of Standard Webhooks, signed for this attempt.

    The first of `secrets` signs `X-Service-Signature`, each of them `webhook-signature`.
    """
    timestamp = int(now.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Atrium-Webhooks/{__version__}",
        "X-Service-Event": event_type,
        "X-Service-Delivery": str(delivery_id),
        "X-Service-Signature": sign(secrets[0], body),
        "webhook-id": str(delivery_id),
        "webhook-timestamp": str(timestamp),
        "webhook-signature": standard_signature(secrets, str(delivery_id), timestamp, body),
    }


def with_custom(own: Mapping[str, str], custom: Mapping[str, str]) -> dict[str, str]:
    """Return the headers to send: ours, and the custom ones with other names."""
    ours = {name.lower() for name in own}
    return {**{name: value for name, value in custom.items() if name.lower() not in ours}, **own}


def require_headers_again(stored_names: Sequence[str], requested: Mapping[str, str] | None) -> None:
    """Raise InvalidRequest if a changed endpoint would get values of headers that were entered for another one: the
    next person who may change the webhook could have them sent to a server of their own."""
    if stored_names and requested is None:
        names = ", ".join(stored_names)
        raise invalid_field(
            "/content/headers", f"is required again to change endpoint_url: enter the values of {names}"
        )

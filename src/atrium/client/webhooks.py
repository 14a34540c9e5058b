"""Receive webhooks: `verify` checks that a request to your endpoint is a delivery from Atrium."""

import base64
import hmac
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from atrium.client.errors import InvalidSignature, StaleDelivery

TOLERANCE = 300.0  # seconds, as Standard Webhooks recommends
PREFIX = "whsec_"


class Subject(msgspec.Struct, frozen=True):
    """The resource that an event is about: `type` is `room`, `id` is the room's id."""

    type: str
    id: UUID


class WebhookEvent(msgspec.Struct, frozen=True):
    """A verified event. Every attempt to deliver it has the same `delivery_id`: use it to drop duplicates."""

    event_type: str
    subject: Subject
    timestamp: datetime
    data: dict[str, Any] = {}
    delivery_id: str = ""


def verify(
    secret: str | Sequence[str], body: bytes, headers: Mapping[str, str], *, tolerance: float | None = TOLERANCE
) -> WebhookEvent:
    """Return the event in a delivery. Raise InvalidSignature or its subclass StaleDelivery; respond to both with 401.

    `body` is the raw request body, `headers` are the request's headers in upper or lower case. `secret` is the
    webhook's secret, or several while it is being rotated. `webhook-signature` must be valid, and its timestamp within
    `tolerance` seconds of this machine's clock, so that a recorded delivery cannot be replayed later. With
    `tolerance=None` a delivery may be of any age, and `X-Service-Signature` alone is enough. Signatures are compared
    in constant time.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    given = {name.lower(): value for name, value in headers.items()}
    valid = _has_standard_signature(secrets, body, given)
    if tolerance is None:
        valid |= _has_service_signature(secrets, body, given)
    if not valid:
        raise InvalidSignature(_reason(given, tolerance))
    if tolerance is not None and abs(time.time() - int(given["webhook-timestamp"])) > tolerance:
        raise StaleDelivery(f"the timestamp is more than {tolerance:g} seconds from the current time")
    return _event(body, given)


def service_signature(secret: str, body: bytes) -> str:
    """Return the `X-Service-Signature` of a body. The secret is used as displayed, not decoded."""
    return "sha256=" + hmac.digest(secret.encode(), body, "sha256").hex()


def standard_signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """Return one signature of `webhook-signature` (Standard Webhooks 1.0). Raise ValueError for an invalid secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        raise ValueError("a webhook secret is whsec_ followed by base64") from None
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def _has_standard_signature(secrets: Sequence[str], body: bytes, given: Mapping[str, str]) -> bool:
    """Return whether one of the signatures in `webhook-signature` is valid. Compare all, to take constant time."""
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) < 16):
        return False
    valid = False
    for secret in secrets:
        expected = standard_signature(secret, message_id, timestamp, body)
        for signature in given.get("webhook-signature", "").split(" "):
            valid |= _equal(expected, signature)
    return valid


def _has_service_signature(secrets: Sequence[str], body: bytes, given: Mapping[str, str]) -> bool:
    valid = False
    for secret in secrets:
        valid |= _equal(service_signature(secret, body), given.get("x-service-signature", ""))
    return valid


def _equal(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode(errors="replace"))


def _reason(given: Mapping[str, str], tolerance: float | None) -> str:
    if "webhook-signature" in given:
        return "webhook-signature does not match the body, webhook-id and webhook-timestamp"
    if tolerance is None and "x-service-signature" in given:
        return "X-Service-Signature does not match the body"
    return "webhook-signature is missing" if tolerance is not None else "the signature is missing"


def _event(body: bytes, given: Mapping[str, str]) -> WebhookEvent:
    try:
        event = msgspec.json.decode(body, type=WebhookEvent)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidSignature(f"the signature is valid, but the body is not an event: {error}") from None
    delivery_id = given.get("webhook-id") or given.get(
        "x-service-delivery", ""
    )  # webhook-id is covered by the signature
    return msgspec.structs.replace(event, delivery_id=delivery_id)

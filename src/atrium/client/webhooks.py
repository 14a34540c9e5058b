"""Receiving webhooks: `verify` tells a delivery from whatever else is posted to the endpoint."""

import base64
import hmac
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from atrium.client.errors import InvalidSignature, StaleDelivery

TOLERANCE = 300.0  # seconds; as Standard Webhooks advises
PREFIX = "whsec_"


class Subject(msgspec.Struct, frozen=True):
    """What an event is about: `type` is room, and `id` its id."""

    type: str
    id: UUID


class WebhookEvent(msgspec.Struct, frozen=True):
    """A verified event. `delivery_id` is the same however often it is delivered: drop what you have already."""

    event_type: str
    subject: Subject
    timestamp: datetime
    data: dict[str, Any] = {}
    delivery_id: str = ""


def verify(
    secret: str | Sequence[str], body: bytes, headers: Mapping[str, str], *, tolerance: float | None = TOLERANCE
) -> WebhookEvent:
    """The event in a delivery. Raises InvalidSignature (or its StaleDelivery), which is to be answered with 401.

    `body` is the bytes as they came, `headers` the request's, in any case. `secret` is the webhook's, or several
    while it is being rotated. `webhook-signature` has to be right, and its timestamp within `tolerance` seconds of
    this machine's clock, so that a delivery that somebody recorded is worth nothing later. With `tolerance=None` a
    delivery may be of any age, and `X-Service-Signature` alone is enough. Signatures are compared in constant time.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    given = {name.lower(): value for name, value in headers.items()}
    right = _standard(secrets, body, given)
    if tolerance is None:
        right |= _service(secrets, body, given)
    if not right:
        raise InvalidSignature(_why(given, tolerance))
    if tolerance is not None and abs(time.time() - int(given["webhook-timestamp"])) > tolerance:
        raise StaleDelivery(f"the delivery was signed more than {tolerance:g} seconds from now")
    return _event(body, given)


def service_signature(secret: str, body: bytes) -> str:
    """`X-Service-Signature` of these bytes: keyed with the secret as it is shown."""
    return "sha256=" + hmac.digest(secret.encode(), body, "sha256").hex()


def standard_signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """One signature of `webhook-signature` (Standard Webhooks 1.0). Raises ValueError for a secret that is none."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        raise ValueError("a webhook secret is whsec_ and base64") from None
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def _standard(secrets: Sequence[str], body: bytes, given: Mapping[str, str]) -> bool:
    """Whether one of the signatures of `webhook-signature` is right. All are looked at, whichever is."""
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) < 16):
        return False
    right = False
    for secret in secrets:
        expected = standard_signature(secret, message_id, timestamp, body)
        for each in given.get("webhook-signature", "").split(" "):
            right |= _same(expected, each)
    return right


def _service(secrets: Sequence[str], body: bytes, given: Mapping[str, str]) -> bool:
    right = False
    for secret in secrets:
        right |= _same(service_signature(secret, body), given.get("x-service-signature", ""))
    return right


def _same(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode(errors="replace"))


def _why(given: Mapping[str, str], tolerance: float | None) -> str:
    if "webhook-signature" in given:
        return "webhook-signature is not that of the body, its id and its timestamp"
    if tolerance is None and "x-service-signature" in given:
        return "X-Service-Signature is not that of the body"
    return "there is no webhook-signature" if tolerance is not None else "there is no signature"


def _event(body: bytes, given: Mapping[str, str]) -> WebhookEvent:
    try:
        event = msgspec.json.decode(body, type=WebhookEvent)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidSignature(f"the body is signed, but is no event: {error}") from None
    delivery_id = given.get("webhook-id") or given.get("x-service-delivery", "")  # the first is signed too
    return msgspec.structs.replace(event, delivery_id=delivery_id)

"""Sign deliveries, and verify their signatures (docs/contract.md#events-and-deliveries)."""

import base64
import hmac
from collections.abc import Sequence
from secrets import token_bytes

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """Return a new webhook secret as it is shown: `whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(token_bytes(SECRET_BYTES)).decode()


def sign(secret: str, body: bytes) -> str:
    """Return the `X-Service-Signature` of these bytes: `sha256=` and lowercase hex, keyed with the secret as shown."""
    return "sha256=" + hmac.digest(secret.encode(), body, "sha256").hex()


def verify(secret: str, body: bytes, signature: str) -> bool:
    """Return whether the signature matches the body. Takes constant time."""
    return hmac.compare_digest(sign(secret, body).encode(), signature.encode(errors="replace"))


def standard_signature(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> str:
    """Return the `webhook-signature` of Standard Webhooks 1.0: `v1,` and base64 for each secret, separated by spaces.

    `timestamp` is in seconds since 1970. Unlike `sign`, the key is the decoded secret.
    Raise ValueError (binascii.Error) for a secret that is not base64.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    keys = (base64.b64decode(secret.removeprefix(PREFIX), validate=True) for secret in secrets)
    return " ".join("v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys)

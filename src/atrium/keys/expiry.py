"""Key expiry: rules for requests and for rotation."""

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from atrium.kit.clock import parse_time
from atrium.kit.errors import Conflict, invalid_field
from atrium.kit.http.request import Body
from atrium.kit.text.types import Timestamp

FIELD = "/content/expires_at"
ExpiryField = str | UnsetType | None  # in a body: a time, null for never, or omitted


class ApiKeyExpired(Conflict):
    """The key has expired. Rotate it with a new `expires_at`, or null for a key that does not expire."""

    code = "api_key_expired"
    title = "The key has expired"


class KeyRotation(Body):
    """The fields of a rotation."""

    expires_at: Annotated[
        Timestamp | UnsetType | None,
        Meta(description="when the new key expires, null for never; by default, when the old one does"),
    ] = UNSET


def expiry(text: str | None, now: datetime) -> datetime | None:
    """Read `expires_at` of a body. Raise InvalidRequest unless it is a time in the future."""
    if text is None:
        return None
    try:
        at = parse_time(text)
    except ValueError:
        raise invalid_field(FIELD, "is not an ISO 8601 time") from None
    if at <= now:
        raise invalid_field(FIELD, "is in the past")
    return at


def updated_expiry(current: str | None, requested: ExpiryField, now: datetime) -> datetime | UnsetType | None:
    """Return the expiry to set for a key that expires at `current`, UNSET if it does not change. Raise ApiKeyExpired.

    An update does not revive an expired key, because old copies of it would work again; a rotation does.
    """
    if requested is UNSET or requested == current:
        return UNSET
    require_not_expired(current, now)
    return expiry(requested, now)


def extends(current: str | None, ends: datetime | None) -> bool:
    """Return whether a key that expires at `current` would work longer if it expired at `ends`."""
    return current is not None and (ends is None or ends > parse_time(current))


def rotated_expiry(current: str | None, requested: ExpiryField, now: datetime) -> datetime | None:
    """Return the expiry of the key that replaces one that expires at `current`. Raise ApiKeyExpired."""
    if requested is not UNSET:
        return expiry(requested, now)
    require_not_expired(current, now)
    return None if current is None else parse_time(current)


def require_not_expired(current: str | None, now: datetime) -> None:
    """Raise ApiKeyExpired if the time has passed."""
    if current is not None and parse_time(current) <= now:
        raise ApiKeyExpired(f"The key expired at {current}. Rotate it with a new expires_at, or null for never.")

"""Key expiry: rules for requests and for rotation."""

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from atrium.keys import queries
from atrium.keys.caller import Call
from atrium.kit.clock import parse_time, rfc3339
from atrium.kit.errors import Conflict, Forbidden, invalid_field
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


async def caller_expiry(call: Call) -> datetime | None:
    """Return when the caller's key expires; None for never, and for a browser session."""
    ends: datetime | None = await call.db.fetchval(queries.EXPIRY_OF_KEY, call.caller.api_key_id)
    return ends


async def expiry_of_own_key(call: Call, requested: str | None) -> datetime | None:
    """Return the expiry of a personal key that the caller creates: at the latest that of the caller's own key.

    Raise InvalidRequest for a later time.
    """
    ends, at = await caller_expiry(call), expiry(requested, call.now)
    if ends is not None and at is not None and at > ends:
        raise invalid_field(FIELD, f"is later than {rfc3339(ends)}, when your own key expires")
    return at or ends


async def require_expiry_within_own(call: Call, at: datetime | None) -> None:
    """Raise Forbidden if the caller's key expires before `at`: it may not create a key that lasts longer."""
    ends = await caller_expiry(call)
    if ends is not None and (at is None or at > ends):
        raise Forbidden(f"Your own key expires at {rfc3339(ends)}; the new key cannot last longer.")

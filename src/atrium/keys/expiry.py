"""Until when a key works: what a request may say of it, and what a rotation does with it."""

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from atrium.keys import queries
from atrium.keys.caller import Call
from atrium.kit.clock import parse_time, rfc3339
from atrium.kit.errors import Conflict, Forbidden, invalid_field
from atrium.kit.texts import Timestamp
from atrium.kit.web import Body

FIELD = "/content/expires_at"
Until = str | UnsetType | None  # as a body says it: a time, null for no end, or nothing


class ApiKeyExpired(Conflict):
    """The key has expired: rotate it with a new `expires_at`, or null for a key without an end."""

    code = "api_key_expired"
    title = "The key has expired"


class KeyRotation(Body):
    """What can change with the key."""

    expires_at: Annotated[
        Timestamp | UnsetType | None,
        Meta(description="until when the new key works, null for no end; left out, as long as the old one"),
    ] = UNSET


def expiry(text: str | None, now: datetime) -> datetime | None:
    """Read `expires_at` of a body. Raises InvalidRequest for no time, or one that has passed."""
    if text is None:
        return None
    try:
        at = parse_time(text)
    except ValueError:
        raise invalid_field(FIELD, "is not an ISO 8601 time") from None
    if at <= now:
        raise invalid_field(FIELD, "has passed")
    return at


def moved_expiry(present: str | None, wanted: Until, now: datetime) -> datetime | UnsetType | None:
    """Return the end to set for a key that ends at `present`, UNSET where it stays. Raises ApiKeyExpired.

    A key that has expired does not come back by a change: whoever kept it has it still. A rotation renews it.
    """
    if wanted is UNSET or wanted == present:
        return UNSET
    require_not_expired(present, now)
    return expiry(wanted, now)


def renewed_expiry(present: str | None, wanted: Until, now: datetime) -> datetime | None:
    """Return the end of the key that takes the place of one that ends at `present`. Raises ApiKeyExpired."""
    if wanted is not UNSET:
        return expiry(wanted, now)
    require_not_expired(present, now)
    return None if present is None else parse_time(present)


def require_not_expired(present: str | None, now: datetime) -> None:
    """Raise ApiKeyExpired where the time has passed."""
    if present is not None and parse_time(present) <= now:
        raise ApiKeyExpired(f"The key expired at {present}. Rotate it with a new expires_at, or null for no end.")


async def caller_expiry(call: Call) -> datetime | None:
    """Return when the caller's key expires; None for a key without an end, and for a browser session."""
    ends: datetime | None = await call.db.fetchval(queries.EXPIRY_OF_KEY, call.caller.api_key_id)
    return ends


async def expiry_of_own_key(call: Call, wanted: str | None) -> datetime | None:
    """Return the end of a personal key that the caller makes: at the latest that of the key it is made with.

    Raises InvalidRequest for a later time.
    """
    ends, at = await caller_expiry(call), expiry(wanted, call.now)
    if ends is not None and at is not None and at > ends:
        raise invalid_field(FIELD, f"is later than {rfc3339(ends)}, when the key that you call with expires")
    return at or ends


async def require_outlives(call: Call, at: datetime | None) -> None:
    """Raise Forbidden where the caller's key expires before `at`: it gets no key that lives longer."""
    ends = await caller_expiry(call)
    if ends is not None and (at is None or at > ends):
        raise Forbidden(f"The key that you call with expires at {rfc3339(ends)} and gets no key that lives longer.")

"""What a key may do, from which networks and until when: less than its actor, never more.

Limits narrow. An update cannot widen them, because copies of the key would gain what they never had; a new key can have
other limits. A key cannot create or rotate one with wider limits than its own.
"""

from collections.abc import Sequence
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple, Protocol

from msgspec import UNSET, UnsetType

from atrium.keys import queries
from atrium.keys.caller import Call
from atrium.keys.model import LimitsToNarrow, LimitsToSet
from atrium.kit.clock import parse_time, rfc3339
from atrium.kit.errors import Conflict, Forbidden, invalid_field
from atrium.permissions import Scope

EXPIRES_AT, SCOPES, NETWORKS = "/content/expires_at", "/content/scopes", "/content/allowed_networks"
ExpiryField = str | UnsetType | None  # in a body: a time, null for never, or omitted


class ApiKeyExpired(Conflict):
    """The key has expired. Rotate it with a new `expires_at`, or null for a key that does not expire."""

    code = "api_key_expired"
    title = "The key has expired"


class Limited(Protocol):
    """A key as the API shows it."""

    @property
    def expires_at(self) -> str | None:
        """When it expires."""

    @property
    def scopes(self) -> list[Scope] | None:
        """What it may do."""

    @property
    def allowed_networks(self) -> list[str] | None:
        """Where from."""


class KeyLimits(NamedTuple):
    """The limits of a key; None stands for none."""

    expires_at: datetime | None = None
    scopes: Sequence[str] | None = None
    allowed_networks: Sequence[str] | None = None


UNLIMITED = KeyLimits()


async def limits_of_caller(call: Call) -> KeyLimits:
    """Return the limits of the caller's key; none for a browser session."""
    row = await call.db.fetchrow(queries.LIMITS_OF_KEY, call.caller.api_key_id)
    return UNLIMITED if row is None else KeyLimits(*row)


def requested_limits(content: LimitsToSet, now: datetime) -> KeyLimits:
    """Read the limits of a body. Raise InvalidRequest for a time in the past, or for what is not a network."""
    return KeyLimits(expiry(content.expires_at, now), scopes(content.scopes), networks(content.allowed_networks))


def expiry(text: str | None, now: datetime) -> datetime | None:
    """Read `expires_at` of a body. Raise InvalidRequest unless it is a time in the future."""
    if text is None:
        return None
    try:
        at = parse_time(text)
    except ValueError:
        raise invalid_field(EXPIRES_AT, "is not an ISO 8601 time") from None
    if at <= now:
        raise invalid_field(EXPIRES_AT, "is in the past")
    return at


def scopes(requested: Sequence[str] | None) -> list[str] | None:
    """Return scopes, each once, in the order of the catalogue."""
    return None if requested is None else [scope.value for scope in Scope if scope in requested]


def networks(requested: Sequence[str] | None) -> list[str] | None:
    """Return networks in their usual notation, each once. Raise InvalidRequest."""
    if requested is None:
        return None
    return list(dict.fromkeys(str(_network(text, nr)) for nr, text in enumerate(requested)))


def _network(text: str, nr: int) -> IPv4Network | IPv6Network:
    try:
        return _without_zone(ip_network(text.strip()))
    except ValueError as error:
        raise invalid_field(f"{NETWORKS}/{nr}", f"is not a network in CIDR notation: {error}") from None


def _without_zone(network: IPv4Network | IPv6Network) -> IPv4Network | IPv6Network:
    """Return a network, unless it has an IPv6 zone, which is of one machine only. Raise ValueError."""
    if "%" in str(network):
        raise ValueError(f"{network} has a zone")
    return network


async def limits_of_own_key(call: Call, content: LimitsToSet) -> KeyLimits:
    """Return the limits of a key that acts as its creator: by default those of the key that creates it.

    Raise InvalidRequest for wider ones.
    """
    own, wanted = await limits_of_caller(call), requested_limits(content, call.now)
    made = KeyLimits(
        wanted.expires_at or own.expires_at,
        wanted.scopes or own.scopes,
        wanted.allowed_networks or own.allowed_networks,
    )
    if own.expires_at is not None and made.expires_at is not None and made.expires_at > own.expires_at:
        raise invalid_field(EXPIRES_AT, f"is later than {rfc3339(own.expires_at)}, when your own key expires")
    if not covers(own.allowed_networks, made.allowed_networks):
        raise invalid_field(NETWORKS, "includes addresses from which your own key may not be used")
    return made


async def require_unlimited(call: Call) -> None:
    """Raise Forbidden for a key with a limit, where the response could be turned into a browser session."""
    if await limits_of_caller(call) != UNLIMITED:
        raise Forbidden("Your key has limits, and this could be used to sign in without them. Sign in for that.")


async def require_within_own(call: Call, limits: KeyLimits) -> None:
    """Raise Forbidden if a key with these limits could do more than the caller's own, or longer."""
    own = await limits_of_caller(call)
    ends = own.expires_at
    if ends is not None and (limits.expires_at is None or limits.expires_at > ends):
        raise Forbidden(f"Your own key expires at {rfc3339(ends)}; the new key cannot last longer.")
    if not covers(own.allowed_networks, limits.allowed_networks):
        raise Forbidden("Your own key may not be used from all networks from which the new key could be.")


def updated_limits(current: Limited, content: LimitsToNarrow, now: datetime) -> KeyLimits:
    """Return the limits of a key after an update. Raise InvalidRequest for wider scopes or networks; ApiKeyExpired."""
    ends = updated_expiry(current.expires_at, content.expires_at, now)
    own, wanted = current.scopes, current.scopes if content.scopes is UNSET else scopes(content.scopes)
    if own is not None and (wanted is None or not {*wanted} <= {*own}):
        raise invalid_field(SCOPES, "can only become fewer; create another key for more")
    outer = current.allowed_networks
    inner = outer if content.allowed_networks is UNSET else networks(content.allowed_networks)
    if not covers(outer, inner):
        raise invalid_field(NETWORKS, "can only become narrower; create another key for other networks")
    return KeyLimits(ends, wanted, inner)


def covers(outer: Sequence[str] | None, inner: Sequence[str] | None) -> bool:
    """Return whether each network of `inner` is in one of `outer`; None stands for all addresses."""
    if outer is None:
        return True
    return inner is not None and all(any(_is_within(one, other) for other in outer) for one in inner)


def _is_within(inner: str, outer: str) -> bool:
    one, other = ip_network(inner), ip_network(outer)
    if isinstance(one, IPv4Network):
        return isinstance(other, IPv4Network) and one.subnet_of(other)
    return isinstance(other, IPv6Network) and one.subnet_of(other)


def updated_expiry(current: str | None, requested: ExpiryField, now: datetime) -> datetime | None:
    """Return the expiry after an update of a key that expires at `current`. Raise ApiKeyExpired.

    An update does not revive an expired key, because old copies of it would work again; a rotation does.
    """
    if requested is UNSET or requested == current:
        return None if current is None else parse_time(current)
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

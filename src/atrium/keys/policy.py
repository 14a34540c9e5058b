"""The rules of an organization for keys, and which of them apply from when.

Rules that become stricter apply immediately to keys that are created, rotated or extended, and to the others from
`enforce_at`. Rules that become looser apply immediately to all. The database decides by the same columns in every
request (`caller_of` in migrations/functions).
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from atrium.keys import queries
from atrium.keys.caller import Call, KeyPolicyForbids
from atrium.kit.errors import Forbidden
from atrium.kit.postgres.database import Connection

GRACE = timedelta(days=30)


class PersonalKeys(StrEnum):
    """Whose personal keys an organization allows, from nobody's to everyone's."""

    NONE = "none"
    ADMINS = "admins"
    ALLOWED = "allowed"


class Rules(NamedTuple):
    """What a key must fit; by default nothing."""

    max_lifetime_days: int | None = None
    personal_keys: PersonalKeys = PersonalKeys.ALLOWED
    require_networks: bool = False


NO_RULES = Rules()


class Earlier(Struct, frozen=True):
    """Rules of a policy that was replaced before it was enforced, for the keys that were made since it was set."""

    since: datetime
    days: int | None
    personal: PersonalKeys
    with_networks: bool

    @property
    def rules(self) -> Rules:
        """Return what these keys must fit."""
        return Rules(self.days, self.personal, self.with_networks)


class Policy(NamedTuple):
    """The rules for new keys, and for all from `enforce_at`; until then `enforced` are the rules for all, and keys that
    were made under `earlier` rules must fit these, too."""

    rules: Rules
    set_at: datetime
    enforce_at: datetime
    enforced: Rules
    earlier: tuple[Earlier, ...] = ()

    def in_force(self, now: datetime) -> Rules:
        """Return the rules for keys that were there before the policy was set."""
        return self.rules if self.enforce_at <= now else self.enforced


def loosest(one: Rules, other: Rules) -> Rules:
    """Return the rules that every key fits that fits one or the other in each of them."""
    days = (one.max_lifetime_days, other.max_lifetime_days)
    order = list(PersonalKeys)
    return Rules(
        None if None in days else max(day for day in days if day is not None),
        max(one.personal_keys, other.personal_keys, key=order.index),
        one.require_networks and other.require_networks,
    )


def next_policy(current: Policy, rules: Rules, enforce_at: datetime | None, now: datetime) -> Policy:
    """Return the policy after its rules were set. A time that has passed stands for now, None for in 30 days.

    What is in force stays in force, unless the new rules are looser: for new keys, too.
    """
    is_same = rules == current.rules
    enforced = loosest(current.in_force(now), rules)
    if enforced == rules:
        at = min(current.enforce_at, now) if is_same else now
    elif enforce_at is None:
        at = current.enforce_at if is_same else now + GRACE
    else:
        at = max(enforce_at, now)
    return Policy(rules, current.set_at if is_same else now, at, enforced, _earlier(current, rules, now))


def _earlier(current: Policy, rules: Rules, now: datetime) -> tuple[Earlier, ...]:
    """Return what stops the keys that were made since `current` or a policy before it was set, once each."""
    if current.enforce_at <= now:
        return ()
    known = [(each.since, each.rules) for each in current.earlier]
    since: dict[Rules, datetime] = {}
    for set_at, old in [*known, (current.set_at, current.rules)]:
        since.setdefault(loosest(old, rules), set_at)
    return tuple(Earlier(set_at, *each) for each, set_at in since.items())


def loosens(current: Policy, following: Policy, now: datetime) -> bool:
    """Return whether a key could do more, or longer, than before."""
    if loosest(current.rules, following.rules) != current.rules:
        return True
    return current.enforce_at > now and following.enforce_at > current.enforce_at


async def require_allowed(db: Connection, api_key_id: UUID) -> None:
    """Raise KeyPolicyForbids for a new, rotated or extended key, if no organization of its actor allows it.

    A personal key that only some of them allow works in these. The caller must have locked the policies, before the key
    and its owner, so that a policy is set before or after the key is changed.
    """
    rows = await db.fetch(queries.POLICIES_OF_KEY, api_key_id)
    if rows and all(row["reasons"] for row in rows):
        reasons = sorted({reason for row in rows for reason in row["reasons"]})
        raise KeyPolicyForbids(" ".join(WHY[reason] for reason in reasons), reasons=reasons)


async def require_session_under_policy(call: Call) -> None:
    """Raise Forbidden for a key of a person one of whose organizations has a policy.

    Who signs in is not limited by policies, so no key may make it possible.
    """
    if await call.db.fetchval(queries.IS_KEY_UNDER_POLICY, call.caller.api_key_id):
        raise Forbidden("One of your organizations has a key policy. Sign in to set a password, with a link by email.")


WHY = {
    "max_lifetime": "The key must expire within the time that the organization allows.",
    "networks": "The key must be limited to networks, none of them wider than /8 (IPv4) or /16 (IPv6).",
    "personal_keys": "The organization does not allow personal keys of people with your role.",
}

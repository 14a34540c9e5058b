"""The key policy of an organization: what its admins allow of keys, and which keys a policy affects.

A key cannot loosen the policy that limits it: that needs a person in a browser session.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, json

from atrium.audit.trail import Change, Target
from atrium.integrations import key_policy_queries as queries
from atrium.keys.caller import Call
from atrium.keys.limit_types import MaxLifetimeDays, NetworksRequired
from atrium.keys.policy import NO_RULES, Earlier, PersonalKeys, Policy, Rules, loosens, next_policy
from atrium.keys.queries import IS_SESSION
from atrium.kit.clock import parse_time, rfc3339
from atrium.kit.errors import Forbidden, invalid_field
from atrium.kit.http.request import Body
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import ActorId, ApiKeyId, Timestamp
from atrium.organizations.queries import LOCK
from atrium.organizations.reach import Organization

MAX_SHOWN = 100
Reason = Literal["max_lifetime", "personal_keys", "networks"]
OfPeople = Annotated[PersonalKeys, Meta(description="whose personal keys may act in the organization")]


class KeyPolicyToSet(Body):
    """The rules of a key policy. What is left out has no rule."""

    max_lifetime_days: MaxLifetimeDays | None = None
    personal_keys: OfPeople = PersonalKeys.ALLOWED
    require_networks: NetworksRequired = False
    enforce_at: Annotated[
        Timestamp | None,
        Meta(description="when keys that do not fit stop; a time that has passed means now; by default in 30 days"),
    ] = None


class KeyPolicy(Struct, frozen=True):
    """What an organization allows of keys. New keys must fit; the others stop at `enforce_at` unless they fit."""

    max_lifetime_days: MaxLifetimeDays | None
    personal_keys: OfPeople
    require_networks: NetworksRequired
    enforce_at: Annotated[Timestamp | None, Meta(description="null without a rule")]


class AffectedKey(Struct, frozen=True):
    """A key that a policy does not allow, without the key itself."""

    api_key_id: ApiKeyId
    is_personal: bool
    name: str
    last_four: str
    owner_id: Annotated[ActorId, Meta(description="the integration or person that it acts as")]
    owner_name: str
    expires_at: Timestamp | None
    last_used_at: Timestamp | None
    reasons: list[Reason]
    stopped: Annotated[bool, Meta(description="whether it does not work in the organization now")]


class AffectedKeys(Struct, frozen=True):
    """The working keys that a policy does not allow; the first 100, those that were used last first."""

    organization_keys: Annotated[int, Meta(description="how many there are")]
    personal_keys: Annotated[int, Meta(description="how many there are")]
    keys: list[AffectedKey]


class KeyPolicyEffect(Struct, frozen=True):
    """A key policy and the keys that it does not allow."""

    key_policy: KeyPolicy
    affected: AffectedKeys


async def find_policy(call: Call, organization: Organization) -> Policy:
    """Return the policy of the organization, one without rules if none was set."""
    row = await call.db.fetchrow(queries.POLICY, organization.organization_id)
    return Policy(NO_RULES, call.now, call.now, NO_RULES) if row is None else _policy(row)


async def preview_policy(call: Call, organization: Organization, content: KeyPolicyToSet) -> KeyPolicyEffect:
    """Return what `set_policy` would answer, and change nothing. Raise InvalidRequest."""
    return await _effect(call, organization, _following(await find_policy(call, organization), content, call.now))


async def set_policy(call: Call, organization: Organization, content: KeyPolicyToSet) -> KeyPolicyEffect:
    """Set the policy. Raise InvalidRequest, Forbidden if a key would loosen it.

    Keys that are created at the same time are checked before it is set, or by it. The same policy changes nothing: no
    stream reads its access again, and the audit log gets no entry.
    """
    await call.lock(LOCK, organization.organization_id)
    current = await find_policy(call, organization)
    policy = _following(current, content, call.now)
    if loosens(current, policy, call.now) and not await call.db.fetchval(IS_SESSION, call.caller.api_key_id):
        raise Forbidden("A key cannot loosen the key policy. Sign in, in the web application or by POST /v1/sessions.")
    before, after = shown(current), shown(policy)
    if before != after:
        await _store(call, organization, policy)
        target = Target("organization", organization.organization_id, organization.name)
        await call.record(
            Change("key_policy.updated", target, organization.organization_id, before=before, after=after)
        )
    return await _effect(call, organization, policy)


def shown(policy: Policy) -> KeyPolicy:
    """Return a policy as the API shows it."""
    return KeyPolicy(*policy.rules, None if policy.rules == NO_RULES else rfc3339(policy.enforce_at))


def _following(current: Policy, content: KeyPolicyToSet, now: datetime) -> Policy:
    rules = Rules(content.max_lifetime_days, content.personal_keys, content.require_networks)
    try:
        at = None if content.enforce_at is None else parse_time(content.enforce_at)
    except ValueError:
        raise invalid_field("/content/enforce_at", "is not an ISO 8601 time") from None
    return next_policy(current, rules, at, now)


async def _store(call: Call, organization: Organization, policy: Policy) -> None:
    organization_id = organization.organization_id
    if policy.rules == NO_RULES:
        await call.db.execute(queries.REMOVE, organization_id)
        await call.db.execute(queries.NOTE, organization_id, None)
        return
    await call.db.execute(queries.SET, organization_id, *_columns(policy))
    await call.db.execute(queries.NOTE, organization_id, call.now)


async def _effect(call: Call, organization: Organization, policy: Policy) -> KeyPolicyEffect:
    rows: Sequence[Record] = await call.db.fetch(
        queries.AFFECTED, organization.organization_id, call.now, *_columns(policy), MAX_SHOWN
    )
    of_integrations, personal = (rows[0]["organization_keys"], rows[0]["personal_keys"]) if rows else (0, 0)
    keys = [as_struct(row, AffectedKey) for row in rows]
    return KeyPolicyEffect(shown(policy), AffectedKeys(of_integrations, personal, keys))


def _policy(row: Record) -> Policy:
    rules = (row["max_lifetime_days"], row["personal_keys"], row["require_networks"])
    enforced = (row["enforced_lifetime_days"], row["enforced_personal_keys"], row["enforced_networks"])
    earlier = json.decode(row["earlier"], type=tuple[Earlier, ...])
    return Policy(_rules(*rules), row["set_at"], row["enforce_at"], _rules(*enforced), earlier)


def _rules(days: int | None, personal: str, networks: bool) -> Rules:
    return Rules(days, PersonalKeys(personal), networks)


def _columns(policy: Policy) -> tuple[object, ...]:
    return (*policy.rules, policy.set_at, policy.enforce_at, *policy.enforced, json.encode(policy.earlier).decode())

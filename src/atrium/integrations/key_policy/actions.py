"""The key policy of an organization: what it allows of keys.

Keys that are created, rotated or extended must fit the rules immediately, the others from `enforce_at`. Rules that
become looser apply to all keys immediately. The database decides (`next_key_policy`, `rules_for`,
`key_policy_reasons`), because `caller_of` asks it in every request.

A key cannot loosen the policy that limits it: that needs a person in a browser session.
"""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.integrations.key_policy import queries
from atrium.keys.caller import Call
from atrium.keys.model import MaxLifetimeDays, NetworksRequired
from atrium.keys.policy import Reason
from atrium.keys.queries import IS_SESSION
from atrium.kit.clock import parse_time
from atrium.kit.errors import Forbidden, invalid_field
from atrium.kit.http.request import Body
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import ActorId, ApiKeyId, Timestamp
from atrium.organizations.queries import LOCK
from atrium.organizations.reach import Organization

MAX_SHOWN = 100


class PersonalKeys(StrEnum):
    """Whose personal keys an organization allows, from nobody's to everyone's."""

    NONE = "none"
    ADMINS = "admins"
    ALLOWED = "allowed"


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


NO_POLICY = KeyPolicy(None, PersonalKeys.ALLOWED, require_networks=False, enforce_at=None)
Requested = tuple[object, ...]


async def find_policy(call: Call, organization_id: UUID) -> KeyPolicy:
    """Return the policy of the organization, one without rules if none was set."""
    row = await call.db.fetchrow(queries.POLICY, organization_id)
    return NO_POLICY if row is None else as_struct(row, KeyPolicy)


async def preview_policy(call: Call, organization_id: UUID, content: KeyPolicyToSet) -> KeyPolicyEffect:
    """Return the result that `set_policy` would have, without changing anything. Raise InvalidRequest."""
    return await _effect(call, _requested(call, organization_id, content))


async def set_policy(call: Call, organization: Organization, content: KeyPolicyToSet) -> KeyPolicyEffect:
    """Set the policy. Raise InvalidRequest, Forbidden if a key would loosen it.

    The organization is locked, so that keys that are created at the same time are checked before the policy is set, or
    by it. The same policy changes nothing: no stream reads its access again, and the audit log gets no entry.
    """
    organization_id = organization.organization_id
    await call.lock(LOCK, organization_id)
    requested = _requested(call, organization_id, content)
    if await call.db.fetchval(queries.LOOSENS, *requested) and not await call.db.fetchval(
        IS_SESSION, call.caller.api_key_id
    ):
        raise Forbidden("A key cannot loosen the key policy. Sign in, in the web application or by POST /v1/sessions.")
    before, effect = await find_policy(call, organization_id), await _effect(call, requested)
    after = effect.key_policy
    if before != after:
        await _store(call, organization_id, requested, has_rules=after != NO_POLICY)
        target = Target("organization", organization_id, organization.name)
        await call.record(Change("key_policy.updated", target, organization_id, before=before, after=after))
    return effect


def _requested(call: Call, organization_id: UUID, content: KeyPolicyToSet) -> Requested:
    rules = (content.max_lifetime_days, content.personal_keys, content.require_networks)
    try:
        enforce_at = None if content.enforce_at is None else parse_time(content.enforce_at)
    except ValueError:
        raise invalid_field("/content/enforce_at", "is not an ISO 8601 time") from None
    return (organization_id, call.now, *rules, enforce_at)


async def _effect(call: Call, requested: Requested) -> KeyPolicyEffect:
    [policy] = as_structs(await call.db.fetch(queries.NEXT, *requested), KeyPolicy)
    rows = await call.db.fetch(queries.AFFECTED, *requested, MAX_SHOWN)
    of_integrations, personal = (rows[0]["organization_keys"], rows[0]["personal_keys"]) if rows else (0, 0)
    return KeyPolicyEffect(policy, AffectedKeys(of_integrations, personal, as_structs(rows, AffectedKey)))


async def _store(call: Call, organization_id: UUID, requested: Requested, *, has_rules: bool) -> None:
    if has_rules:
        await call.db.execute(queries.SET, *requested)
    else:
        await call.db.execute(queries.REMOVE, organization_id)
    await call.db.execute(queries.NOTE, organization_id, call.now if has_rules else None)

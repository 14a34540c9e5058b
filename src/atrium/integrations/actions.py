"""Create, change and end integrations with their keys. An integration outlives its creator.

Only callers with all the access that a key gives may manage it (docs/contract.md#roles-and-keys).
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import UNSET

from atrium.audit.trail import Change, Target
from atrium.integrations import queries
from atrium.integrations.model import ApiKey, ApiKeyCreate, ApiKeyUpdate, FurtherKeyCreate, ShownApiKey
from atrium.integrations.reach import find_api_key, role_of_integration
from atrium.keys.actions import IssuedKey, issue_key, require_below_key_limit, revoke_key, rotate_key, set_limits
from atrium.keys.caller import ActorKind, Call
from atrium.keys.limits import (
    UNLIMITED,
    ExpiryField,
    KeyLimits,
    extends,
    limits_of_own_key,
    requested_limits,
    require_within_own,
    rotated_expiry,
    updated_limits,
)
from atrium.keys.model import LimitsToSet
from atrium.keys.policy import require_allowed
from atrium.keys.queries import LOCK, LOCK_POLICY
from atrium.keys.queries import RENAME as RENAME_KEY
from atrium.keys.tokens import ORGANIZATION_PREFIX
from atrium.kit.errors import Forbidden, invalid_field
from atrium.kit.http.request import given
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId
from atrium.organizations.model import SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole
from atrium.spaces.actions import grant, require_may_grant


async def require_may_manage(
    call: Call, organization: Organization, integration_id: ActorId, *roles: OrganizationRole
) -> None:
    """Raise Forbidden unless the caller may manage the integration's key. `roles` are its current and new roles.

    A caller who can rotate a key can use it, so only a super_admin may manage keys of integrations with the role admin
    or above.
    """
    require_may_assign_role(organization, *roles)
    await require_covers_access(call, integration_id)


async def require_covers_access(call: Call, integration_id: ActorId) -> None:
    """Raise Forbidden if the integration has a role in a space where the caller's role is lower."""
    caller = call.caller
    if caller.kind is ActorKind.PERSON:
        return  # an admin, and so admin of every space
    if await call.db.fetchval(queries.EXCEEDS_ACCESS, integration_id, caller.actor_id, caller.kind):
        raise Forbidden("This integration has roles in spaces where your role is lower.")


def require_may_assign_role(organization: Organization, *roles: OrganizationRole) -> None:
    """Raise Forbidden unless the caller may manage keys of integrations with these organization roles."""
    is_above = any(role.holds(OrganizationRole.ADMIN) for role in roles)
    if is_above and organization.role is not OrganizationRole.SUPER_ADMIN:
        raise Forbidden(
            "Only a super_admin can create, rotate or change keys of integrations with the role admin or above."
        )


async def limits_of_new_key(call: Call, content: LimitsToSet) -> KeyLimits:
    """Return the limits of a key that the caller creates; for an integration, no wider than its own key's.

    A person's keys do not limit the organization keys that they create. Raise InvalidRequest.
    """
    if call.caller.kind is ActorKind.PERSON:
        return requested_limits(content, call.now)
    return await limits_of_own_key(call, content)


async def require_allowed_limits(call: Call, limits: KeyLimits) -> None:
    """Raise Forbidden if an integration would give a key wider limits than its own has."""
    if call.caller.kind is ActorKind.INTEGRATION:
        await require_within_own(call, limits)


async def require_may_grant_all(call: Call, organization_id: UUID, spaces: Sequence[SpaceGrant]) -> None:
    """Raise InvalidRequest, SpaceNotFound or Forbidden unless the caller may grant these roles to an integration of the
    organization."""
    if len({space.space_id for space in spaces}) < len(spaces):
        raise invalid_field("/content/spaces", "contains a duplicate space")
    for space in spaces:
        await require_may_grant(call, organization_id, space.space_id, space.role)


async def add_integration(
    db: Connection, organization_id: UUID, *, name: str, description: str, role: OrganizationRole,
    spaces: Sequence[SpaceGrant], created_by: UUID | None, now: datetime, limits: KeyLimits = UNLIMITED,
    prefix: str = ORGANIZATION_PREFIX,
) -> IssuedKey:  # fmt: skip
    """Add an integration with its key; it has access to exactly the spaces granted to it."""
    integration_id = ActorId(new_id(now))
    roles = {space.space_id: space.role for space in spaces}
    await db.execute(
        queries.ADD, integration_id, organization_id, name, description, role, created_by, now, [*roles],
        [*roles.values()],
    )  # fmt: skip
    return await issue_key(
        db, prefix=prefix, owner=integration_id, name=name, created_by=created_by, now=now, limits=limits
    )


async def create_api_key(call: Call, organization: Organization, content: ApiKeyCreate) -> ShownApiKey:
    """Create an integration and its key. The caller must have checked the permissions. Raise KeyPolicyForbids,
    InvalidRequest."""
    await call.lock(LOCK_POLICY, organization.organization_id)
    issued = await add_integration(
        call.db, organization.organization_id, name=content.name, description=content.description,
        role=content.organization_role, spaces=content.spaces, created_by=call.origin.actor_id, now=call.now,
        limits=await limits_of_new_key(call, content),
    )  # fmt: skip
    return await _shown(call, organization, issued)


async def add_api_key(
    call: Call, organization: Organization, integration_id: UUID, content: FurtherKeyCreate
) -> ShownApiKey:
    """Create another key of an integration. Raise IntegrationNotFound, Forbidden, TooManyKeys, KeyPolicyForbids,
    InvalidRequest."""
    await call.lock(LOCK_POLICY, organization.organization_id)
    role, owner = await role_of_integration(call, organization, integration_id), ActorId(integration_id)
    await require_may_manage(call, organization, owner, role)
    await require_below_key_limit(call, owner)
    issued = await issue_key(
        call.db, prefix=ORGANIZATION_PREFIX, owner=owner, name=content.key_name, created_by=call.origin.actor_id,
        now=call.now, limits=await limits_of_new_key(call, content),
    )  # fmt: skip
    return await _shown(call, organization, issued)


async def _shown(call: Call, organization: Organization, issued: IssuedKey) -> ShownApiKey:
    await require_allowed(call.db, issued.api_key_id)
    created = await find_api_key(call, organization, issued.api_key_id)
    await call.record(_change("api_key.created", created, after=created))
    return ShownApiKey(created, issued.key)


async def update_api_key(call: Call, organization: Organization, api_key_id: UUID, content: ApiKeyUpdate) -> ApiKey:
    """Change the fields that are set. Raise ApiKeyNotFound, ApiKeyExpired, SpaceNotFound, Forbidden, KeyPolicyForbids,
    InvalidRequest."""
    await call.db.execute(LOCK_POLICY, organization.organization_id)
    await call.lock(LOCK, api_key_id)
    found = await find_api_key(call, organization, api_key_id)
    role, spaces = given(content.organization_role), given(content.spaces)
    roles = () if role is None else (role,)
    await require_may_manage(call, organization, found.integration_id, found.organization_role, *roles)
    await _rename(call, found, content)
    if role is not None:
        await call.db.execute(queries.CHANGE_ROLE, found.organization_id, found.integration_id, role)
    if spaces is not None:
        await _replace_grants(call, found, spaces)
    limits = updated_limits(found, content, call.now)
    if content.expires_at is not UNSET:
        await require_allowed_limits(call, limits)
    await set_limits(call.db, found.api_key_id, limits, call.now)
    if extends(found.expires_at, limits.expires_at):
        await require_allowed(call.db, found.api_key_id)
    updated = await find_api_key(call, organization, api_key_id)
    await call.record(_change("api_key.updated", found, before=found, after=updated))
    return updated


async def revoke_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKey:
    """Revoke an organization key and return it. Raise ApiKeyNotFound, Forbidden."""
    await call.lock(LOCK, api_key_id)
    found = await find_api_key(call, organization, api_key_id)
    await require_covers_access(call, found.integration_id)
    await revoke_key(call.db, found.api_key_id, now=call.now)
    await call.record(_change("api_key.revoked", found, before=found))
    return found


async def rotate_api_key(
    call: Call, organization: Organization, api_key_id: UUID, expires_at: ExpiryField
) -> ShownApiKey:
    """Replace an organization key; the old one stops working immediately. Raise ApiKeyNotFound, ApiKeyExpired,
    Forbidden, KeyPolicyForbids, InvalidRequest."""
    await call.db.execute(LOCK_POLICY, organization.organization_id)
    await call.lock(LOCK, api_key_id)
    found = await find_api_key(call, organization, api_key_id)
    await require_may_manage(call, organization, found.integration_id, found.organization_role)
    ends = rotated_expiry(found.expires_at, expires_at, call.now)
    await require_allowed_limits(call, KeyLimits(ends, found.scopes, found.allowed_networks))
    key = await rotate_key(call.db, found.api_key_id, prefix=ORGANIZATION_PREFIX, expires_at=ends, now=call.now)
    await require_allowed(call.db, found.api_key_id)
    rotated = await find_api_key(call, organization, api_key_id)
    await call.record(_change("api_key.rotated", found, before=found, after=rotated))
    return ShownApiKey(rotated, key)


async def _rename(call: Call, api_key: ApiKey, content: ApiKeyUpdate) -> None:
    if content.name is not UNSET:
        await call.db.execute(queries.RENAME, api_key.integration_id, content.name)
        await call.db.execute(queries.RENAME_KEYS, api_key.integration_id, content.name, api_key.name)
    if content.key_name is not UNSET:
        await call.db.execute(RENAME_KEY, api_key.api_key_id, content.key_name)
    if content.description is not UNSET:
        await call.db.execute(queries.DESCRIBE, api_key.integration_id, content.description)


async def _replace_grants(call: Call, api_key: ApiKey, spaces: Sequence[SpaceGrant]) -> None:
    await require_may_grant_all(call, api_key.organization_id, spaces)
    await call.db.execute(queries.WITHDRAW_ALL, api_key.integration_id)
    for space in spaces:
        await grant(call.db, space.space_id, api_key.integration_id, role=space.role, now=call.now)


def _change(action: str, api_key: ApiKey, *, before: ApiKey | None = None, after: ApiKey | None = None) -> Change:
    target = Target("api_key", api_key.api_key_id, api_key.name)
    return Change(action, target, api_key.organization_id, before=before, after=after)

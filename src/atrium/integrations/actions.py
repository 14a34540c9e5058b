"""Create, change and end integrations with their keys. An integration outlives its creator."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import UNSET

from atrium.audit.trail import Change, Target
from atrium.integrations import queries
from atrium.integrations.managing import (
    limits_of_new_key,
    require_allowed_limits,
    require_covers_access,
    require_may_grant_all,
    require_may_manage,
)
from atrium.integrations.model import ApiKey, ApiKeyCreate, ApiKeyUpdate, FurtherKeyCreate, ShownApiKey
from atrium.integrations.reach import find_api_key, role_of_integration
from atrium.keys.actions import IssuedKey, issue_key, require_below_key_limit, revoke_key, rotate_key, set_limits
from atrium.keys.caller import Call
from atrium.keys.expiry import ExpiryField, extends, rotated_expiry
from atrium.keys.limits import UNLIMITED, KeyLimits, updated_limits
from atrium.keys.policy import require_allowed
from atrium.keys.policy_queries import LOCK_POLICY
from atrium.keys.queries import LOCK
from atrium.keys.queries import RENAME as RENAME_KEY
from atrium.keys.tokens import ORGANIZATION_PREFIX
from atrium.kit.http.request import given
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId
from atrium.organizations.actions import add_member
from atrium.organizations.model import SpaceGrant
from atrium.organizations.reach import Organization
from atrium.people.queries import ADD_ACTOR
from atrium.permissions import OrganizationRole
from atrium.spaces.actions import grant


async def add_integration(
    db: Connection, organization_id: UUID, *, name: str, description: str, role: OrganizationRole,
    spaces: Sequence[SpaceGrant], created_by: UUID | None, now: datetime, limits: KeyLimits = UNLIMITED,
    prefix: str = ORGANIZATION_PREFIX,
) -> IssuedKey:  # fmt: skip
    """Add an integration with its key; it has access to exactly the spaces granted to it."""
    integration_id = ActorId(new_id(now))
    await db.execute(ADD_ACTOR, integration_id, "integration", name, now)
    await db.execute(queries.ADD, integration_id, organization_id, description, created_by)
    await add_member(db, organization_id, integration_id, role=role, now=now)
    for space in spaces:
        await grant(db, space.space_id, integration_id, role=space.role, now=now)
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

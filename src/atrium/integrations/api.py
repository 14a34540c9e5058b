"""`/v1/organizations/{organization_id}/api-keys`: integrations and their organization keys."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.audit.trail import Change, Target
from atrium.integrations import actions, queries
from atrium.integrations.actions import SpaceGrant
from atrium.integrations.managing import (
    expiry_of_new_key,
    require_may_give,
    require_may_grant_all,
    require_may_last,
    require_may_manage,
    require_reaches_as_far,
)
from atrium.keys.actions import ApiKeyNotFound, revoke_key, rotate_key, set_expiry
from atrium.keys.caller import Call
from atrium.keys.expiry import ApiKeyExpired, KeyRotation, moved_expiry, renewed_expiry
from atrium.keys.tokens import ORGANIZATION_PREFIX
from atrium.kit.database import Record
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, ApiKeyId, Description, Name, OrganizationId, Timestamp
from atrium.kit.web import Body, Content, Paging, body_optional, raises, shows_once
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole
from atrium.spaces.actions import grant
from atrium.spaces.reach import SpaceNotFound

SpaceGrants = Annotated[list[SpaceGrant], Meta(max_length=1000, description="the spaces it reaches, a role in each")]


class ApiKey(Struct, frozen=True):
    """An organization key's record and the integration it acts as; the key itself is never in it."""

    api_key_id: ApiKeyId
    integration_id: Annotated[ActorId, Meta(description="what messages sent with the key carry as `user_id`")]
    organization_id: OrganizationId
    name: Annotated[str, Meta(description="the integration's name", examples=["Deploy bot"])]
    description: str
    organization_role: OrganizationRole
    spaces: list[SpaceGrant]
    last_four: Annotated[str, Meta(description="the key's last characters", examples=["x7Qa"])]
    created_by: ActorId | None
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]


class ApiKeyAnswer(Struct, frozen=True):
    """An organization key's record."""

    api_key: ApiKey


class ShownApiKey(Struct, frozen=True):
    """An organization key's record with the key, shown this once."""

    api_key: ApiKey
    key: Annotated[str, Meta(examples=["atro_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]


class ApiKeyList(Struct, frozen=True):
    """A page of organization keys."""

    api_keys: list[ApiKey]
    next_cursor: str | None


class ApiKeyCreate(Body):
    """An integration to make, with its key."""

    name: Name
    spaces: SpaceGrants
    description: Description = ""
    organization_role: OrganizationRole = OrganizationRole.MEMBER
    expires_at: Timestamp | None = None


class ApiKeyUpdate(Body):
    """What can change of an integration; `spaces` replaces all that it reached before."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    organization_role: OrganizationRole | UnsetType = UNSET
    spaces: SpaceGrants | UnsetType = UNSET
    expires_at: Timestamp | UnsetType | None = UNSET


async def list_api_keys(call: Call, organization: Organization, query: Paging) -> ApiKeyList:
    """List the organization's keys and the integrations they act as, oldest first."""
    rows = await call.db.fetch(queries.KEYS, organization.organization_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["api_key_id"])
    return ApiKeyList([_api_key(row) for row in page], cursor)


@shows_once("api_key", "api_key", "api_key_id")
@raises(SpaceNotFound)
async def create_api_key(call: Call, organization: Organization, body: Content[ApiKeyCreate]) -> ShownApiKey:
    """Make an integration with its key. The key is shown in this answer and never again.

    Only a super_admin makes one with the organization role `admin` or above.
    """
    content = body.content
    require_may_give(organization, content.organization_role)
    await require_may_grant_all(call, content.spaces)
    issued = await actions.create_integration(
        call.db, organization.organization_id, name=content.name, description=content.description,
        role=content.organization_role, spaces=content.spaces, created_by=call.caller.actor_id, now=call.now,
        expires_at=await expiry_of_new_key(call, content.expires_at),
    )  # fmt: skip
    made = await find_api_key(call, organization, issued.api_key_id)
    await call.record(_change("api_key.created", made, after=made))
    return ShownApiKey(made, issued.key)


@raises(ApiKeyNotFound)
async def read_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKeyAnswer:
    """Read an organization key's record."""
    return ApiKeyAnswer(await find_api_key(call, organization, api_key_id))


@raises(ApiKeyNotFound, ApiKeyExpired, SpaceNotFound)
async def update_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[ApiKeyUpdate]
) -> ApiKeyAnswer:
    """Change an integration's name, description, organization role, spaces or expiry, at once for every request after.

    An integration changes only those that reach no further than itself, and only a super_admin one that is organization
    `admin` or above. A key that has expired is renewed by rotating it.
    """
    found, content = await find_api_key(call, organization, api_key_id), body.content
    named = () if content.organization_role is UNSET else (content.organization_role,)
    await require_may_manage(call, organization, found.integration_id, found.organization_role, *named)
    await _rename(call, found, content)
    for role in named:
        await call.db.execute(queries.CHANGE_ROLE, found.organization_id, found.integration_id, role)
    if content.spaces is not UNSET:
        await _replace_grants(call, found, content.spaces)
    expires_at = moved_expiry(found.expires_at, content.expires_at, call.now)
    if expires_at is not UNSET:
        await require_may_last(call, expires_at)
        await set_expiry(call.db, found.api_key_id, expires_at=expires_at)
    changed = await find_api_key(call, organization, api_key_id)
    await call.record(_change("api_key.updated", found, before=found, after=changed))
    return ApiKeyAnswer(changed)


@raises(ApiKeyNotFound)
async def revoke_api_key(call: Call, organization: Organization, api_key_id: UUID) -> None:
    """Revoke an organization key: it stops working at once. What its integration wrote stays under its name."""
    found = await find_api_key(call, organization, api_key_id)
    await require_reaches_as_far(call, found.integration_id)
    await revoke_key(call.db, found.api_key_id, now=call.now)
    await call.record(_change("api_key.revoked", found, before=found))


@shows_once("api_key", "api_key", "api_key_id")
@raises(ApiKeyNotFound, ApiKeyExpired)
@body_optional
async def rotate_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[KeyRotation]
) -> ShownApiKey:
    """Replace an organization key: the new one is shown once, the old one stops working at once.

    Only a super_admin rotates the key of an integration that is organization `admin` or above. A key that has expired
    is renewed with a new `expires_at`.
    """
    found = await find_api_key(call, organization, api_key_id)
    await require_may_manage(call, organization, found.integration_id, found.organization_role)
    expires_at = renewed_expiry(found.expires_at, body.content.expires_at, call.now)
    await require_may_last(call, expires_at)
    key = await rotate_key(call.db, found.api_key_id, prefix=ORGANIZATION_PREFIX, expires_at=expires_at)
    rotated = await find_api_key(call, organization, api_key_id)
    await call.record(_change("api_key.rotated", found, before=found, after=rotated))
    return ShownApiKey(rotated, key)


async def find_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKey:
    """The organization's key of that id. Raises ApiKeyNotFound."""
    row = await call.db.fetchrow(queries.KEY, organization.organization_id, api_key_id)
    if row is None:
        raise ApiKeyNotFound
    return _api_key(row)


async def _rename(call: Call, api_key: ApiKey, content: ApiKeyUpdate) -> None:
    if content.name is not UNSET:
        await call.db.execute(queries.RENAME, api_key.integration_id, content.name)
        await call.db.execute(queries.NAME_KEY, api_key.api_key_id, content.name)
    if content.description is not UNSET:
        await call.db.execute(queries.DESCRIBE, api_key.integration_id, content.description)


async def _replace_grants(call: Call, api_key: ApiKey, spaces: list[SpaceGrant]) -> None:
    await require_may_grant_all(call, spaces)
    await call.db.execute(queries.WITHDRAW_ALL, api_key.integration_id)
    for space in spaces:
        await grant(call.db, space.space_id, api_key.integration_id, role=space.role, now=call.now)


def _api_key(row: Record) -> ApiKey:
    spaces = msgspec.json.decode(row["spaces"])
    return as_struct({**row, "spaces": spaces}, ApiKey)


def _change(action: str, api_key: ApiKey, *, before: ApiKey | None = None, after: ApiKey | None = None) -> Change:
    target = Target("api_key", api_key.api_key_id, api_key.name)
    return Change(action, target, api_key.organization_id, before=before, after=after)

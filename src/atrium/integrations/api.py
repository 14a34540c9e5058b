"""`/v1/organizations/{organization_id}/api-keys`: integrations and their organization keys."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.integrations import actions, reach
from atrium.integrations.managing import require_may_create
from atrium.integrations.model import ApiKey, ShownApiKey, SpaceGrant
from atrium.keys.caller import Call
from atrium.keys.expiry import ApiKeyExpired, KeyRotation
from atrium.keys.reach import ApiKeyNotFound
from atrium.kit.decoding import given
from atrium.kit.texts import Description, Name, Timestamp
from atrium.kit.web import Body, Content, Paging, body_optional, raises, shows_once
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole
from atrium.spaces.reach import SpaceNotFound

SpaceGrants = Annotated[list[SpaceGrant], Meta(max_length=1000, description="the spaces it reaches, a role in each")]


class ApiKeyAnswer(Struct, frozen=True):
    """An organization key's record."""

    api_key: ApiKey


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
    return ApiKeyList(*await reach.list_api_keys(call, organization, query))


@shows_once("api_key", "api_key", "api_key_id")
@raises(SpaceNotFound)
async def create_api_key(call: Call, organization: Organization, body: Content[ApiKeyCreate]) -> ShownApiKey:
    """Make an integration with its key. The key is shown in this answer and never again.

    Only a super_admin makes one with the organization role `admin` or above.
    """
    content = body.content
    await require_may_create(call, organization, content.organization_role, content.spaces)
    return await actions.create_api_key(
        call, organization, name=content.name, description=content.description, role=content.organization_role,
        spaces=content.spaces, expires_at=content.expires_at,
    )  # fmt: skip


@raises(ApiKeyNotFound)
async def read_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKeyAnswer:
    """Read an organization key's record."""
    return ApiKeyAnswer(await reach.find_api_key(call, organization, api_key_id))


@raises(ApiKeyNotFound, ApiKeyExpired, SpaceNotFound)
async def update_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[ApiKeyUpdate]
) -> ApiKeyAnswer:
    """Change an integration's name, description, organization role, spaces or expiry, at once for every request after.

    An integration changes only those that reach no further than itself, and only a super_admin one that is organization
    `admin` or above. A key that has expired is renewed by rotating it.
    """
    content = body.content
    updated = await actions.update_api_key(
        call, organization, api_key_id, name=given(content.name), description=given(content.description),
        role=given(content.organization_role), spaces=given(content.spaces), expires_at=content.expires_at,
    )  # fmt: skip
    return ApiKeyAnswer(updated)


@raises(ApiKeyNotFound)
async def revoke_api_key(call: Call, organization: Organization, api_key_id: UUID) -> None:
    """Revoke an organization key: it stops working at once. What its integration wrote stays under its name."""
    await actions.revoke_api_key(call, organization, api_key_id)


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
    return await actions.rotate_api_key(call, organization, api_key_id, body.content.expires_at)

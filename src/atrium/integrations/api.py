"""`/v1/organizations/{organization_id}/api-keys`: integrations and their keys."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.integrations import actions, reach
from atrium.integrations.managing import require_may_create
from atrium.integrations.model import ApiKey, ShownApiKey
from atrium.keys.caller import Call
from atrium.keys.expiry import ApiKeyExpired, KeyRotation
from atrium.keys.reach import ApiKeyNotFound
from atrium.kit.http.decoding import given
from atrium.kit.http.request import Body, Content, Paging
from atrium.kit.http.route import body_optional, raises, shows_once
from atrium.kit.text.types import Description, Name, Timestamp
from atrium.organizations.model import SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole
from atrium.spaces.reach import SpaceNotFound

SpaceGrants = Annotated[list[SpaceGrant], Meta(max_length=1000, description="the spaces it can access, with its role")]


class ApiKeyAnswer(Struct, frozen=True):
    """An organization key, without the key itself."""

    api_key: ApiKey


class ApiKeyList(Struct, frozen=True):
    """A page of organization keys."""

    api_keys: list[ApiKey]
    next_cursor: str | None


class ApiKeyCreate(Body):
    """An integration to create, with its key."""

    name: Name
    spaces: SpaceGrants
    description: Description = ""
    organization_role: OrganizationRole = OrganizationRole.MEMBER
    expires_at: Timestamp | None = None


class ApiKeyUpdate(Body):
    """The fields of an integration to change; `spaces` replaces the list of spaces that it can access."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    organization_role: OrganizationRole | UnsetType = UNSET
    spaces: SpaceGrants | UnsetType = UNSET
    expires_at: Timestamp | UnsetType | None = UNSET


async def list_api_keys(call: Call, organization: Organization, query: Paging) -> ApiKeyList:
    """List the organization's keys and their integrations, oldest first."""
    return ApiKeyList(*await reach.list_api_keys(call, organization, query))


@shows_once("api_key", "api_key", "api_key_id")
@raises(SpaceNotFound)
async def create_api_key(call: Call, organization: Organization, body: Content[ApiKeyCreate]) -> ShownApiKey:
    """Create an integration with its key. Only this response contains the key.

    Only a super_admin can create one with the organization role `admin` or above.
    """
    content = body.content
    await require_may_create(call, organization, content.organization_role, content.spaces)
    return await actions.create_api_key(
        call, organization, name=content.name, description=content.description, role=content.organization_role,
        spaces=content.spaces, expires_at=content.expires_at,
    )  # fmt: skip


@raises(ApiKeyNotFound)
async def read_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKeyAnswer:
    """Read an organization key, without the key itself."""
    return ApiKeyAnswer(await reach.find_api_key(call, organization, api_key_id))


@raises(ApiKeyNotFound, ApiKeyExpired, SpaceNotFound)
async def update_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[ApiKeyUpdate]
) -> ApiKeyAnswer:
    """Change an integration's name, description, organization role, spaces or expiry.

    An integration can change only integrations whose access does not exceed its own. Only a super_admin can change one
    with the organization role `admin` or above. Rotate an expired key to renew it.
    """
    content = body.content
    updated = await actions.update_api_key(
        call, organization, api_key_id, name=given(content.name), description=given(content.description),
        role=given(content.organization_role), spaces=given(content.spaces), expires_at=content.expires_at,
    )  # fmt: skip
    return ApiKeyAnswer(updated)


@raises(ApiKeyNotFound)
async def revoke_api_key(call: Call, organization: Organization, api_key_id: UUID) -> None:
    """Revoke an organization key; it stops working immediately. Messages from its integration are kept."""
    await actions.revoke_api_key(call, organization, api_key_id)


@shows_once("api_key", "api_key", "api_key_id")
@raises(ApiKeyNotFound, ApiKeyExpired)
@body_optional
async def rotate_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[KeyRotation]
) -> ShownApiKey:
    """Rotate an organization key: the new one is shown once, the old one stops working immediately.

    Only a super_admin can rotate the key of an integration with the organization role `admin` or above. An expired key
    requires a new `expires_at`.
    """
    return await actions.rotate_api_key(call, organization, api_key_id, body.content.expires_at)

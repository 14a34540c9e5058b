"""`/v1/organizations/{organization_id}/api-keys`: integrations and their keys."""

from uuid import UUID

from msgspec import Struct

from atrium.integrations import actions, reach
from atrium.integrations.model import ApiKey, ApiKeyCreate, ApiKeyUpdate, FurtherKeyCreate, ShownApiKey
from atrium.keys.caller import Call
from atrium.keys.model import KeyRotation
from atrium.keys.usage import KeyUsage, find_usage
from atrium.kit.http.request import Content, Paging
from atrium.organizations.reach import Organization


class ApiKeyAnswer(Struct, frozen=True):
    """An organization key, without the key itself."""

    api_key: ApiKey


class ApiKeyList(Struct, frozen=True):
    """A page of organization keys."""

    api_keys: list[ApiKey]
    next_cursor: str | None


async def list_api_keys(call: Call, organization: Organization, query: Paging) -> ApiKeyList:
    """List the organization's keys and their integrations, oldest first."""
    return ApiKeyList(*await reach.list_api_keys(call, organization, query))


async def create_api_key(call: Call, organization: Organization, body: Content[ApiKeyCreate]) -> ShownApiKey:
    """Create an integration with its key. Only this response contains the key.

    Only a super_admin can create one with the organization role `admin` or above.
    """
    content = body.content
    actions.require_may_assign_role(organization, content.organization_role)
    await actions.require_may_grant_all(call, organization.organization_id, content.spaces)
    return await actions.create_api_key(call, organization, content)


async def list_integration_keys(
    call: Call, organization: Organization, integration_id: UUID, query: Paging
) -> ApiKeyList:
    """List the keys of an integration, oldest first."""
    await reach.role_of_integration(call, organization, integration_id)
    return ApiKeyList(*await reach.list_api_keys(call, organization, query, integration_id))


async def create_integration_key(
    call: Call, organization: Organization, integration_id: UUID, body: Content[FurtherKeyCreate]
) -> ShownApiKey:
    """Create another key of an integration. Only this response contains it.

    An integration with two keys can change to the new one before you revoke the old one. It can have at most 50.
    """
    return await actions.add_api_key(call, organization, integration_id, body.content)


async def read_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKeyAnswer:
    """Read an organization key, without the key itself."""
    return ApiKeyAnswer(await reach.find_api_key(call, organization, api_key_id))


async def read_api_key_usage(call: Call, organization: Organization, api_key_id: UUID) -> KeyUsage:
    """Read the use of an organization key in the last 90 days, by day and route, and its addresses.

    The counts are a few seconds old. `forbidden` are responses with 403; a request for something that the key has no
    access to (404) counts as a request only. Choose scopes for the key by them: no request since `counted_since`
    needed `unused_scopes`.
    """
    key = await reach.find_api_key(call, organization, api_key_id)
    return await find_usage(call, key.api_key_id, key.scopes)


async def update_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[ApiKeyUpdate]
) -> ApiKeyAnswer:
    """Change an integration's name, description, organization role or spaces, and the limits of this key.

    Scopes and networks cannot be widened: create another key for that.

    An integration can change only integrations whose access does not exceed its own. Only a super_admin can change one
    with the organization role `admin` or above. Rotate an expired key to renew it.
    """
    return ApiKeyAnswer(await actions.update_api_key(call, organization, api_key_id, body.content))


async def revoke_api_key(call: Call, organization: Organization, api_key_id: UUID) -> None:
    """Revoke an organization key; it stops working immediately. Messages from its integration are kept."""
    await actions.revoke_api_key(call, organization, api_key_id)


async def rotate_api_key(
    call: Call, organization: Organization, api_key_id: UUID, body: Content[KeyRotation]
) -> ShownApiKey:
    """Rotate an organization key: the new one is shown once, the old one stops working immediately.

    Only a super_admin can rotate the key of an integration with the organization role `admin` or above. An expired key
    requires a new `expires_at`.
    """
    return await actions.rotate_api_key(call, organization, api_key_id, body.content.expires_at)

"""Fetch the keys of an organization."""

from typing import NamedTuple
from uuid import UUID

import msgspec

from atrium.integrations import queries
from atrium.integrations.model import ApiKey
from atrium.keys.caller import Call
from atrium.keys.reach import ApiKeyNotFound
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import ActorId, OrganizationId
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole


class KeyOwner(NamedTuple):
    """The actor of a key; `organization_id` is None for a personal key."""

    actor_id: ActorId
    name: str
    organization_id: OrganizationId | None


class IntegrationNotFound(NotFound):
    """The organization has no integration with this id, or all its keys are revoked."""

    code = "integration_not_found"
    title = "Integration not found"


async def list_api_keys(
    call: Call, organization: Organization, paging: Paging, integration_id: UUID | None = None
) -> ListPage[ApiKey]:
    """Return a page of the keys of an integration, by default of all of the organization, oldest first."""
    rows = await call.db.fetch(
        queries.KEYS, organization.organization_id, after(paging.cursor), paging.limit + 1, integration_id
    )
    page, cursor = paginate(rows, paging.limit, lambda row: row["api_key_id"])
    return [_api_key(row) for row in page], cursor


async def find_api_key(call: Call, organization: Organization, api_key_id: UUID) -> ApiKey:
    """Return the organization's key with that id. Raise ApiKeyNotFound."""
    row = await call.db.fetchrow(queries.KEY, organization.organization_id, api_key_id)
    if row is None:
        raise ApiKeyNotFound
    return _api_key(row)


async def role_of_integration(call: Call, organization: Organization, integration_id: UUID) -> OrganizationRole:
    """Return the organization role of an integration. Raise IntegrationNotFound."""
    role = await call.db.fetchval(queries.ROLE, organization.organization_id, integration_id)
    if role is None:
        raise IntegrationNotFound
    return OrganizationRole(role)


async def find_key_owner(call: Call, api_key_id: UUID) -> KeyOwner:
    """Return the owner of a key of any organization or person. Raise ApiKeyNotFound."""
    row = await call.db.fetchrow(queries.KEY_OWNER, api_key_id)
    if row is None:
        raise ApiKeyNotFound
    return KeyOwner(*row)


def _api_key(row: Record) -> ApiKey:
    return as_struct({**row, "spaces": msgspec.json.decode(row["spaces"])}, ApiKey)

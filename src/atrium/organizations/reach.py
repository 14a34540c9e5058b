"""Fetching an organization is permitting: it comes only to an actor that belongs to it."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call, require_person
from atrium.kit.errors import Forbidden, NotFound
from atrium.kit.rows import as_struct
from atrium.kit.texts import OrganizationId, Timestamp
from atrium.organizations import queries
from atrium.permissions import OrganizationRole, Permission


class OrganizationNotFound(NotFound):
    """There is no such organization, or the caller does not belong to it."""

    code = "organization_not_found"
    title = "There is no such organization"


class Organization(Struct, frozen=True):
    """An organization, and the caller's role in it."""

    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Analytical Engines"])]
    created_at: Timestamp
    role: Annotated[OrganizationRole, Meta(description="the caller's role")]


async def reach_organization(call: Call, organization_id: UUID, permission: Permission) -> Organization:
    """The organization, for one of its members. Raises OrganizationNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, organization_id, call.caller.actor_id)
    if row is None:
        raise OrganizationNotFound
    organization = as_struct(row, Organization)
    require_role(organization.role, permission)
    if permission.people_only:
        require_person(call.caller)
    return organization


def require_role(held: OrganizationRole, permission: Permission) -> None:
    """Raises Forbidden where the permission asks for a higher role in the organization."""
    if permission.organization is not None and not held.holds(permission.organization):
        raise Forbidden(f"This needs the organization role {permission.organization}; you are {held}.")

"""Fetch an organization if the caller belongs to it, and its members and actors."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call, require_person
from atrium.kit.clock import rfc3339
from atrium.kit.errors import Forbidden, NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Connection
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import OrganizationId, Timestamp
from atrium.organizations import queries
from atrium.organizations.membership import Member
from atrium.organizations.model import KnownActor
from atrium.permissions import LIST_MEMBERS, OrganizationRole, Permission, Scope


class OrganizationNotFound(NotFound):
    """The organization does not exist, or the caller does not belong to it."""

    code = "organization_not_found"
    title = "Organization not found"


class MemberNotFound(NotFound):
    """No member of the organization, or of the space, has this id."""

    code = "member_not_found"
    title = "Member not found"


class Organization(Struct, frozen=True):
    """An organization, and the caller's role in it."""

    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Analytical Engines"])]
    created_at: Timestamp
    role: Annotated[OrganizationRole, Meta(description="the caller's role")]


async def reach_organization(call: Call, organization_id: UUID, permission: Permission) -> Organization:
    """Return the organization if the caller has the permission in it. Raise OrganizationNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, organization_id, call.caller.actor_id)
    if row is None:
        raise OrganizationNotFound
    call.caller.require_not_barred(organization_id)
    organization = as_struct(row, Organization)
    require_role(organization.role, permission)
    if permission.people_only:
        require_person(call.caller)
    return organization


def require_role(role: OrganizationRole, permission: Permission) -> None:
    """Raise Forbidden if the permission requires a higher role in the organization."""
    if permission.organization is not None and not role.holds(permission.organization):
        raise Forbidden(f"This requires the organization role {permission.organization}; your role is {role}.")


async def find_member(db: Connection, organization_id: UUID, person_id: UUID) -> Member:
    """Return the person as a member. Raise MemberNotFound."""
    row = await db.fetchrow(queries.MEMBER, organization_id, person_id)
    if row is None:
        raise MemberNotFound
    return as_struct(row, Member)


async def find_member_by_id_or_email(call: Call, organization: Organization, called: str) -> Member | None:
    """Return the member with that id or email address, None if there is none."""
    found = await call.db.fetchval(queries.MEMBER_BY_ID_OR_EMAIL, organization.organization_id, called)
    return None if found is None else await find_member(call.db, organization.organization_id, found)


async def list_members(call: Call, organization: Organization, paging: Paging) -> ListPage[Member]:
    """Return a page of the people of an organization."""
    rows = await call.db.fetch(queries.MEMBERS, organization.organization_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["person_id"])
    return as_structs(page, Member), cursor


async def list_all_organizations(call: Call) -> list[Organization]:
    """Return every organization of the server, for an operator, who has the rights of a super_admin in each."""
    return [
        Organization(row["organization_id"], row["name"], rfc3339(row["created_at"]), OrganizationRole.SUPER_ADMIN)
        for row in await call.db.fetch(queries.EVERY_ORGANIZATION)
    ]


async def list_actors(call: Call, organization: Organization, ids: Sequence[UUID]) -> list[KnownActor]:
    """Return the actors with these ids that belong or belonged to the organization. Only callers who may list the
    members get roles and email addresses."""
    may_list_members = organization.role.holds(
        LIST_MEMBERS.organization or OrganizationRole.GUEST
    ) and call.caller.has_scope(Scope.MEMBERS_MANAGE)
    return as_structs(
        await call.db.fetch(queries.ACTORS, organization.organization_id, ids, may_list_members), KnownActor
    )

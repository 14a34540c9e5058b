"""Fetch spaces. The query of `reach_space` returns a space only if the caller has a role in it."""

from uuid import UUID

import msgspec

from atrium.keys.caller import Call
from atrium.kit.errors import Forbidden, NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import SpaceId
from atrium.organizations.reach import Organization, require_role
from atrium.permissions import OrganizationRole, Permission, SpaceRole
from atrium.spaces import queries
from atrium.spaces.model import Space, SpaceMember


class SpaceNotFound(NotFound):
    """The space does not exist, or the caller cannot access it."""

    code = "space_not_found"
    title = "Space not found"


async def reach_space(call: Call, space_id: UUID, permission: Permission) -> Space:
    """Return the space if the caller has the role that `permission` needs. Raise SpaceNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, space_id, call.caller.actor_id, call.caller.kind)
    if row is None:
        raise SpaceNotFound
    space = msgspec.json.decode(row["space"], type=Space)
    call.caller.require_not_barred(space.organization_id)
    require_space_role(space.role, permission)
    require_role(OrganizationRole(row["organization_role"]), permission)
    return space


def require_space_role(role: SpaceRole, permission: Permission) -> None:
    """Raise Forbidden if the permission needs a higher role in the space."""
    if permission.space is not None and not role.holds(permission.space):
        raise Forbidden(f"This requires the space role {permission.space}; your role is {role}.")


async def list_spaces(call: Call, organization: Organization, paging: Paging) -> ListPage[Space]:
    """Return a page of the organization's spaces that the caller can access."""
    who = (call.caller.actor_id, call.caller.kind)
    rows = await call.db.fetch(
        queries.SPACES, organization.organization_id, *who, after(paging.cursor), paging.limit + 1
    )
    spaces = [msgspec.json.decode(row["space"], type=Space) for row in rows]
    page, cursor = paginate(spaces, paging.limit, lambda space: space.space_id)
    return list(page), cursor


async def list_space_members(call: Call, space: Space, paging: Paging) -> ListPage[SpaceMember]:
    """Return a page of the actors with a role in the space."""
    rows = await call.db.fetch(queries.MEMBERS, space.space_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["actor_id"])
    return as_structs(page, SpaceMember), cursor


async def find_space_member(call: Call, space: Space, actor_id: UUID) -> SpaceMember | None:
    """Return the actor with their role in the space, None if they have none."""
    row = await call.db.fetchrow(queries.MEMBER, space.space_id, actor_id)
    return None if row is None else as_struct(row, SpaceMember)


async def list_space_ids(call: Call, organization: Organization) -> set[SpaceId]:
    """Return the ids of all spaces of an organization, for the operator, who has access to all."""
    return {SpaceId(row["space_id"]) for row in await call.db.fetch(queries.SPACE_IDS, organization.organization_id)}

"""The groups of a directory, and the roles that they give their members in spaces."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import Timestamp
from atrium.organizations.reach import Organization
from atrium.permissions import SpaceRole
from atrium.scim import queries
from atrium.spaces.model import Space

GroupName = Annotated[str, Meta(examples=["Engineering"])]
Count = Annotated[int, Meta(ge=0)]


class GroupNotFound(NotFound):
    """The organization has no group with this id, or the group has no role in the space."""

    code = "group_not_found"
    title = "Group not found"


class DirectoryGroup(Struct, frozen=True):
    """A group that the organization's directory (SCIM) provisioned."""

    group_id: UUID
    name: GroupName
    member_count: Count
    created_at: Timestamp


class SpaceGroup(Struct, frozen=True):
    """A group with a role in a space, which each of its members holds there."""

    group_id: UUID
    name: GroupName
    member_count: Count
    role: SpaceRole


async def list_groups(call: Call, organization: Organization, paging: Paging) -> ListPage[DirectoryGroup]:
    """Return a page of the groups of an organization's directory."""
    rows = await call.db.fetch(
        queries.ORGANIZATION_GROUPS, organization.organization_id, after(paging.cursor), paging.limit + 1
    )
    page, cursor = paginate(rows, paging.limit, lambda row: row["group_id"])
    return as_structs(page, DirectoryGroup), cursor


async def list_space_groups(call: Call, space: Space, paging: Paging) -> ListPage[SpaceGroup]:
    """Return a page of the groups with a role in a space."""
    rows = await call.db.fetch(queries.SPACE_GROUPS, space.space_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["group_id"])
    return as_structs(page, SpaceGroup), cursor


async def set_space_group(call: Call, space: Space, group_id: UUID, role: SpaceRole) -> SpaceGroup:
    """Grant the members of a group a role in a space. Raise GroupNotFound."""
    before = await _find(call, space, group_id)
    await call.db.execute(queries.GRANT_TO_GROUP, space.space_id, group_id, role, call.now, space.organization_id)
    group = await _find(call, space, group_id)
    if group is None:
        raise GroupNotFound
    await call.record(_change("space_group.set", space, before, group))
    return group


async def remove_space_group(call: Call, space: Space, group_id: UUID) -> None:
    """Remove the role that a group has in a space. Raise GroupNotFound."""
    before = await _find(call, space, group_id)
    if before is None:
        raise GroupNotFound
    await call.db.execute(queries.REVOKE_FROM_GROUP, space.space_id, group_id)
    await call.record(_change("space_group.removed", space, before, None))


async def _find(call: Call, space: Space, group_id: UUID) -> SpaceGroup | None:
    row = await call.db.fetchrow(queries.SPACE_GROUP, space.space_id, group_id)
    return None if row is None else as_struct(row, SpaceGroup)


def _change(action: str, space: Space, before: SpaceGroup | None, after: SpaceGroup | None) -> Change:
    sides = [
        None if side is None else {"group_id": str(side.group_id), "name": side.name, "role": side.role}
        for side in (before, after)
    ]
    return Change(action, Target("space", space.space_id, space.name), space.organization_id, *sides)

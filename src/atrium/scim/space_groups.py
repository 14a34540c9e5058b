"""`/v1/spaces/{space_id}/groups` and `/v1/organizations/{organization_id}/groups`: what groups may do in spaces."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_struct, as_structs
from atrium.kit.texts import Timestamp
from atrium.kit.web import Body, Content, Paging, raises
from atrium.organizations.reach import Organization
from atrium.permissions import SpaceRole
from atrium.scim import queries
from atrium.spaces.model import Space

GroupName = Annotated[str, Meta(examples=["Engineering"])]
Count = Annotated[int, Meta(ge=0)]


class GroupNotFound(NotFound):
    """There is no such group in the organization, or it holds no role in the space."""

    code = "group_not_found"
    title = "There is no such group"


class DirectoryGroup(Struct, frozen=True):
    """A group that the organization's directory (SCIM) provisioned."""

    group_id: UUID
    name: GroupName
    member_count: Count
    created_at: Timestamp


class DirectoryGroupList(Struct, frozen=True):
    """A page of groups."""

    groups: list[DirectoryGroup]
    next_cursor: str | None


class SpaceGroup(Struct, frozen=True):
    """A group with a role in a space, which each of its members holds there."""

    group_id: UUID
    name: GroupName
    member_count: Count
    role: SpaceRole


class SpaceGroupAnswer(Struct, frozen=True):
    """A group with a role in a space."""

    group: SpaceGroup


class SpaceGroupList(Struct, frozen=True):
    """A page of groups with a role in a space."""

    groups: list[SpaceGroup]
    next_cursor: str | None


class SpaceGroupUpdate(Body):
    """The role that the group's members hold."""

    role: SpaceRole


async def list_groups(call: Call, organization: Organization, query: Paging) -> DirectoryGroupList:
    """List the groups of an organization's directory."""
    rows = await call.db.fetch(
        queries.ORGANIZATION_GROUPS, organization.organization_id, after(query.cursor), query.limit + 1
    )
    page, cursor = cut(rows, query.limit, lambda row: row["group_id"])
    return DirectoryGroupList(as_structs(page, DirectoryGroup), cursor)


async def list_space_groups(call: Call, space: Space, query: Paging) -> SpaceGroupList:
    """List the groups with a role in a space."""
    rows = await call.db.fetch(queries.SPACE_GROUPS, space.space_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["group_id"])
    return SpaceGroupList(as_structs(page, SpaceGroup), cursor)


@raises(GroupNotFound)
async def put_space_group(
    call: Call, space: Space, group_id: UUID, body: Content[SpaceGroupUpdate]
) -> SpaceGroupAnswer:
    """Give the members of a group a role in a space, for as long as they are its members.

    Whoever has a higher role there from elsewhere keeps it.
    """
    before = await _find(call, space, group_id)
    given = (space.space_id, group_id, body.content.role, call.now, space.organization_id)
    await call.db.execute(queries.GIVE_GROUP, *given)
    after = await _find(call, space, group_id)
    if after is None:
        raise GroupNotFound
    await call.record(_change("space_group.set", space, before, after))
    return SpaceGroupAnswer(after)


@raises(GroupNotFound)
async def remove_space_group(call: Call, space: Space, group_id: UUID) -> None:
    """Take back the role that a group gives its members in a space."""
    before = await _find(call, space, group_id)
    if before is None:
        raise GroupNotFound
    await call.db.execute(queries.TAKE_FROM_GROUP, space.space_id, group_id)
    await call.record(_change("space_group.removed", space, before, None))


async def _find(call: Call, space: Space, group_id: UUID) -> SpaceGroup | None:
    row = await call.db.fetchrow(queries.SPACE_GROUP, space.space_id, group_id)
    return None if row is None else as_struct(row, SpaceGroup)


def _change(action: str, space: Space, before: SpaceGroup | None, after: SpaceGroup | None) -> Change:
    sides = [
        None if each is None else {"group_id": str(each.group_id), "name": each.name, "role": each.role}
        for each in (before, after)
    ]
    return Change(action, Target("space", space.space_id, space.name), space.organization_id, *sides)

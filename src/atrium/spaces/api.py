"""Spaces and their members."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.audit.trail import Change, Target
from atrium.keys.caller import ActorKind, Call
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_struct, as_structs
from atrium.kit.texts import ActorId, Description, Name
from atrium.kit.web import Body, Content, Paging, raises
from atrium.organizations.actions import MemberNotFound
from atrium.organizations.reach import Organization
from atrium.permissions import READ_SPACE, SpaceRole
from atrium.spaces import actions, queries
from atrium.spaces.reach import Space, Visibility, reach_space


class SpaceAnswer(Struct, frozen=True):
    """A space."""

    space: Space


class SpaceList(Struct, frozen=True):
    """A page of spaces."""

    spaces: list[Space]
    next_cursor: str | None


class SpaceCreate(Body):
    """A space to make."""

    name: Name
    description: Description = ""
    visibility: Visibility = Visibility.OPEN


class SpaceUpdate(Body):
    """What can change of a space."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET


class SpaceMember(Struct, frozen=True):
    """An actor with a role in a space: `role` holds, `granted` is what was given in this very space."""

    actor_id: ActorId
    actor_type: ActorKind
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    role: SpaceRole
    granted: SpaceRole | None


class SpaceMemberAnswer(Struct, frozen=True):
    """A member of a space."""

    member: SpaceMember


class SpaceMemberList(Struct, frozen=True):
    """A page of members of a space."""

    members: list[SpaceMember]
    next_cursor: str | None


class SpaceMemberUpdate(Body):
    """The role to hold."""

    role: SpaceRole


async def list_spaces(call: Call, organization: Organization, query: Paging) -> SpaceList:
    """List the spaces of an organization that you reach."""
    who = (call.caller.actor_id, call.caller.kind)
    rows = await call.db.fetch(queries.SPACES, organization.organization_id, *who, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["space_id"])
    return SpaceList(as_structs(page, Space), cursor)


async def create_space(call: Call, organization: Organization, body: Content[SpaceCreate]) -> SpaceAnswer:
    """Make a space; you become its admin."""
    space_id = await actions.create_space(
        call.db, organization.organization_id, name=body.content.name, description=body.content.description,
        visibility=body.content.visibility, created_by=call.caller.actor_id, now=call.now,
    )  # fmt: skip
    made = await reach_space(call, space_id, READ_SPACE)
    await call.record(_change("space.created", made, after=made))
    return SpaceAnswer(made)


async def read_space(call: Call, space: Space) -> SpaceAnswer:
    """Read a space."""
    return SpaceAnswer(space)


async def update_space(call: Call, space: Space, body: Content[SpaceUpdate]) -> SpaceAnswer:
    """Change a space's name, description or visibility."""
    new = (body.content.name, body.content.description, body.content.visibility)
    await call.db.execute(queries.CHANGE, space.space_id, *(None if value is UNSET else value for value in new))
    changed = await reach_space(call, space.space_id, READ_SPACE)
    await call.record(_change("space.updated", space, before=space, after=changed))
    return SpaceAnswer(changed)


async def delete_space(call: Call, space: Space) -> None:
    """Delete a space with all its rooms."""
    await call.db.execute(queries.DELETE, space.space_id, call.now)
    await call.record(_change("space.deleted", space, before=space))


async def list_space_members(call: Call, space: Space, query: Paging) -> SpaceMemberList:
    """List who reaches a space, people and integrations, with the role that holds."""
    rows = await call.db.fetch(queries.MEMBERS, space.space_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["actor_id"])
    return SpaceMemberList(as_structs(page, SpaceMember), cursor)


@raises(MemberNotFound)
async def put_space_member(
    call: Call, space: Space, actor_id: UUID, body: Content[SpaceMemberUpdate]
) -> SpaceMemberAnswer:
    """Grant a role in a space to a person or an integration of its organization."""
    before = await _find_member(call, space, actor_id)
    await actions.grant_member(call, space, actor_id, body.content.role)
    member = await _find_member(call, space, actor_id)
    if member is None:
        raise MemberNotFound
    await call.record(_member_change("space_member.set", space, before=before, after=member))
    return SpaceMemberAnswer(member)


@raises(MemberNotFound)
async def remove_space_member(call: Call, space: Space, actor_id: UUID) -> None:
    """Take back the role granted in a space; what an actor has from the organization stays."""
    before = await _find_member(call, space, actor_id)
    await actions.withdraw_member(call, space, actor_id)
    await call.record(_member_change("space_member.removed", space, before=before))


async def _find_member(call: Call, space: Space, actor_id: UUID) -> SpaceMember | None:
    row = await call.db.fetchrow(queries.MEMBER, space.space_id, actor_id)
    return None if row is None else as_struct(row, SpaceMember)


def _change(action: str, space: Space, *, before: Space | None = None, after: Space | None = None) -> Change:
    return Change(action, Target("space", space.space_id, space.name), space.organization_id, before, after)


def _member_change(
    action: str, space: Space, *, before: SpaceMember | None, after: SpaceMember | None = None
) -> Change:
    member = after or before
    known = {} if member is None else {"actor_id": str(member.actor_id), "name": member.name}
    return Change(
        action, Target("space", space.space_id, space.name), space.organization_id,
        before=None if before is None else {**known, "role": before.granted},
        after=None if after is None else {**known, "role": after.granted},
    )  # fmt: skip

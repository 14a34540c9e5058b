"""Spaces and their members."""

from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from atrium.keys.caller import Call
from atrium.kit.decoding import given
from atrium.kit.texts import Description, Name
from atrium.kit.web import Body, Content, Paging, raises
from atrium.organizations.reach import MemberNotFound, Organization
from atrium.permissions import SpaceRole
from atrium.spaces import actions, reach
from atrium.spaces.model import Space, SpaceMember, Visibility


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
    return SpaceList(*await reach.list_spaces(call, organization, query))


async def create_space(call: Call, organization: Organization, body: Content[SpaceCreate]) -> SpaceAnswer:
    """Make a space; you become its admin."""
    content = body.content
    return SpaceAnswer(
        await actions.create_space(
            call, organization, name=content.name, description=content.description, visibility=content.visibility
        )
    )


async def read_space(call: Call, space: Space) -> SpaceAnswer:
    """Read a space."""
    return SpaceAnswer(space)


async def update_space(call: Call, space: Space, body: Content[SpaceUpdate]) -> SpaceAnswer:
    """Change a space's name, description or visibility."""
    content = body.content
    updated = await actions.update_space(
        call, space, name=given(content.name), description=given(content.description),
        visibility=given(content.visibility),
    )  # fmt: skip
    return SpaceAnswer(updated)


async def delete_space(call: Call, space: Space) -> None:
    """Delete a space with all its rooms."""
    await actions.delete_space(call, space)


async def list_space_members(call: Call, space: Space, query: Paging) -> SpaceMemberList:
    """List who reaches a space, people and integrations, with the role that holds."""
    return SpaceMemberList(*await reach.list_space_members(call, space, query))


@raises(MemberNotFound)
async def put_space_member(
    call: Call, space: Space, actor_id: UUID, body: Content[SpaceMemberUpdate]
) -> SpaceMemberAnswer:
    """Grant a role in a space to a person or an integration of its organization."""
    return SpaceMemberAnswer(await actions.set_space_member(call, space, actor_id, body.content.role))


@raises(MemberNotFound)
async def remove_space_member(call: Call, space: Space, actor_id: UUID) -> None:
    """Take back the role granted in a space; what an actor has from the organization stays."""
    await actions.remove_space_member(call, space, actor_id)

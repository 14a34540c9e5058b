"""Spaces and their members."""

from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content, Paging, given
from atrium.kit.text.types import Description, Name
from atrium.organizations.reach import Organization
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
    """A space to create."""

    name: Name
    description: Description = ""
    visibility: Visibility = Visibility.OPEN


class SpaceUpdate(Body):
    """The fields of a space that can change."""

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
    """The role to grant."""

    role: SpaceRole


async def list_spaces(call: Call, organization: Organization, query: Paging) -> SpaceList:
    """List the spaces of an organization that you can access."""
    return SpaceList(*await reach.list_spaces(call, organization, query))


async def create_space(call: Call, organization: Organization, body: Content[SpaceCreate]) -> SpaceAnswer:
    """Create a space. You become its admin."""
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
    """Change a space's name, description or visibility.

    To open a private space, a key with scopes also needs `members:manage`: it gives others access.
    """
    content = body.content
    updated = await actions.update_space(
        call,
        space,
        name=given(content.name),
        description=given(content.description),
        visibility=given(content.visibility),
    )
    return SpaceAnswer(updated)


async def delete_space(call: Call, space: Space) -> None:
    """Delete a space and all its rooms."""
    await actions.delete_space(call, space)


async def list_space_members(call: Call, space: Space, query: Paging) -> SpaceMemberList:
    """List the people and integrations that can access a space, with their effective roles."""
    return SpaceMemberList(*await reach.list_space_members(call, space, query))


async def put_space_member(
    call: Call, space: Space, actor_id: UUID, body: Content[SpaceMemberUpdate]
) -> SpaceMemberAnswer:
    """Grant a role in a space to a person or an integration of its organization."""
    return SpaceMemberAnswer(await actions.set_space_member(call, space, actor_id, body.content.role))


async def remove_space_member(call: Call, space: Space, actor_id: UUID) -> None:
    """Remove the role that an actor was granted in a space. A role inherited from the organization stays."""
    await actions.remove_space_member(call, space, actor_id)

"""`/v1/spaces/{space_id}/groups` and `/v1/organizations/{organization_id}/groups`: the roles of groups in spaces."""

from uuid import UUID

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content, Paging
from atrium.organizations.reach import Organization
from atrium.permissions import SpaceRole
from atrium.scim.space_groups import actions
from atrium.scim.space_groups.actions import DirectoryGroup, SpaceGroup
from atrium.spaces.model import Space


class DirectoryGroupList(Struct, frozen=True):
    """A page of groups."""

    groups: list[DirectoryGroup]
    next_cursor: str | None


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
    return DirectoryGroupList(*await actions.list_groups(call, organization, query))


async def list_space_groups(call: Call, space: Space, query: Paging) -> SpaceGroupList:
    """List the groups with a role in a space."""
    return SpaceGroupList(*await actions.list_space_groups(call, space, query))


async def put_space_group(
    call: Call, space: Space, group_id: UUID, body: Content[SpaceGroupUpdate]
) -> SpaceGroupAnswer:
    """Grant the members of a group a role in a space while they are in the group.

    Members with a higher role in the space keep it.
    """
    return SpaceGroupAnswer(await actions.set_space_group(call, space, group_id, body.content.role))


async def remove_space_group(call: Call, space: Space, group_id: UUID) -> None:
    """Revoke a group's role in a space."""
    await actions.remove_space_group(call, space, group_id)

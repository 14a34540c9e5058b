"""`/v1/organizations/{organization_id}` its members, and the names of actors by their ids."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.keys.caller import Call
from atrium.kit.errors import invalid_parameter
from atrium.kit.http.request import Body, Content, Paging, given
from atrium.kit.text.types import Name, uuid_parameter
from atrium.organizations import actions, reach
from atrium.organizations.membership import Member
from atrium.organizations.model import KnownActor
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole

MAX_IDS = 100
MAX_LENGTH = MAX_IDS * 37


class OrganizationAnswer(Struct, frozen=True):
    """An organization."""

    organization: Organization


class OrganizationUpdate(Body):
    """The fields of an organization to change."""

    name: Name


class MemberAnswer(Struct, frozen=True):
    """A member."""

    member: Member


class MemberList(Struct, frozen=True):
    """A page of members."""

    members: list[Member]
    next_cursor: str | None


class MemberUpdate(Body):
    """The fields of a member to change; `active: false` deactivates the account immediately, `true` reactivates it."""

    role: OrganizationRole | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class ActorList(Struct, frozen=True):
    """The requested actors that belong or belonged to the organization."""

    actors: list[KnownActor]


class ActorQuery(Struct, kw_only=True):
    """The actors to look up."""

    ids: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_LENGTH,
            examples=["01936f4e-8f2a-7c31-9d4b-5e6f70819203"],
            description="actor ids, separated by commas, at most 100",
        ),
    ]


async def read_organization(call: Call, organization: Organization) -> OrganizationAnswer:
    """Read an organization that you belong to."""
    return OrganizationAnswer(organization)


async def update_organization(
    call: Call, organization: Organization, body: Content[OrganizationUpdate]
) -> OrganizationAnswer:
    """Rename an organization."""
    return OrganizationAnswer(await actions.rename_organization(call, organization, body.content.name))


async def list_members(call: Call, organization: Organization, query: Paging) -> MemberList:
    """List the people of an organization with their roles."""
    return MemberList(*await reach.list_members(call, organization, query))


async def update_member(
    call: Call, organization: Organization, person_id: UUID, body: Content[MemberUpdate]
) -> MemberAnswer:
    """Change a member's role, or deactivate or reactivate the account."""
    role, active = given(body.content.role), given(body.content.active)
    return MemberAnswer(await actions.change_member(call, organization, person_id, role=role, active=active))


async def remove_member(call: Call, organization: Organization, person_id: UUID) -> None:
    """Remove a person from the organization and all its spaces. Their messages are kept."""
    await actions.remove_member(call, organization, person_id)


async def list_actors(call: Call, organization: Organization, query: ActorQuery) -> ActorList:
    """List actors of an organization by their ids: members and integrations, former ones too, so that their messages
    can be shown with a name."""
    given = query.ids.split(",")
    if len(given) > MAX_IDS:
        raise invalid_parameter("ids", f"contains more than {MAX_IDS} ids")
    ids = [uuid_parameter("ids", each) for each in given]
    return ActorList(await reach.list_actors(call, organization, ids))

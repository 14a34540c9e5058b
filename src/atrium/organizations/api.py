"""`/v1/organizations/{organization_id}` and its members."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content, Paging, given
from atrium.kit.text.types import Email, Name
from atrium.organizations import actions, invitations, reach
from atrium.organizations.membership import Member
from atrium.organizations.model import Invitation, InvitationAnswer, SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole


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


class InvitationCreate(Body):
    """The person to invite, and their roles."""

    email: Email
    role: OrganizationRole = OrganizationRole.MEMBER
    spaces: Annotated[list[SpaceGrant], Meta(max_length=1000, description="the spaces to add them to")] = field(
        default_factory=list
    )


class InvitationList(Struct, frozen=True):
    """A page of pending invitations."""

    invitations: list[Invitation]
    next_cursor: str | None


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


async def create_invitation(
    call: Call, organization: Organization, body: Content[InvitationCreate]
) -> InvitationAnswer:
    """Invite a person and email them.

    The response contains the invitation's token, which is shown only once and is valid for 14 days. `spaces` grants
    additional roles on acceptance, if the inviter is still an admin of the space. An earlier invitation of the
    organization to this address is revoked. A person's invitations and those to an address are limited.

    Requires a personal key or a session, so that an integration cannot gain access by inviting people.
    """
    content = body.content
    return await invitations.create_invitation(
        call, organization, email=content.email, role=content.role, spaces=content.spaces
    )


async def list_invitations(call: Call, organization: Organization, query: Paging) -> InvitationList:
    """List pending invitations, oldest first, without their tokens."""
    return InvitationList(*await reach.list_invitations(call, organization, query))


async def revoke_invitation(call: Call, organization: Organization, invitation_id: UUID) -> None:
    """Revoke an invitation; its link stops working."""
    await invitations.revoke_invitation(call, organization, invitation_id)

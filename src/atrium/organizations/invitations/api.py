"""`/v1/organizations/{organization_id}/invitations`: invite people, list and revoke invitations."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct, field

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content, Paging
from atrium.kit.text.types import Email
from atrium.organizations.invitations import actions, reach
from atrium.organizations.model import Invitation, InvitationAnswer, SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole


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
    return await actions.create_invitation(
        call, organization, email=content.email, role=content.role, spaces=content.spaces
    )


async def list_invitations(call: Call, organization: Organization, query: Paging) -> InvitationList:
    """List pending invitations, oldest first, without their tokens."""
    return InvitationList(*await reach.list_invitations(call, organization, query))


async def revoke_invitation(call: Call, organization: Organization, invitation_id: UUID) -> None:
    """Revoke an invitation; its link stops working."""
    await actions.revoke_invitation(call, organization, invitation_id)

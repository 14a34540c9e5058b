"""`/v1/organizations/{organization_id}` and its members."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.clock import rfc3339
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_struct, as_structs
from atrium.kit.texts import Email, Name, OrganizationId, Timestamp
from atrium.kit.web import Body, Content, Paging, raises, shows_once
from atrium.organizations import actions, queries
from atrium.organizations.actions import AlreadyMember, InvitationNotFound, MailboxNotProven, MemberNotFound
from atrium.organizations.membership import LastSuperAdmin, Member, require_may_name
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole


class OrganizationAnswer(Struct, frozen=True):
    """An organization."""

    organization: Organization


class OrganizationUpdate(Body):
    """What can change of an organization."""

    name: Name


class MemberAnswer(Struct, frozen=True):
    """A member."""

    member: Member


class MemberList(Struct, frozen=True):
    """A page of members."""

    members: list[Member]
    next_cursor: str | None


class MemberUpdate(Body):
    """What can change of a member; `active: false` deactivates the account at once, `true` brings it back."""

    role: OrganizationRole | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class InvitationCreate(Body):
    """Whom to invite, and as what."""

    email: Email
    role: OrganizationRole = OrganizationRole.MEMBER


class Invitation(Struct, frozen=True):
    """An invitation that waits to be accepted."""

    invitation_id: UUID
    organization_id: OrganizationId
    email: Annotated[str, Meta(examples=["ada@example.org"])]
    role: OrganizationRole
    created_at: Timestamp
    expires_at: Timestamp


class InvitationList(Struct, frozen=True):
    """A page of invitations that wait to be accepted."""

    invitations: list[Invitation]
    next_cursor: str | None


class InvitationAnswer(Struct, frozen=True):
    """An invitation, with the token that accepts it, shown this once."""

    invitation: Invitation
    token: Annotated[str, Meta(description="pass it to the invited person; `POST /v1/invitations/accept` takes it")]


async def read_organization(call: Call, organization: Organization) -> OrganizationAnswer:
    """Read an organization that you belong to."""
    return OrganizationAnswer(organization)


async def update_organization(
    call: Call, organization: Organization, body: Content[OrganizationUpdate]
) -> OrganizationAnswer:
    """Rename an organization."""
    await call.db.execute(queries.RENAME, organization.organization_id, body.content.name)
    renamed = Organization(organization.organization_id, body.content.name, organization.created_at, organization.role)
    target = Target("organization", organization.organization_id, organization.name)
    await call.record(
        Change("organization.updated", target, organization.organization_id, before=organization, after=renamed)
    )
    return OrganizationAnswer(renamed)


async def list_members(call: Call, organization: Organization, query: Paging) -> MemberList:
    """List the people of an organization with their roles."""
    rows = await call.db.fetch(queries.MEMBERS, organization.organization_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["person_id"])
    return MemberList(as_structs(page, Member), cursor)


@raises(MemberNotFound, LastSuperAdmin, MailboxNotProven)
async def update_member(
    call: Call, organization: Organization, person_id: UUID, body: Content[MemberUpdate]
) -> MemberAnswer:
    """Change a member's role, or deactivate or reactivate the account."""
    role, active = body.content.role, body.content.active
    member = await actions.change_member(
        call, organization, person_id, role=None if role is UNSET else role, active=None if active is UNSET else active
    )
    return MemberAnswer(member)


@raises(MemberNotFound, LastSuperAdmin)
async def remove_member(call: Call, organization: Organization, person_id: UUID) -> None:
    """Remove a person from the organization and all its spaces; what he wrote stays under his name."""
    await actions.remove_member(call, organization, person_id)


@shows_once("invitation", "invitation", "invitation_id")
@raises(AlreadyMember)
async def create_invitation(
    call: Call, organization: Organization, body: Content[InvitationCreate]
) -> InvitationAnswer:
    """Invite a person, by mail too. The token in the answer accepts the invitation; it is shown once and lasts 14
    days.

    Needs a personal key or a session: an integration would get by its guest where it does not get itself.
    """
    email, role = body.content.email, body.content.role
    invitation_id, token = await actions.invite(call, organization, email=email, role=role)
    expires_at = rfc3339(call.now + actions.INVITATION_LASTS)
    invitation = Invitation(invitation_id, organization.organization_id, email, role, rfc3339(call.now), expires_at)
    target = Target("invitation", invitation_id, email)
    await call.record(Change("invitation.created", target, organization.organization_id, after=invitation))
    return InvitationAnswer(invitation, token)


async def list_invitations(call: Call, organization: Organization, query: Paging) -> InvitationList:
    """List the invitations that wait to be accepted, oldest first; their tokens are not shown again."""
    asked = (organization.organization_id, call.now, after(query.cursor), query.limit + 1)
    rows = await call.db.fetch(queries.OPEN_INVITATIONS, *asked)
    page, cursor = cut(rows, query.limit, lambda row: row["invitation_id"])
    return InvitationList(as_structs(page, Invitation), cursor)


@raises(InvitationNotFound)
async def revoke_invitation(call: Call, organization: Organization, invitation_id: UUID) -> None:
    """Take an invitation back: its link accepts nothing any more."""
    row = await call.db.fetchrow(queries.OPEN_INVITATION, organization.organization_id, call.now, invitation_id)
    if row is None:
        raise InvitationNotFound
    invitation = as_struct(row, Invitation)
    require_may_name(organization.role, invitation.role)
    await call.db.execute(queries.END_INVITATION, invitation_id, call.now)
    target = Target("invitation", invitation_id, invitation.email)
    await call.record(Change("invitation.revoked", target, organization.organization_id, before=invitation))

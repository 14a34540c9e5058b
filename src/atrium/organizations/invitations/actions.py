"""Create and revoke invitations."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.keys.tokens import hash_of
from atrium.kit.clock import rfc3339
from atrium.kit.errors import Conflict
from atrium.kit.http.attempts import Limit, count_attempt
from atrium.kit.ids import new_id
from atrium.kit.mail.queue import enqueue_mail
from atrium.organizations import queries
from atrium.organizations.invitations import queries as invitation_queries
from atrium.organizations.invitations.reach import InvitationNotFound, invitation_of
from atrium.organizations.invitations.spaces import add_spaces, require_may_invite_to
from atrium.organizations.membership import require_may_assign
from atrium.organizations.model import Invitation, InvitationAnswer, SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole

INVITATION_LIFETIME = timedelta(days=14)
INVITATIONS_BY_PERSON = Limit("invitations by", 500, timedelta(minutes=1), timedelta(hours=1), timedelta(hours=1))
INVITATIONS_TO_ADDRESS = Limit("invitations to", 10, timedelta(minutes=5), timedelta(hours=6), timedelta(hours=24))
INVITED = """{who} invited you to {name} on Atrium. Accept the invitation by {until}:

{link}

If you already have an account, sign in first, then open the link.
"""


class AlreadyMember(Conflict):
    """A person with that email address belongs to the organization."""

    code = "already_member"
    title = "This person is already a member"


async def create_invitation(
    call: Call, organization: Organization, *, email: str, role: OrganizationRole, spaces: Sequence[SpaceGrant] = ()
) -> InvitationAnswer:
    """Invite a person and email them; only this response has the token.

    An earlier invitation of the organization to the same address is revoked.
    Raise Forbidden, AlreadyMember, InvalidRequest, TooManyAttempts.
    """
    await call.lock(queries.LOCK_FOR_NEW, organization.organization_id)
    await require_may_invite_to(call, organization, spaces)
    invitation_id, token = await _add_invitation(call, organization, email=email, role=role)
    await add_spaces(call.db, invitation_id, spaces)
    invitation = Invitation(
        invitation_id, organization.organization_id, email, role, list(spaces), rfc3339(call.now),
        rfc3339(call.now + INVITATION_LIFETIME),
    )  # fmt: skip
    await call.record(_change("invitation.created", invitation, after=invitation))
    return InvitationAnswer(invitation, token)


async def revoke_invitation(call: Call, organization: Organization, invitation_id: UUID) -> None:
    """Revoke an invitation; its link stops working. Raise InvitationNotFound, Forbidden."""
    row = await call.db.fetchrow(
        invitation_queries.OPEN_INVITATION, organization.organization_id, call.now, invitation_id
    )
    if row is None:
        raise InvitationNotFound
    await _revoke(call, organization, invitation_of(row))


async def _revoke(call: Call, organization: Organization, invitation: Invitation) -> None:
    require_may_assign(organization.role, invitation.role)
    await call.db.execute(invitation_queries.END_INVITATION, invitation.invitation_id, call.now)
    await call.record(_change("invitation.revoked", invitation, before=invitation))


async def _make_room(call: Call, organization: Organization, email: str) -> None:
    """Count an invitation, and revoke earlier ones to the address. Counting makes concurrent ones wait.

    The mails to an address are counted per organization, so that none can keep another one from inviting someone.
    """
    if call.origin.actor_id is not None:  # the operator has no limit
        await count_attempt(call.db, INVITATIONS_BY_PERSON, str(call.origin.actor_id), call.now)
    await count_attempt(call.db, INVITATIONS_TO_ADDRESS, f"{organization.organization_id} {email}", call.now)
    for row in await call.db.fetch(
        invitation_queries.OPEN_INVITATIONS_TO, organization.organization_id, call.now, email
    ):
        await _revoke(call, organization, invitation_of(row))


def _change(
    action: str, invitation: Invitation, *, before: Invitation | None = None, after: Invitation | None = None
) -> Change:
    target = Target("invitation", invitation.invitation_id, invitation.email)
    return Change(action, target, invitation.organization_id, before=before, after=after)


async def _add_invitation(
    call: Call, organization: Organization, *, email: str, role: OrganizationRole
) -> tuple[UUID, str]:
    """Add and email an invitation. Return its id and its token."""
    require_may_assign(organization.role, role)
    member = await call.db.fetchrow(queries.MEMBER_WITH_EMAIL, organization.organization_id, email)
    if member is not None:
        if member["claimed"]:
            raise AlreadyMember
        require_may_assign(organization.role, OrganizationRole(member["role"]))
    await _make_room(call, organization, email)
    invitation_id, token, expires_at = new_id(call.now), secrets.token_urlsafe(32), call.now + INVITATION_LIFETIME
    mailed = token if call.settings.smtp_url is None else secrets.token_urlsafe(32)
    await call.db.execute(
        invitation_queries.ADD_INVITATION, invitation_id, organization.organization_id, email, role, hash_of(token),
        call.origin.actor_id, call.now, expires_at, None if mailed == token else hash_of(mailed),
    )  # fmt: skip
    link = f"{call.settings.base_url}/sign-in#invitation={mailed}"
    who, until = call.caller.name or "The operator", f"{expires_at:%Y-%m-%d}"
    text = INVITED.format(who=who, name=organization.name, link=link, until=until)
    await enqueue_mail(
        call.db, to=email, subject=f"Invitation to {organization.name}", text=text, now=call.now,
        organization_id=organization.organization_id,
    )  # fmt: skip
    return invitation_id, token

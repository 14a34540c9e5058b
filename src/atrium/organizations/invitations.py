"""Create, revoke and accept invitations."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call, Caller
from atrium.keys.tokens import hash_of
from atrium.kit.clock import rfc3339
from atrium.kit.errors import Conflict, NotFound, Unauthenticated
from atrium.kit.http.attempts import Limit, count_attempt
from atrium.kit.ids import new_id
from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import ActorId, OrganizationId
from atrium.organizations import adoption, invitation_queries, queries
from atrium.organizations.actions import add_member
from atrium.organizations.invited_spaces import GrantedRole, add_spaces, grant_spaces, require_may_invite_to
from atrium.organizations.membership import require_may_assign
from atrium.organizations.model import Invitation, InvitationAnswer, InvitationPreview, SpaceGrant
from atrium.organizations.reach import Organization, invitation_of
from atrium.people.actions import add_person
from atrium.people.queries import LOCK, LOCK_BY_EMAIL
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


class AccountExists(Conflict):
    """The invited address already has an account. Accept with its personal key in the Authorization header."""

    code = "account_exists"
    title = "The invited address already has an account"


class CredentialReset(Enum):
    """The change of an account that joined: none, credentials revoked, or credentials revoked and address verified."""

    NONE = auto()
    REVOKED = auto()
    ADOPTED = auto()


class Accepted(NamedTuple):
    """The organization, the person who joined it, what happened to their account, and their new roles in spaces."""

    organization_id: OrganizationId
    person_id: ActorId
    reset: CredentialReset
    spaces: list[GrantedRole]


class InvitationNotFound(NotFound):
    """The invitation is unknown, used or expired."""

    code = "invitation_not_found"
    title = "Invitation not found"


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


async def require_invitation(db: Connection, token: str, now: datetime) -> None:
    """Raise InvitationNotFound unless the token accepts an invitation."""
    if await db.fetchval(invitation_queries.INVITATION, hash_of(token), now) is None:
        raise InvitationNotFound


async def preview_invitation(db: Connection, token: str, now: datetime) -> InvitationPreview:
    """Return the invitation of a token, whether or not it can still be accepted. Raise InvitationNotFound."""
    row = await db.fetchrow(invitation_queries.INVITATION_PREVIEW, hash_of(token), now)
    if row is None:
        raise InvitationNotFound
    return as_struct(row, InvitationPreview)


async def accept_invitation(
    db: Connection, token: str, *, name: str, caller: Caller | None, now: datetime, keep_password: bool = False
) -> Accepted:
    """Make the invited person a member: `caller` if there is one, else the person with the invited address.

    The token does not prove ownership of an existing account, so it gives no access to one. The token in the email
    verifies the address. `keep_password`: whether the caller chose their password themselves.
    Raise InvitationNotFound, AccountExists, Forbidden, Unauthenticated.
    """
    await db.execute(invitation_queries.LOCK_ORGANIZATION, hash_of(token))
    row = await db.fetchrow(invitation_queries.TAKE_INVITATION, hash_of(token), now)
    if row is None:
        raise InvitationNotFound
    organization_id, reset = OrganizationId(row["organization_id"]), CredentialReset.NONE
    if caller is None:
        person_id, reset = await _person_of(db, row, name=name, now=now)
    else:
        person_id = caller.actor_id
        await db.execute(LOCK, person_id)
        if not await db.fetchval(invitation_queries.KEY_WORKS, caller.api_key_id, now):  # it may have ended meanwhile
            raise Unauthenticated
        reset = await _reset_credentials(db, row, caller, now, keep_password=keep_password)
    await _require_may_reactivate(db, row, person_id, has_caller=caller is not None)
    await add_member(db, organization_id, person_id, role=OrganizationRole(row["role"]), now=now)
    await db.execute(queries.REINSTATE, organization_id, person_id, row["role"])
    return Accepted(organization_id, person_id, reset, await grant_spaces(db, row["invitation_id"], person_id, now))


async def _require_may_reactivate(db: Connection, invitation: Record, person_id: ActorId, *, has_caller: bool) -> None:
    """Raise Forbidden if the inviter may not change the existing membership that the invitation reactivates.

    Its role may differ from the role of the invitation.
    """
    organization_id, inviter = invitation["organization_id"], invitation["invited_by"]
    membership = await db.fetchrow(invitation_queries.INVITED_MEMBERSHIP, organization_id, person_id)
    if membership is None or (has_caller and membership["active"]):
        return
    inviter_role = await db.fetchval(invitation_queries.ROLE_OF_INVITER, organization_id, inviter)
    require_may_assign(OrganizationRole(inviter_role or OrganizationRole.GUEST), OrganizationRole(membership["role"]))


async def _reset_credentials(
    db: Connection, row: Record, caller: Caller, now: datetime, *, keep_password: bool
) -> CredentialReset:
    """Revoke the credentials of an unverified account that joins, except its key and perhaps its password: the person
    who created the account may have others."""
    if not await db.fetchval(queries.JOINS_UNPROVEN, caller.actor_id, row["organization_id"]):
        return CredentialReset.NONE
    if row["by_mail"] and await db.fetchval(queries.IS_ADDRESS_OF, caller.actor_id, row["email"]):
        adopted = await adoption.adopt(db, caller.actor_id, now, except_key=caller.api_key_id)
        return CredentialReset.ADOPTED if adopted else CredentialReset.NONE
    with_password = not keep_password
    await adoption.end_credentials(db, caller.actor_id, now, except_key=caller.api_key_id, with_password=with_password)
    return CredentialReset.REVOKED


async def _person_of(db: Connection, row: Record, *, name: str, now: datetime) -> tuple[ActorId, CredentialReset]:
    """Return a new person, or the one of the address if no one acts as them, without their former credentials."""
    taken = await db.fetchrow(LOCK_BY_EMAIL, row["email"])
    if taken is None:
        added = await add_person(db, name=name, email=row["email"], now=now, proven=row["by_mail"])
        return added, CredentialReset.NONE
    found = ActorId(taken["person_id"])
    state = await db.fetchrow(queries.ACCOUNT_STATE, found, row["organization_id"])
    is_unclaimed = state["is_unused"] and not state["is_elsewhere"]
    returns = row["is_proof"] and not state["works"]
    if not taken["is_same"] or not (is_unclaimed or returns):
        raise AccountExists
    if row["by_mail"] and await adoption.adopt(db, found, now):
        return found, CredentialReset.ADOPTED
    await adoption.hand_over(db, found, now)
    return found, CredentialReset.NONE if is_unclaimed else CredentialReset.REVOKED

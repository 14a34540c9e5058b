"""What is done to an organization and its people."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.database import Connection
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.ids import new_id
from atrium.kit.mail import put_mail
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, OrganizationId
from atrium.organizations import queries
from atrium.organizations.membership import Member, require_may_name, require_one_stays
from atrium.organizations.reach import Organization
from atrium.people.actions import add_person, hash_of_link
from atrium.people.queries import BY_EMAIL
from atrium.permissions import OrganizationRole

INVITATION_LASTS = timedelta(days=14)
INVITED = """{who} invites you to {name} on Atrium. Accept here, until {until}:

{link}

If you have an account already, sign in first and then open the link.
"""


class MemberNotFound(NotFound):
    """No member of the organization, or of the space, has this id."""

    code = "member_not_found"
    title = "There is no such member"


class AlreadyMember(Conflict):
    """A person with that e-mail address belongs to the organization."""

    code = "already_member"
    title = "This person is a member already"


class AccountExists(Conflict):
    """The invited address has an account already: accept with its own personal key in the Authorization header."""

    code = "account_exists"
    title = "The invited address has an account already"


class InvitationNotFound(NotFound):
    """The invitation is unknown, used or expired."""

    code = "invitation_not_found"
    title = "There is no such invitation"


async def found_organization(db: Connection, *, name: str, now: datetime) -> OrganizationId:
    """A new organization, with nobody in it."""
    organization_id = OrganizationId(new_id(now))
    await db.execute(queries.ADD, organization_id, name, now)
    return organization_id


async def add_member(
    db: Connection, organization_id: UUID, actor_id: ActorId, *, role: OrganizationRole, now: datetime,
    active: bool = True,
) -> None:  # fmt: skip
    """The actor belongs to the organization from now on; if it did before, nothing changes."""
    await db.execute(queries.ADD_MEMBER, actor_id, organization_id, role, now, None if active else now)


async def find_member(db: Connection, organization_id: UUID, person_id: UUID) -> Member:
    """The person as a member. Raises MemberNotFound."""
    row = await db.fetchrow(queries.MEMBER, organization_id, person_id)
    if row is None:
        raise MemberNotFound
    return as_struct(row, Member)


async def change_member(
    call: Call, organization: Organization, person_id: UUID, *, role: OrganizationRole | None, active: bool | None
) -> Member:
    """Give the member another role, or (de)activate the account. Raises Forbidden, LastSuperAdmin, MemberNotFound."""
    await call.db.execute(queries.LOCK, organization.organization_id)
    member = await find_member(call.db, organization.organization_id, person_id)
    new_role, new_active = role or member.role, member.active if active is None else active
    if (new_role, new_active) != (member.role, member.active):
        require_may_name(organization.role, member.role, new_role)
    await _require_one_stays(call.db, organization, member, role=new_role, active=new_active)
    change = (organization.organization_id, person_id, new_role, new_active, call.now)
    await call.db.execute(queries.CHANGE_MEMBER, *change)
    if not new_active:
        await call.db.execute(queries.END_INVITATIONS, organization.organization_id, person_id, call.now)
    changed = await find_member(call.db, organization.organization_id, person_id)
    await call.record(member_change("member.updated", organization.organization_id, before=member, after=changed))
    return changed


async def remove_member(call: Call, organization: Organization, person_id: UUID) -> None:
    """The person leaves the organization and all its spaces. Raises Forbidden, LastSuperAdmin, MemberNotFound."""
    await call.db.execute(queries.LOCK, organization.organization_id)
    member = await find_member(call.db, organization.organization_id, person_id)
    require_may_name(organization.role, member.role)
    await _require_one_stays(call.db, organization, member, role=OrganizationRole.GUEST, active=False)
    await call.db.execute(queries.REMOVE_GRANTS, organization.organization_id, person_id)
    await call.db.execute(queries.END_INVITATIONS, organization.organization_id, person_id, call.now)
    await call.db.execute(queries.REMOVE_MEMBER, organization.organization_id, person_id)
    await call.record(member_change("member.removed", organization.organization_id, before=member))


def member_change(
    action: str, organization_id: UUID, *, before: Member | None = None, after: Member | None = None
) -> Change:
    """What the audit trail is told of a change of a member."""
    member = after or before
    if member is None:
        raise ValueError("a change of a member has a side")
    return Change(action, Target("person", member.person_id, member.name), organization_id, before=before, after=after)


async def _require_one_stays(
    db: Connection, organization: Organization, member: Member, *, role: OrganizationRole, active: bool
) -> None:
    others = await db.fetchval(queries.OTHER_SUPER_ADMINS, organization.organization_id, member.person_id)
    require_one_stays(member, role=role, active=active, others=others)


async def invite(call: Call, organization: Organization, *, email: str, role: OrganizationRole) -> tuple[UUID, str]:
    """An invitation, which is mailed, and its token, which is shown once. Raises Forbidden, AlreadyMember."""
    require_may_name(organization.role, role)
    if await call.db.fetchrow(queries.MEMBER_WITH_EMAIL, organization.organization_id, email) is not None:
        raise AlreadyMember
    invitation_id, token, expires_at = new_id(call.now), secrets.token_urlsafe(32), call.now + INVITATION_LASTS
    await call.db.execute(
        queries.ADD_INVITATION, invitation_id, organization.organization_id, email, role, hash_of_link(token),
        call.caller.actor_id, call.now, expires_at,
    )  # fmt: skip
    link = f"{call.settings.base_url}/sign-in#invitation={token}"
    text = INVITED.format(who=call.caller.name, name=organization.name, link=link, until=f"{expires_at:%Y-%m-%d}")
    await put_mail(call.db, to=email, subject=f"Invitation to {organization.name}", text=text, now=call.now)
    return invitation_id, token


async def find_invitation(db: Connection, token: str, now: datetime) -> None:
    """Raises InvitationNotFound where the token accepts nothing."""
    if await db.fetchval(queries.INVITATION, hash_of_link(token), now) is None:
        raise InvitationNotFound


async def accept_invitation(
    db: Connection, token: str, *, name: str, known: ActorId | None, now: datetime
) -> tuple[OrganizationId, ActorId]:
    """The invited person becomes a member: the one `known` by the key sent along, else the one of that address.

    A token proves nothing about an account that exists already, so such an account is not handed out for it.
    Raises InvitationNotFound, AccountExists.
    """
    row = await db.fetchrow(queries.TAKE_INVITATION, hash_of_link(token), now)
    if row is None:
        raise InvitationNotFound
    person_id = known or await _person_of(db, row["email"], row["organization_id"], name=name, now=now)
    await add_member(db, row["organization_id"], person_id, role=OrganizationRole(row["role"]), now=now)
    await db.execute(queries.REINSTATE, row["organization_id"], person_id, row["role"])
    return row["organization_id"], person_id


async def _person_of(db: Connection, email: str, organization_id: UUID, *, name: str, now: datetime) -> ActorId:
    found: ActorId | None = await db.fetchval(BY_EMAIL, email)
    if found is None:
        return await add_person(db, name=name, email=email, now=now)
    if not await db.fetchval(queries.UNCLAIMED, found, organization_id):
        raise AccountExists
    return found

"""Add and rename organizations, and add, change and remove their members."""

from datetime import datetime
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import Conflict
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId, OrganizationId
from atrium.organizations import queries
from atrium.organizations.invitations import queries as invitation_queries
from atrium.organizations.member_keys.actions import with_working_keys
from atrium.organizations.membership import Member, require_may_assign, require_super_admin_left
from atrium.organizations.reach import Organization, find_member
from atrium.people.actions import make_sign_in_link
from atrium.permissions import OrganizationRole


class MembershipPending(Conflict):
    """This account belongs to another organization. The membership becomes active when the person accepts it."""

    code = "membership_pending"
    title = "The person has not accepted"


async def add_organization(db: Connection, *, name: str, now: datetime) -> OrganizationId:
    """Add an organization without members."""
    organization_id = OrganizationId(new_id(now))
    await db.execute(queries.ADD, organization_id, name, now)
    return organization_id


async def add_member(
    db: Connection,
    organization_id: UUID,
    actor_id: ActorId,
    *,
    role: OrganizationRole,
    now: datetime,
    active: bool = True,
) -> None:
    """Add an actor to an organization, unless it belongs to it already."""
    await db.execute(queries.ADD_MEMBER, actor_id, organization_id, role, now, None if active else now)


async def change_member(
    call: Call, organization: Organization, person_id: UUID, *, role: OrganizationRole | None, active: bool | None
) -> Member:
    """Change the role of a member, or deactivate or reactivate the account.

    Raise Forbidden, LastSuperAdmin, MemberNotFound, MembershipPending.
    """
    await call.lock(queries.LOCK, organization.organization_id)
    member = await find_member(call.db, organization.organization_id, person_id)
    will_be_active = await call.db.fetchval(queries.TO_BE_ACTIVE, organization.organization_id, person_id)
    new_role, new_active = role or member.role, will_be_active if active is None else active
    if (new_role, new_active) != (member.role, will_be_active):
        require_may_assign(organization.role, member.role, new_role)
    await set_member(call, organization, member, role=new_role, active=new_active)
    changed = await find_member(call.db, organization.organization_id, person_id)
    if active and not changed.active and will_be_active:  # it waits; one that was declined is asked again
        raise MembershipPending
    action = _action_of(member, changed)
    change = member_change(action, organization.organization_id, before=member, after=changed)
    if action == "member.reactivated":
        change = await with_working_keys(call, organization.organization_id, person_id, change)
    await call.record(change)
    return changed


def _action_of(before: Member, after: Member) -> str:
    if before.active == after.active:
        return "member.role_changed"
    return "member.reactivated" if after.active else "member.deactivated"


async def set_member(
    call: Call, organization: Organization, member: Member, *, role: OrganizationRole, active: bool
) -> None:
    """Change a member, under LOCK, without a check of permissions. Raise LastSuperAdmin."""
    await _require_super_admin_left(call.db, organization, member, role=role, active=active)
    change = (organization.organization_id, member.person_id, role, active, call.now)
    await call.db.execute(queries.CHANGE_MEMBER, *change)
    if not active:
        await call.db.execute(
            invitation_queries.END_INVITATIONS, organization.organization_id, member.person_id, call.now
        )


async def remove_member(call: Call, organization: Organization, person_id: UUID) -> None:
    """Remove a person from the organization and all its spaces. Raise Forbidden, LastSuperAdmin, MemberNotFound."""
    await call.lock(queries.LOCK, organization.organization_id)
    member = await find_member(call.db, organization.organization_id, person_id)
    require_may_assign(organization.role, member.role)
    await remove_membership(call, organization, member)
    await call.record(member_change("member.removed", organization.organization_id, before=member))


async def remove_membership(call: Call, organization: Organization, member: Member) -> None:
    """Remove a member, under LOCK, without a check of permissions. Raise LastSuperAdmin."""
    await _require_super_admin_left(call.db, organization, member, role=OrganizationRole.GUEST, active=False)
    leaving = (organization.organization_id, member.person_id)
    await call.db.execute(queries.REMOVE_GRANTS, *leaving)
    await call.db.execute(invitation_queries.END_INVITATIONS, *leaving, call.now)
    await call.db.execute(queries.REMOVE_MEMBER, *leaving)


def member_change(
    action: str, organization_id: UUID, *, before: Member | None = None, after: Member | None = None
) -> Change:
    """Describe a change of a member for the audit log."""
    member = after or before
    if member is None:
        raise ValueError("a change of a member needs before or after")
    return Change(action, Target("person", member.person_id, member.name), organization_id, before=before, after=after)


async def _require_super_admin_left(
    db: Connection, organization: Organization, member: Member, *, role: OrganizationRole, active: bool
) -> None:
    others = await db.fetchval(queries.OTHER_SUPER_ADMINS, organization.organization_id, member.person_id)
    require_super_admin_left(member, role=role, active=active, others=others)


async def rename_organization(call: Call, organization: Organization, name: str) -> Organization:
    """Rename an organization."""
    await call.db.execute(queries.RENAME, organization.organization_id, name)
    renamed = Organization(organization.organization_id, name, organization.created_at, organization.role)
    target = Target("organization", organization.organization_id, organization.name)
    await call.record(
        Change("organization.updated", target, organization.organization_id, before=organization, after=renamed)
    )
    return renamed


async def create_sign_in_link(call: Call, organization: Organization, member: Member) -> str:
    """Create a sign-in link for a member. It works once, within seven days."""
    link = await make_sign_in_link(call.db, member.person_id, base_url=call.settings.base_url, now=call.now)
    target = Target("person", member.person_id, member.name)
    await call.record(Change("sign_in_link.created", target, organization.organization_id))
    return link

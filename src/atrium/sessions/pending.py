"""Accept an organization that has added the caller's account."""

from uuid import UUID

from atrium.keys.caller import Call
from atrium.organizations import pending
from atrium.organizations.actions import member_change
from atrium.organizations.membership import Member
from atrium.organizations.reach import find_member
from atrium.sessions.actions import record_adoption
from atrium.sessions.reach import account_of


async def accept_pending(call: Call, organization_id: UUID) -> Member:
    """Make the caller a member. Raise PendingMembershipNotFound, MailboxNotProven."""
    was_verified_now = await pending.accept_pending(call, organization_id)
    member = await find_member(call.db, organization_id, call.caller.actor_id)
    await call.record(member_change("membership.accepted", organization_id, after=member))
    if was_verified_now:
        await record_adoption(call, await account_of(call.db, call.caller.actor_id))
    return member

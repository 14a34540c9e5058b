"""`/v1/me/pending-memberships`: accept or decline organizations that have added your account."""

from uuid import UUID

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Paging
from atrium.kit.http.route import raises
from atrium.organizations import pending
from atrium.organizations.actions import member_change
from atrium.organizations.membership import Member
from atrium.organizations.pending import MailboxNotProven, PendingMembership, PendingMembershipNotFound
from atrium.organizations.reach import find_member
from atrium.sessions.actions import record_adoption
from atrium.sessions.reach import account_of


class PendingMembershipList(Struct, frozen=True):
    """A page of pending memberships."""

    pending_memberships: list[PendingMembership]
    next_cursor: str | None


class AcceptedMembership(Struct, frozen=True):
    """Your membership, which is active now."""

    member: Member


async def list_pending_memberships(call: Call, query: Paging) -> PendingMembershipList:
    """List the organizations that have added your account, and wait for your answer."""
    return PendingMembershipList(*await pending.list_pending(call, query))


@raises(PendingMembershipNotFound, MailboxNotProven)
async def accept_pending_membership(call: Call, organization_id: UUID) -> AcceptedMembership:
    """Join an organization that has added your account. Its rules then hold for your keys, and its admins see them.

    Your address must be verified, or the session must have begun with an emailed link or through the identity provider.
    In the second case, your other sessions, your keys and your password end: someone else may have created them.
    """
    was_verified_now = await pending.accept_pending(call, organization_id)
    member = await find_member(call.db, organization_id, call.caller.actor_id)
    await call.record(member_change("membership.accepted", organization_id, after=member))
    if was_verified_now:
        await record_adoption(call, await account_of(call.db, call.caller.actor_id))
    return AcceptedMembership(member)


@raises(PendingMembershipNotFound)
async def decline_pending_membership(call: Call, organization_id: UUID) -> None:
    """Decline to join an organization that has added your account. Its directory then shows you as inactive; if it
    activates you again, you are asked again."""
    await pending.decline_pending(call, organization_id)

"""`/v1/me/pending-memberships`: accept or decline organizations that have added your account."""

from uuid import UUID

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Paging
from atrium.organizations import pending
from atrium.organizations.membership import Member
from atrium.organizations.pending import PendingMembership
from atrium.sessions.pending import accept_pending


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


async def accept_pending_membership(call: Call, organization_id: UUID) -> AcceptedMembership:
    """Join an organization that has added your account. Its rules then hold for your keys, and its admins see them.

    Your address must be verified, or the session must have begun with an emailed link or through the identity provider.
    In the second case, your other sessions, your keys and your password end: someone else may have created them.
    """
    return AcceptedMembership(await accept_pending(call, organization_id))


async def decline_pending_membership(call: Call, organization_id: UUID) -> None:
    """Decline to join an organization that has added your account. Its directory then shows you as inactive; if it
    activates you again, you are asked again."""
    await pending.decline_pending(call, organization_id)

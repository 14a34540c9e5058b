"""The pending memberships of a person: organizations that added the account of another one (`adoption.py`)."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit import trail
from atrium.audit.trail import Change, Origin, Target
from atrium.keys.caller import ActorKind, Call
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_structs
from atrium.kit.text.types import OrganizationId, Timestamp
from atrium.organizations import adoption
from atrium.organizations import pending_queries as queries
from atrium.organizations.queries import LOCK_FOR_NEW
from atrium.people.queries import LOCK


class PendingMembershipNotFound(NotFound):
    """The organization has not added you, or you have answered."""

    code = "pending_membership_not_found"
    title = "Pending membership not found"


class MailboxNotProven(Conflict):
    """Someone else may have created your account. Sign in with an emailed link, or through the identity provider, and
    accept in that session."""

    code = "mailbox_not_proven"
    title = "The mailbox is not verified"


class PendingMembership(Struct, frozen=True):
    """An organization that has added your account. It counts for nothing until you accept."""

    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Analytical Engines"])]
    created_at: Timestamp


async def list_pending(call: Call, paging: Paging) -> ListPage[PendingMembership]:
    """Return a page of the caller's pending memberships."""
    rows = await call.db.fetch(queries.PENDING, call.caller.actor_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["organization_id"])
    return as_structs(page, PendingMembership), cursor


async def accept_pending(call: Call, organization_id: UUID) -> bool:
    """Make the caller a member. Return whether this verified their address, and so ended their other credentials.

    Raise PendingMembershipNotFound, MailboxNotProven.
    """
    person_id = call.caller.actor_id
    await call.db.execute(LOCK_FOR_NEW, organization_id)  # before the person, as all changes of members
    await call.lock(LOCK, person_id)
    if await call.db.fetchval(queries.ACCEPT_PENDING, person_id, organization_id) is None:
        raise PendingMembershipNotFound
    proof = await call.db.fetchrow(queries.PROOF, person_id, call.caller.api_key_id)
    if proof["is_proven"]:
        return False
    if not proof["is_proven_by_session"]:
        raise MailboxNotProven("Sign in with a link sent to your email address, then accept.")
    return await adoption.adopt(
        call.db, person_id, call.now, except_key=call.caller.api_key_id, with_identities=not proof["is_by_identity"]
    )


async def decline_pending(call: Call, organization_id: UUID) -> None:
    """Leave the membership inactive until the organization activates it again. Raise PendingMembershipNotFound."""
    person_id = call.caller.actor_id
    await call.lock(LOCK_FOR_NEW, organization_id)
    name = await call.db.fetchval(queries.DECLINE_PENDING, person_id, organization_id, call.now)
    if name is None:
        raise PendingMembershipNotFound
    # The organization learns no more of the person than it knew: not their own name, nor their address.
    owner = Origin(actor_kind=ActorKind.PERSON, actor_id=person_id, actor_name=name, at=call.now)
    change = Change("membership.declined", Target("person", person_id, name), organization_id)
    await trail.record(call.db, owner, change)

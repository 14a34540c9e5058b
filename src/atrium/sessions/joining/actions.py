"""Join an organization: by an invitation, with a new or an existing account, or one that has added the account."""

from datetime import datetime
from enum import Enum, auto
from typing import NamedTuple
from uuid import UUID

from atrium.keys.actions import issue_key
from atrium.keys.caller import Call, Caller, KeyPolicyForbids
from atrium.keys.policy import require_allowed
from atrium.keys.queries import LOCK_POLICIES
from atrium.keys.tokens import PERSONAL_PREFIX, hash_of
from atrium.kit.errors import Conflict, Unauthenticated
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.text.types import ActorId, OrganizationId
from atrium.organizations import adoption, pending
from atrium.organizations import queries as organization_queries
from atrium.organizations.actions import add_member, member_change
from atrium.organizations.invitations import queries as invitation_queries
from atrium.organizations.invitations.reach import InvitationNotFound
from atrium.organizations.invitations.spaces import GrantedRole, grant_change, grant_spaces
from atrium.organizations.membership import Member, require_may_assign
from atrium.organizations.reach import find_member
from atrium.people.actions import add_person
from atrium.people.queries import LOCK, LOCK_BY_EMAIL
from atrium.permissions import OrganizationRole
from atrium.sessions import queries
from atrium.sessions.actions import as_owner, record_adoption, record_credentials_revoked
from atrium.sessions.reach import Account, account_of


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


async def accept_invitation(
    call: Call, token: str, name: str, caller: Caller | None, *, password_hash: str | None = None
) -> tuple[OrganizationId, Account]:
    """Accept an invitation as `caller`, or as a new person with that name and password. Raise InvitationNotFound,
    AccountExists, Forbidden."""
    accepted = await _take_invitation(
        call.db,
        token,
        name=name,
        caller=caller,
        now=call.now,
        keep_password=await _may_keep_password(call, caller),
    )
    account = await account_of(call.db, accepted.person_id)
    if account is None:
        raise InvitationNotFound
    await _record(call, account, accepted)
    if password_hash is not None:
        await call.db.execute(queries.SET_HASH, account.person_id, password_hash, call.now)
    return accepted.organization_id, account


async def _record(call: Call, account: Account, accepted: Accepted) -> None:
    """Write the changes by the invitation to the audit log."""
    organization_id, person_id, reset, spaces = accepted
    member = await find_member(call.db, organization_id, person_id)
    owner = as_owner(call, account)
    await owner.record(member_change("invitation.accepted", organization_id, after=member))
    for granted in spaces:
        await owner.record(grant_change(granted, organization_id, person_id, member.name))
    if reset is CredentialReset.ADOPTED:
        await record_adoption(call, account)
    elif reset is CredentialReset.REVOKED:
        await record_credentials_revoked(call, account)


async def issue_first_key(call: Call, account: Account) -> str | None:
    """Issue the first personal key of a new person, unless the key policy does not allow it. The account is theirs from
    then on either way: another invitation to their address does not take it over."""
    owner = account.person_id
    await call.db.execute(LOCK_POLICIES, owner)
    try:
        async with call.db.transaction():
            issued = await issue_key(
                call.db, prefix=PERSONAL_PREFIX, owner=owner, name="First key", created_by=owner, now=call.now
            )
            await require_allowed(call.db, issued.api_key_id)
    except KeyPolicyForbids:
        await call.db.execute(queries.RECORD_SIGN_IN, owner, call.now)
        return None
    return issued.key


async def _may_keep_password(call: Call, caller: Caller | None) -> bool:
    """Return whether the caller keeps their password: they know it, and without a mail server no link could restore
    access."""
    if caller is None or call.settings.smtp_url is not None:
        return False
    knows: bool = await call.db.fetchval(queries.IS_KNOWN_TO_OWNER, caller.api_key_id)
    return knows


async def accept_pending(call: Call, organization_id: UUID) -> Member:
    """Make the caller a member. Raise PendingMembershipNotFound, MailboxNotProven."""
    was_verified_now = await pending.accept_pending(call, organization_id)
    member = await find_member(call.db, organization_id, call.caller.actor_id)
    await call.record(member_change("membership.accepted", organization_id, after=member))
    if was_verified_now:
        await record_adoption(call, await account_of(call.db, call.caller.actor_id))
    return member


async def _take_invitation(
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
    await db.execute(organization_queries.REINSTATE, organization_id, person_id, row["role"])
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
    if not await db.fetchval(organization_queries.JOINS_UNPROVEN, caller.actor_id, row["organization_id"]):
        return CredentialReset.NONE
    if row["by_mail"] and await db.fetchval(organization_queries.IS_ADDRESS_OF, caller.actor_id, row["email"]):
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
    state = await db.fetchrow(organization_queries.ACCOUNT_STATE, found, row["organization_id"])
    is_unclaimed = state["is_unused"] and not state["is_elsewhere"]
    returns = row["is_proof"] and not state["works"]
    if not taken["is_same"] or not (is_unclaimed or returns):
        raise AccountExists
    if row["by_mail"] and await adoption.adopt(db, found, now):
        return found, CredentialReset.ADOPTED
    await adoption.hand_over(db, found, now)
    return found, CredentialReset.NONE if is_unclaimed else CredentialReset.REVOKED

"""Accept invitations: a new or an existing account joins an organization."""

from atrium.keys.actions import issue_key
from atrium.keys.caller import Call, Caller
from atrium.keys.tokens import PERSONAL_PREFIX
from atrium.kit.text.types import OrganizationId
from atrium.organizations import invitations
from atrium.organizations.actions import member_change
from atrium.organizations.invitations import Accepted, InvitationNotFound, Secured
from atrium.organizations.invited_spaces import grant_change
from atrium.organizations.reach import find_member
from atrium.sessions import queries
from atrium.sessions.actions import as_owner, note_adopted, note_secured
from atrium.sessions.reach import Account, account_of


async def accept_invitation(
    call: Call, token: str, name: str, known: Caller | None, *, password_hash: str | None = None
) -> tuple[OrganizationId, Account]:
    """Accept an invitation as `known`, or as a new person with that name and password. Raise InvitationNotFound,
    AccountExists, Forbidden."""
    accepted = await invitations.accept_invitation(
        call.db, token, name=name, known=known, now=call.now,
        keeps_password=await _keeps_password(call, known),
    )  # fmt: skip
    account = await account_of(call.db, accepted.person_id)
    if account is None:
        raise InvitationNotFound
    await _record(call, account, accepted)
    if password_hash is not None:
        await call.db.execute(queries.SET_HASH, account.person_id, password_hash, call.now)
    return accepted.organization_id, account


async def _record(call: Call, account: Account, accepted: Accepted) -> None:
    """Write what the invitation changed to the audit log."""
    organization_id, person_id, secured, spaces = accepted
    member = await find_member(call.db, organization_id, person_id)
    owner = as_owner(call, account)
    await owner.record(member_change("invitation.accepted", organization_id, after=member))
    for granted in spaces:
        await owner.record(grant_change(granted, organization_id, person_id, member.name))
    if secured is Secured.ADOPTED:
        await note_adopted(call, account)
    elif secured is Secured.UNPROVEN:
        await note_secured(call, account)


async def issue_first_key(call: Call, account: Account) -> str:
    """Issue the first personal key of a new person."""
    owner = account.person_id
    issued = await issue_key(
        call.db, prefix=PERSONAL_PREFIX, owner=owner, name="First key", created_by=owner, now=call.now
    )
    return issued.key


async def _keeps_password(call: Call, known: Caller | None) -> bool:
    """Return whether the caller keeps their password: they know it, and without a mail server no link could restore
    access."""
    if known is None or call.settings.smtp_url is not None:
        return False
    knows: bool = await call.db.fetchval(queries.HOLDER_KNOWS, known.api_key_id)
    return knows

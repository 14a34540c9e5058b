"""Accept invitations: a new or an existing account joins an organization."""

from atrium.keys.actions import issue_key
from atrium.keys.caller import Call, Caller, KeyPolicyForbids
from atrium.keys.policy import require_allowed
from atrium.keys.policy_queries import LOCK_POLICIES
from atrium.keys.tokens import PERSONAL_PREFIX
from atrium.kit.text.types import OrganizationId
from atrium.organizations import invitations
from atrium.organizations.actions import member_change
from atrium.organizations.invitations import Accepted, CredentialReset, InvitationNotFound
from atrium.organizations.invited_spaces import grant_change
from atrium.organizations.reach import find_member
from atrium.sessions import queries
from atrium.sessions.actions import as_owner, record_adoption, record_credentials_revoked
from atrium.sessions.reach import Account, account_of


async def accept_invitation(
    call: Call, token: str, name: str, caller: Caller | None, *, password_hash: str | None = None
) -> tuple[OrganizationId, Account]:
    """Accept an invitation as `caller`, or as a new person with that name and password. Raise InvitationNotFound,
    AccountExists, Forbidden."""
    accepted = await invitations.accept_invitation(
        call.db, token, name=name, caller=caller, now=call.now,
        keep_password=await _may_keep_password(call, caller),
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

"""Find the account for an identity at the OpenID Connect provider: linked, else by verified address, else new."""

import re
from typing import ClassVar

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.organizations.actions import add_member
from atrium.organizations.reach import find_member
from atrium.people.actions import add_person
from atrium.people.queries import LOCK, LOCK_BY_EMAIL
from atrium.permissions import OrganizationRole
from atrium.sessions import queries
from atrium.sessions.actions import adopt, as_owner, reopen
from atrium.sessions.oidc.identity import ProviderIdentity
from atrium.sessions.reach import Account, account_of, account_with

ADDRESS = re.compile(r"[^@\s\x00]{1,200}@[^@\s\x00]{1,253}")


class IdentityRejected(Exception):
    """The sign-in failed. The sign-in page explains `code`; `account` is that of the identity, if any."""

    UNVERIFIED: ClassVar[str] = "oidc_unverified"
    LINKED: ClassVar[str] = "oidc_linked"
    NO_ACCOUNT: ClassVar[str] = "oidc_no_account"
    DEACTIVATED: ClassVar[str] = "oidc_deactivated"

    def __init__(self, code: str, account: Account | None = None) -> None:
        super().__init__(code)
        self.code, self.account = code, account


async def account_of_identity(call: Call, identity: ProviderIdentity) -> Account:
    """Return the account and link it to its identity at the provider. Raise IdentityRejected.

    Unverified addresses are not linked, because a user could choose someone else's address at the provider. An account
    that is already linked is not linked again, because its address may now belong to another user.
    """
    known = await call.db.fetchval(queries.IDENTITY, identity.issuer, identity.subject)
    if known is not None:  # an adoption under way may end it
        await call.db.execute(LOCK, known)
        known = await call.db.fetchval(queries.IDENTITY, identity.issuer, identity.subject)
    if known is not None:
        return _active(await _reopen(call, await account_of(call.db, known), identity))
    found = await _account_of_address(call, identity)
    await _link(call, found, identity)
    return found


async def _account_of_address(call: Call, identity: ProviderIdentity) -> Account:
    if identity.email is None or not ADDRESS.fullmatch(identity.email) or len(identity.email) > 254:
        raise IdentityRejected(IdentityRejected.UNVERIFIED)
    await call.db.execute(LOCK_BY_EMAIL, identity.email)
    account = await account_with(call.db, identity.email)
    if account and await call.db.fetchval(queries.IS_LINKED, identity.issuer, account.person_id):
        raise IdentityRejected(IdentityRejected.LINKED, account)
    if account:
        await adopt(call, account.person_id)
        account = await account_of(call.db, account.person_id)
    return _active(account) if account else await _join(call, identity.name, identity.email)


async def _link(call: Call, account: Account, identity: ProviderIdentity) -> None:
    row = (identity.issuer, identity.subject, account.person_id, call.now)
    await call.db.execute(queries.ADD_IDENTITY, *row)


async def _reopen(call: Call, account: Account | None, identity: ProviderIdentity) -> Account | None:
    """Return the account. If it works nowhere and has the provider's address, it joins the organization that added
    it."""
    if account is None or proven_email(account, identity) is None or not await reopen(call, account.person_id):
        return account
    await _link(call, account, identity)  # it ended with the others
    return await account_of(call.db, account.person_id)


def proven_email(account: Account, identity: ProviderIdentity) -> str | None:
    """Return the account's address if the provider has verified it. Only ASCII letters are compared without case."""
    if account.email is None or identity.email is None:
        return None
    return account.email if account.email.encode().lower() == identity.email.encode().lower() else None


def _active(account: Account | None) -> Account:
    if account is None or not account.active:
        raise IdentityRejected(IdentityRejected.DEACTIVATED, account)
    return account


async def _join(call: Call, name: str, email: str) -> Account:
    """Add a person to the organization that new people join. Raise IdentityRejected if none is set."""
    organization_id = call.settings.oidc_organization
    if organization_id is None or await call.db.fetchval(queries.ORGANIZATION, organization_id) is None:
        raise IdentityRejected(IdentityRejected.NO_ACCOUNT)
    person_id = await add_person(call.db, name=name, email=email, now=call.now, proven=True)
    role = OrganizationRole(call.settings.oidc_default_role)
    await add_member(call.db, organization_id, person_id, role=role, now=call.now)
    account = Account(person_id, name, email, None, active=True)
    member = await find_member(call.db, organization_id, person_id)
    change = Change("member.joined", Target("person", person_id, name), organization_id, after=member)
    await as_owner(call, account).record(change)
    return account

"""Links by mail: `/v1/sign-in-links` to sign in with, `/v1/password-resets` to set a password with."""

import secrets

from msgspec import Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import NOBODY, Call
from atrium.keys.tokens import hash_of
from atrium.kit.texts import Email
from atrium.kit.web import Body, Content, raises
from atrium.sessions import mails, queries, throttle
from atrium.sessions.actions import Account, account_of, acting_as
from atrium.sessions.model import LINK_LASTS, Purpose, TooManyAttempts

NO_ACCOUNT = Account(NOBODY.actor_id, "", None, None, active=False)


class MailAsked(Body):
    """Whose account it is."""

    email: Email


class Asked(Struct, frozen=True):
    """The same whether or not the address has an account; if it has, the mail is on its way."""

    email: str
    expires_in: int


@raises(TooManyAttempts)
async def create_sign_in_link(call: Call, body: Content[MailAsked]) -> Asked:
    """Have a link mailed that signs in, once, within half an hour.

    The answer is the same, and comes as soon, whether or not the address has an account.
    """
    return await _mail(call, body.content.email, Purpose.SIGN_IN)


@raises(TooManyAttempts)
async def create_password_reset(call: Call, body: Content[MailAsked]) -> Asked:
    """Have a link mailed that sets a new password, once, within half an hour.

    The answer is the same, and comes as soon, whether or not the address has an account.
    """
    return await _mail(call, body.content.email, Purpose.PASSWORD)


async def _mail(call: Call, email: str, purpose: Purpose) -> Asked:
    """The same statements for an address that nobody has: they find nobody, and write nothing."""
    await throttle.count_mail(call.db, email, call.address, call.now)
    token, until = secrets.token_urlsafe(32), call.now + LINK_LASTS
    proves = call.settings.smtp_url is not None  # else administrators read it too
    link = (hash_of(token), email, call.now, until, purpose, proves)
    person_id = await call.db.fetchval(queries.ADD_LINK_FOR, *link)
    await mails.mail_link(call, person_id, token, purpose)
    owner = acting_as(call, await account_of(call.db, person_id or NOBODY.actor_id) or NO_ACCOUNT)
    target = Target("person", owner.caller.actor_id, owner.caller.name)
    await owner.record(Change("link.asked", target, after={"purpose": purpose}))
    return Asked(email, int(LINK_LASTS.total_seconds()))

"""Emailed links: for signing in, or for setting a password."""

import secrets

from atrium.audit.trail import Change, Target
from atrium.keys.caller import NOBODY, Call
from atrium.keys.tokens import hash_of
from atrium.sessions import mails, queries, throttle
from atrium.sessions.actions import as_owner
from atrium.sessions.model import LINK_LIFETIME, Purpose
from atrium.sessions.reach import Account, account_of

NO_ACCOUNT = Account(NOBODY.actor_id, "", None, None, active=False)


async def mail_link(call: Call, email: str, purpose: Purpose) -> int:
    """Email a link to the account of an address and return its lifetime in seconds. Raise TooManyAttempts.

    An address without an account runs the same statements; they find nothing and write nothing.
    """
    await throttle.count_mail(call.db, email, call.network, call.now)
    token, until = secrets.token_urlsafe(32), call.now + LINK_LIFETIME
    proves = call.settings.smtp_url is not None  # else admins can read it too
    link = (hash_of(token), email, call.now, until, purpose, proves)
    person_id = await call.db.fetchval(queries.ADD_LINK_FOR, *link)
    await mails.mail_link(call, person_id, token, purpose)
    owner = as_owner(call, await account_of(call.db, person_id or NOBODY.actor_id) or NO_ACCOUNT)
    target = Target("person", owner.caller.actor_id, owner.caller.name)
    await owner.record(Change("link.asked", target, after={"purpose": purpose}))
    return int(LINK_LIFETIME.total_seconds())

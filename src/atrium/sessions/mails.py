"""Emails about signing in. The token is in the fragment of the link. Browsers do not send it, so it is in no server
log, and a mail scanner that opens the link does not redeem it."""

from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.ids import new_id
from atrium.kit.mail.queue import enqueue_mail
from atrium.sessions import queries
from atrium.sessions.model import Purpose

SIGN_IN = """Use this link to sign in to Atrium at {base}:

{link}

The link works once and expires in 30 minutes. If you did not request it, you can ignore this email.
"""

RESET = """Use this link to set a new password for Atrium at {base}:

{link}

The link works once, expires in 30 minutes, and signs out all your sessions. If you did not request it, you can ignore
this email; your password stays the same.
"""

CHANGED = """The password of your account at {base} was changed on {at}. All other sessions were signed out.

If you did not change it, set a new one: choose "Forgot your password?" at {base}/sign-in
"""

FIRST_SET = """A password was set for your account at {base} on {at}. All other sessions were signed out.

If you did not set it, choose "Forgot your password?" at {base}/sign-in and revoke your API keys, too.
"""

ADOPTED = """You verified your email address for your account at {base}. Because someone else may have created the
account, Atrium revoked its API keys, removed its password and signed out all other sessions on {at}.

Set a password and create new keys in your settings at {base}
"""

CREDENTIALS_REVOKED = """Your account at {base} joined an organization on {at}. This email address has not been verified
yet, so someone else may have keys to the account. For your security, Atrium {revoked}, except
the key or session that was used to join.

{next}
"""
ALL_REVOKED = (
    "revoked its API keys, removed its password and signed out its sessions",
    "Set a password and create new keys in your settings at {base}\nIf you are signed out already, choose "
    '"Forgot your password?" at {base}/sign-in',
)
PASSWORD_UNCHANGED = (
    "revoked its API keys and signed out its sessions",
    "Your password stays the same. Create new keys in your settings at {base}",
)

LINKS = {
    Purpose.SIGN_IN: ("Your link to sign in", SIGN_IN, "token"),
    Purpose.PASSWORD: ("Set a new password", RESET, "reset"),
}


async def mail_link(call: Call, person_id: UUID | None, token: str, purpose: Purpose) -> None:
    """Queue an email with a link; without a person, do the same work and queue nothing."""
    base, (subject, text, parameter) = call.settings.base_url, LINKS[purpose]
    body = text.format(base=base, link=f"{base}/sign-in#{parameter}={token}")
    await call.db.execute(queries.PUT_MAIL_FOR, new_id(call.now), person_id, subject, body, call.now)


async def notify_password_changed(call: Call, email: str | None) -> None:
    """Notify the owner that the password was changed."""
    if email:
        text = CHANGED.format(base=call.settings.base_url, at=call.now.strftime("%Y-%m-%d at %H:%M UTC"))
        await enqueue_mail(call.db, to=email, subject="Your password was changed", text=text, now=call.now)


async def notify_password_set(call: Call, email: str | None) -> None:
    """Notify the owner that the account has a password now."""
    if email:
        text = FIRST_SET.format(base=call.settings.base_url, at=call.now.strftime("%Y-%m-%d at %H:%M UTC"))
        await enqueue_mail(call.db, to=email, subject="A password was set for your account", text=text, now=call.now)


async def notify_adopted(call: Call, email: str | None) -> None:
    """Notify the owner of an account that its former credentials were revoked."""
    if email:
        text = ADOPTED.format(base=call.settings.base_url, at=call.now.strftime("%Y-%m-%d at %H:%M UTC"))
        await enqueue_mail(call.db, to=email, subject="Your email address is verified", text=text, now=call.now)


async def notify_credentials_revoked(call: Call, email: str | None, *, has_password: bool) -> None:
    """Notify the owner that the account joined an organization and its other credentials were revoked."""
    if email:
        base, at = call.settings.base_url, call.now.strftime("%Y-%m-%d at %H:%M UTC")
        revoked, then = PASSWORD_UNCHANGED if has_password else ALL_REVOKED
        text = CREDENTIALS_REVOKED.format(base=base, at=at, revoked=revoked, next=then.format(base=base))
        await enqueue_mail(call.db, to=email, subject="API keys and sessions revoked", text=text, now=call.now)

"""What is mailed about signing in. A token stands behind the `#`: browsers keep that part to themselves, so it is in no
server's log, and a mail scanner that opens the link uses nothing up."""

from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.ids import new_id
from atrium.kit.mail import put_mail
from atrium.sessions import queries
from atrium.sessions.model import Purpose

SIGN_IN = """Somebody, probably you, asked for a link to sign in to Atrium at {base}:

{link}

It works once, within half an hour. If it was not you who asked, there is nothing to do.
"""

RESET = """Somebody, probably you, asked to set a new password for Atrium at {base}:

{link}

The link works once, within half an hour; every browser that is signed in by then is signed out. If it was not you who
asked, your password stays as it is and there is nothing to do.
"""

CHANGED = """The password of your account at {base} was changed on {at}. Every other browser was signed out.

If it was not you, set a new one: choose "Forgot your password?" at {base}/sign-in
"""

ADOPTED = """You have shown that you read the mail of this address, which is the one of your account at {base}. The
account had been made by somebody else, or before anybody asked for that. So its keys, its password and whoever else was
signed in to it stopped working on {at}.

Set a password and make new keys in your settings at {base}
"""

SECURED = """Your account at {base} joined an organization on {at}. Nobody has shown yet that they read the mail of this
address, so somebody else may hold keys to the account. {ended} stopped working then, but for what it joined with.

{next}
"""
ALL_ENDED = (
    "Its keys, its password and whoever else was signed in to it",
    "Set a password and make new keys in your settings at {base}\nIf you are signed out already, choose "
    '"Forgot your password?" at {base}/sign-in',
)
PASSWORD_STAYS = (
    "Its keys and whoever else was signed in to it",
    "Your password stays. Make new keys in your settings at {base}",
)

LINKS = {
    Purpose.SIGN_IN: ("Your link to sign in", SIGN_IN, "token"),
    Purpose.PASSWORD: ("Set a new password", RESET, "reset"),
}


async def mail_link(call: Call, person_id: UUID | None, token: str, purpose: Purpose) -> None:
    """The link to the person; where there is none, the same work for nothing."""
    base, (subject, text, parameter) = call.settings.base_url, LINKS[purpose]
    body = text.format(base=base, link=f"{base}/sign-in#{parameter}={token}")
    await call.db.execute(queries.PUT_MAIL_FOR, new_id(call.now), person_id, subject, body, call.now)


async def tell_of_change(call: Call, email: str | None) -> None:
    """That the password was changed, to its owner."""
    if email:
        text = CHANGED.format(base=call.settings.base_url, at=call.now.strftime("%Y-%m-%d at %H:%M UTC"))
        await put_mail(call.db, to=email, subject="Your password was changed", text=text, now=call.now)


async def notify_of_adoption(call: Call, email: str | None) -> None:
    """Tell the owner of an account that what opened it before does so no more."""
    if email:
        text = ADOPTED.format(base=call.settings.base_url, at=call.now.strftime("%Y-%m-%d at %H:%M UTC"))
        await put_mail(call.db, to=email, subject="Your account is yours alone", text=text, now=call.now)


async def tell_of_securing(call: Call, email: str | None, *, has_password: bool) -> None:
    """That an account joined an organization without what else opened it, to its owner."""
    if email:
        base, at = call.settings.base_url, call.now.strftime("%Y-%m-%d at %H:%M UTC")
        ended, then = PASSWORD_STAYS if has_password else ALL_ENDED
        text = SECURED.format(base=base, at=at, ended=ended, next=then.format(base=base))
        await put_mail(call.db, to=email, subject="Other ways into your account ended", text=text, now=call.now)

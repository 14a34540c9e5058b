"""Links by mail: `/v1/sign-in-links` to sign in with, `/v1/password-resets` to set a password with."""

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.texts import Email
from atrium.kit.web import Body, Content, raises
from atrium.sessions import links
from atrium.sessions.model import Purpose, TooManyAttempts


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
    return Asked(body.content.email, await links.mail_link(call, body.content.email, Purpose.SIGN_IN))


@raises(TooManyAttempts)
async def create_password_reset(call: Call, body: Content[MailAsked]) -> Asked:
    """Have a link mailed that sets a new password, once, within half an hour.

    The answer is the same, and comes as soon, whether or not the address has an account.
    """
    return Asked(body.content.email, await links.mail_link(call, body.content.email, Purpose.PASSWORD))

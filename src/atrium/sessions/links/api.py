"""Emailed links: `/v1/sign-in-links` for signing in, `/v1/password-resets` for setting a password."""

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content
from atrium.kit.text.types import Email
from atrium.sessions.links import actions
from atrium.sessions.model import Purpose


class LinkRequest(Body):
    """The email address of the account."""

    email: Email


class LinkQueued(Struct, frozen=True):
    """The same whether or not the address has an account. If it has one, the email is queued."""

    email: str
    expires_in: int


async def create_sign_in_link(call: Call, body: Content[LinkRequest]) -> LinkQueued:
    """Email a sign-in link. It works once, within 30 minutes.

    The response and its timing are the same whether or not the address has an account.
    """
    return LinkQueued(body.content.email, await actions.mail_link(call, body.content.email, Purpose.SIGN_IN))


async def create_password_reset(call: Call, body: Content[LinkRequest]) -> LinkQueued:
    """Email a link to set a new password. It works once, within 30 minutes.

    The response and its timing are the same whether or not the address has an account.
    """
    return LinkQueued(body.content.email, await actions.mail_link(call, body.content.email, Purpose.PASSWORD))

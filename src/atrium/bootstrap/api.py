"""`/v1/set-up`: the first organization of an empty server, by the link that `atrium serve` prints."""

from dataclasses import replace

from msgspec import Struct

from atrium.bootstrap.actions import NewOrganization, SetUpRefused, is_empty, set_up_server
from atrium.bootstrap.token import forget_token, is_token
from atrium.keys.caller import Call
from atrium.kit.clock import Clock
from atrium.kit.http.origin import require_same_origin
from atrium.kit.http.request import Body, Content
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.postgres.database import Pool, connection
from atrium.kit.text.types import Email, Name
from atrium.sessions import throttle
from atrium.sessions.cookies import session_cookie
from atrium.sessions.model import NewPassword, Token
from atrium.sessions.passwords import hashing


class SetUpState(Struct, frozen=True):
    """The state of the server: whether it needs its first organization."""

    needed: bool


class SetUp(Body):
    """The setup token, the organization's name, and its first super_admin."""

    token: Token
    organization: Name
    name: Name
    email: Email
    password: NewPassword


async def read_set_up(call: Call) -> SetUpState:
    """Return whether this server has to be set up first."""
    return SetUpState(needed=await is_empty(call.db))


async def create_set_up(call: Call, body: Content[SetUp]) -> AfterCommit[WithHeaders[NewOrganization]]:
    """Set up an empty server: create its first organization, with you as super_admin, a space and a room.

    Send the token from the setup link that `atrium serve` prints while the server is empty. The token works once. The
    response sets a session cookie.
    """
    require_same_origin(call.headers, call.settings)
    await throttle.count_set_up(call.db, call.network, call.now)
    content = body.content

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[NewOrganization]:
        if not is_token(call.settings, content.token):
            raise SetUpRefused
        password_hash = await hashing.hash_password(content.password)
        async with connection(pool, writing=True) as db:
            created, token = await set_up_server(
                replace(call, db=db),
                organization=content.organization,
                name=content.name,
                email=content.email,
                password_hash=password_hash,
            )
        forget_token(call.settings)
        return WithHeaders(created, *session_cookie(token, call.settings))

    return AfterCommit(produce)

"""`/v1/me/password`: change the password; and reset it with a link."""

from dataclasses import replace

from msgspec import Struct

from atrium.keys.actions import revoke_personal_keys
from atrium.keys.caller import Call
from atrium.keys.limits import UNLIMITED, require_within_own
from atrium.keys.policy import require_session_under_policy
from atrium.kit.clock import Clock
from atrium.kit.http.origin import require_same_origin
from atrium.kit.http.request import Body, Content
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.postgres.database import Pool, connection
from atrium.sessions import actions, reach, throttle
from atrium.sessions.actions import sign_in_response
from atrium.sessions.model import NewPassword, Password, Purpose, SignedIn, Token, Way
from atrium.sessions.passwords import hashing
from atrium.sessions.passwords.actions import WrongPassword, change_password, reset_password


class PasswordUpdate(Body):
    """The new password, and the current one if the account has one."""

    password: NewPassword
    current_password: Password | None = None


class PasswordReset(Body):
    """The token of a password link, the new password, and whether to revoke your API keys too."""

    token: Token
    password: NewPassword
    revoke_keys: bool = False


class PasswordAnswer(Struct, frozen=True):
    """Confirmation that a password is set; it is never shown."""

    password_set: bool


async def put_password(call: Call, body: Content[PasswordUpdate]) -> AfterCommit[PasswordAnswer]:
    """Set or change your password; your other sessions are signed out.

    Wrong current passwords count towards the sign-in limit. An expiring key cannot set a first password, and no key can
    if one of your organizations has a key policy: sign in for that.
    """
    content = body.content
    account = await reach.account_of(call.db, call.caller.actor_id)
    if account is None:
        raise WrongPassword
    if account.hash is None:
        await require_within_own(call, UNLIMITED)
        await require_session_under_policy(call)
    else:
        await throttle.count_attempt(call.db, account.email or str(account.person_id), call.network, call.now)

    async def produce(pool: Pool, _clock: Clock) -> PasswordAnswer:
        if account.hash is not None and not await hashing.matches(account.hash, content.current_password or ""):
            raise WrongPassword
        fresh = await hashing.hash_password(content.password)
        async with connection(pool, writing=True) as db:
            await change_password(replace(call, db=db), account, fresh)
        return PasswordAnswer(password_set=True)

    return AfterCommit(produce)


async def confirm_password_reset(call: Call, body: Content[PasswordReset]) -> AfterCommit[WithHeaders[SignedIn]]:
    """Set a new password with the token of a link, which works once.

    Every session ends; the response sets the cookie of a new one. `revoke_keys` revokes your API keys too.
    """
    require_same_origin(call.headers, call.settings)
    await reach.require_link(call, body.content.token, Purpose.PASSWORD)

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[SignedIn]:
        fresh = await hashing.hash_password(body.content.password)
        async with connection(pool, writing=True) as db:
            present = replace(call, db=db)
            account, proven = await actions.redeem_link(present, body.content.token, Purpose.PASSWORD)
            await reset_password(present, account, fresh)
            if body.content.revoke_keys:
                await revoke_personal_keys(actions.as_owner(present, account))
            return await sign_in_response(present, account, Way.RESET, proven_email=proven)

    return AfterCommit(produce)

"""One's password: changed at `/v1/me/password`, set anew by a link, or set for the first time with an invitation."""

from dataclasses import replace

from msgspec import Struct

from atrium.audit.trail import Change, Target
from atrium.keys.api import revoke_personal_keys
from atrium.keys.caller import Call
from atrium.keys.expiry import require_outlives
from atrium.keys.tokens import hash_of
from atrium.kit.answers import Afterwards, Headed
from atrium.kit.clock import Clock
from atrium.kit.database import Pool, connection
from atrium.kit.errors import Forbidden
from atrium.kit.origin import ForgedRequest, require_same_origin
from atrium.kit.web import Body, Content, raises
from atrium.sessions import actions, mails, passwords, queries, throttle
from atrium.sessions.actions import Account, signed_in
from atrium.sessions.model import (
    LinkRefused,
    NewPassword,
    Password,
    Purpose,
    SignedIn,
    SignInRefused,
    Token,
    TooManyAttempts,
    Way,
)


class WrongPassword(Forbidden):
    """The present password is another one, or is missing."""

    code = "wrong_password"
    title = "The present password is wrong"


class PasswordUpdate(Body):
    """The new password, and the present one where there is one."""

    password: NewPassword
    current_password: Password | None = None


class PasswordReset(Body):
    """The token of a link that sets a password, the new password, and whether your API keys end too."""

    token: Token
    password: NewPassword
    revoke_keys: bool = False


class PasswordAnswer(Struct, frozen=True):
    """That a password is set. It is never shown."""

    password_set: bool


@raises(WrongPassword, TooManyAttempts)
async def put_password(call: Call, body: Content[PasswordUpdate]) -> Afterwards[PasswordAnswer]:
    """Set or change your password; your other browsers are signed out. Guesses at the present one are slowed down as
    those at sign-in are. A key that expires sets no first password, which would outlive it."""
    content = body.content
    account = await actions.account_of(call.db, call.caller.actor_id)
    if account is None:
        raise WrongPassword
    if account.hash is None:
        await require_outlives(call, None)
    else:
        await throttle.count_guess(call.db, account.email or str(account.person_id), call.address, call.now)

    async def get(pool: Pool, _clock: Clock) -> PasswordAnswer:
        if account.hash is not None and not await passwords.matches(account.hash, content.current_password or ""):
            raise WrongPassword
        fresh = await passwords.hash_password(content.password)
        async with connection(pool, writing=True) as db:
            await _change(replace(call, db=db), account, fresh)
        return PasswordAnswer(password_set=True)

    return Afterwards(get)


@raises(LinkRefused, SignInRefused, ForgedRequest)
async def confirm_password_reset(call: Call, body: Content[PasswordReset]) -> Afterwards[Headed[SignedIn]]:
    """Set a new password with the token of a link, which is used up. Every session ends, and the answer sets the cookie
    of a new one. With `revoke_keys` your API keys end too."""
    require_same_origin(call.headers, call.settings)
    link = (hash_of(body.content.token), Purpose.PASSWORD, call.now)
    if await call.db.fetchval(queries.LINK, *link) is None:
        raise LinkRefused

    async def get(pool: Pool, _clock: Clock) -> Headed[SignedIn]:
        fresh = await passwords.hash_password(body.content.password)
        async with connection(pool, writing=True) as db:
            present = replace(call, db=db)
            account = await actions.take_link(present, body.content.token, Purpose.PASSWORD)
            await reset_password(present, account, fresh)
            if body.content.revoke_keys:
                await revoke_personal_keys(actions.acting_as(present, account))
            return await signed_in(present, account, Way.RESET)

    return Afterwards(get)


async def reset_password(call: Call, account: Account, fresh: str) -> None:
    """The password is another one now; every session and every link by mail ends."""
    await actions.end_sessions(call.db, account.person_id, call.now)
    await call.db.execute(queries.SET_HASH, account.person_id, fresh, call.now)
    await call.db.execute(queries.END_LINKS, account.person_id, call.now)
    await throttle.forget_guesses(call.db, account.email or "")
    await mails.tell_of_change(call, account.email)


async def _change(call: Call, account: Account, fresh: str) -> None:
    """Raises WrongPassword where somebody else changed it meanwhile."""
    await actions.end_sessions(call.db, account.person_id, call.now, but=call.caller.api_key_id)
    if await call.db.fetchval(queries.HASH, account.person_id) != account.hash:
        raise WrongPassword
    await call.db.execute(queries.SET_HASH, account.person_id, fresh, call.now)
    await call.db.execute(queries.END_LINKS, account.person_id, call.now)
    if account.hash is not None:
        await throttle.guessed_right(call.db, account.email or str(account.person_id), call.address)
        await mails.tell_of_change(call, account.email)
    target = Target("person", account.person_id, account.name)
    await call.record(Change("password.changed", target))

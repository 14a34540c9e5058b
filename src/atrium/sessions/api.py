"""`/v1/sessions`: signing in and out; `/v1/me/sessions`: the caller's sessions."""

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.clock import Clock
from atrium.kit.http.origin import ForgedRequest, require_same_origin
from atrium.kit.http.request import Body, Content, Paging
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.http.route import raises
from atrium.kit.postgres.database import Pool, connection
from atrium.kit.text.types import Email
from atrium.sessions import actions, passwords, reach, throttle
from atrium.sessions.actions import signed_in
from atrium.sessions.cookies import no_session_cookie
from atrium.sessions.model import (
    LinkRefused,
    Password,
    Purpose,
    Session,
    SignedIn,
    SignInRefused,
    Token,
    TooManyAttempts,
    Way,
)
from atrium.sessions.reach import Account, SessionNotFound


class PasswordSignIn(Body):
    """The email address and the password."""

    email: Email
    password: Password


class LinkSignIn(Body):
    """The token of a sign-in link."""

    token: Token


class SessionList(Struct, frozen=True):
    """A page of the sessions that have not ended."""

    sessions: list[Session]
    next_cursor: str | None


class Ending(Struct):
    """The choice of the caller's sessions to end."""

    keep_current: Annotated[bool, Meta(description="keep the session of this request")] = False


@raises(SignInRefused, TooManyAttempts, ForgedRequest)
async def create_session(call: Call, body: Content[PasswordSignIn]) -> AfterCommit[WithHeaders[SignedIn]]:
    """Sign in with an email address and a password; the response sets the session cookie.

    An unknown address, a wrong password and a deactivated account get the same error. After five wrong passwords,
    further attempts are rejected for 30 seconds to an hour, even with the correct password. Sign-in links still work.
    Requests that set a session cookie must come from a page of this server (checked with `Sec-Fetch-Site`, else
    `Origin`).
    """
    require_same_origin(call.headers, call.settings)
    email, password = body.content.email, body.content.password
    await throttle.count_guess(call.db, email, call.address, call.now)
    account = await reach.account_with(call.db, email)

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[SignedIn]:
        right = await passwords.matches(account.hash if account else None, password)
        if account is None or not (right and account.active):
            await _refused(pool, call, email, account)
            raise SignInRefused
        return await _begin(pool, call, account, password)

    return AfterCommit(produce)


@raises(LinkRefused, SignInRefused, ForgedRequest)
async def create_session_by_link(call: Call, body: Content[LinkSignIn]) -> WithHeaders[SignedIn]:
    """Sign in with the token of a link, which works once. The response sets the session cookie."""
    require_same_origin(call.headers, call.settings)
    account = await actions.take_link(call, body.content.token, Purpose.SIGN_IN)
    await throttle.forget_guesses(call.db, account.email or "")
    return await signed_in(call, account, Way.LINK)


async def list_own_sessions(call: Call, query: Paging) -> SessionList:
    """List your active sessions, oldest first."""
    return SessionList(*await reach.list_own_sessions(call, query))


@raises(SessionNotFound)
async def end_own_session(call: Call, session_id: UUID) -> None:
    """End one of your sessions; that browser is signed out immediately."""
    await actions.end_session(call, session_id)


async def end_own_sessions(call: Call, query: Ending) -> None:
    """Sign out of all your sessions, or of all but the current one."""
    await actions.end_own_sessions(call, keep_current=query.keep_current)


@raises(SessionNotFound)
async def end_current_session(call: Call) -> WithHeaders[None]:
    """Sign out: end the session of this request and remove its cookie."""
    await actions.end_session(call, call.caller.api_key_id)
    return WithHeaders(None, *no_session_cookie(call.settings))


async def _begin(pool: Pool, call: Call, account: Account, password: str) -> WithHeaders[SignedIn]:
    fresh = await passwords.hash_password(password) if passwords.is_outdated(account.hash or "") else None
    async with connection(pool, writing=True) as db:
        answer = await signed_in(replace(call, db=db), account, Way.PASSWORD)
        if fresh:
            await actions.replace_hash(db, account, fresh)
        await throttle.guessed_right(db, account.email or "", call.address)
    return answer


async def _refused(pool: Pool, call: Call, email: str, account: Account | None) -> None:
    async with connection(pool, writing=True) as db:
        await throttle.guessed_wrong(db, email, call.now)
        if account:
            await actions.note_refused(replace(call, db=db), account)

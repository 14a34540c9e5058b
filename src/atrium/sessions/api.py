"""`/v1/sessions`: signing in and out; `/v1/me/sessions`: the caller's sessions."""

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.clock import Clock
from atrium.kit.http.origin import require_same_origin
from atrium.kit.http.request import Body, Content, Paging
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.postgres.database import Pool, connection
from atrium.kit.text.types import Email
from atrium.sessions import actions, reach, throttle
from atrium.sessions.actions import sign_in_response
from atrium.sessions.cookies import expired_session_cookie
from atrium.sessions.model import Password, Purpose, Session, SignedIn, SignInRefused, Token, Way
from atrium.sessions.passwords import hashing
from atrium.sessions.reach import Account


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


class EndSessionsQuery(Struct):
    """The choice of the caller's sessions to end."""

    keep_current: Annotated[bool, Meta(description="keep the session of this request")] = False


async def create_session(call: Call, body: Content[PasswordSignIn]) -> AfterCommit[WithHeaders[SignedIn]]:
    """Sign in with an email address and a password; the response sets the session cookie.

    An unknown address, a wrong password and a deactivated account get the same error. After five wrong passwords,
    further attempts are rejected for 30 seconds to an hour, even with the correct password. Sign-in links still work.
    Requests that set a session cookie must come from a page of this server (checked with `Sec-Fetch-Site`, else
    `Origin`).
    """
    require_same_origin(call.headers, call.settings)
    email, password = body.content.email, body.content.password
    await throttle.count_attempt(call.db, email, call.network, call.now)
    account = await reach.account_with(call.db, email)

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[SignedIn]:
        matches = await hashing.matches(account.hash if account else None, password)
        if account is None or not (matches and account.active):
            await _record_failure(pool, call, email, account)
            raise SignInRefused
        return await _create_session(pool, call, account, password)

    return AfterCommit(produce)


async def create_session_by_link(call: Call, body: Content[LinkSignIn]) -> WithHeaders[SignedIn]:
    """Sign in with the token of a link, which works once. The response sets the session cookie."""
    require_same_origin(call.headers, call.settings)
    account, proven = await actions.redeem_link(call, body.content.token, Purpose.SIGN_IN)
    await throttle.reset_attempts(call.db, account.email or "")
    return await sign_in_response(call, account, Way.LINK, proven_email=proven)


async def list_own_sessions(call: Call, query: Paging) -> SessionList:
    """List your active sessions, oldest first."""
    return SessionList(*await reach.list_own_sessions(call, query))


async def end_own_session(call: Call, session_id: UUID) -> None:
    """End one of your sessions; that browser is signed out immediately."""
    await actions.end_session(call, session_id)


async def end_own_sessions(call: Call, query: EndSessionsQuery) -> None:
    """Sign out of all your sessions, or of all but the current one."""
    await actions.end_own_sessions(call, keep_current=query.keep_current)


async def end_current_session(call: Call) -> WithHeaders[None]:
    """Sign out: end the session of this request and remove its cookie."""
    await actions.end_session(call, call.caller.api_key_id)
    return WithHeaders(None, *expired_session_cookie(call.settings))


async def _create_session(pool: Pool, call: Call, account: Account, password: str) -> WithHeaders[SignedIn]:
    fresh = await hashing.hash_password(password) if hashing.is_outdated(account.hash or "") else None
    async with connection(pool, writing=True) as db:
        answer = await sign_in_response(replace(call, db=db), account, Way.PASSWORD)
        if fresh:
            await actions.replace_hash(db, account, fresh)
        await throttle.record_success(db, account.email or "", call.network)
    return answer


async def _record_failure(pool: Pool, call: Call, email: str, account: Account | None) -> None:
    async with connection(pool, writing=True) as db:
        await throttle.record_failure(db, email, call.now)
        if account:
            await actions.record_failed_sign_in(replace(call, db=db), account)

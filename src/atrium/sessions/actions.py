"""Create, end and delete sessions."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys import tokens
from atrium.keys.caller import ActorKind, Call, Caller
from atrium.kit.http.request import SESSION_PREFIX
from atrium.kit.http.responses import WithHeaders
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection, Pool, connection
from atrium.kit.text.types import ApiKeyId
from atrium.organizations import adoption
from atrium.people.reach import profile_of
from atrium.sessions import mails, queries
from atrium.sessions.cookies import session_cookie
from atrium.sessions.model import MAX_USER_AGENT_LENGTH, LinkRefused, Purpose, Session, SignedIn, SignInRefused, Way
from atrium.sessions.reach import Account, account_of, own_session

RETENTION = timedelta(days=30)


class NewSession(NamedTuple):
    """A new session with its token, which is shown only here."""

    session: Session
    token: str


class Redeemed(NamedTuple):
    """The account of a link, and its address if the link proved it."""

    account: Account
    proven_email: str | None


async def redeem_link(call: Call, token: str, purpose: Purpose) -> Redeemed:
    """Redeem a link. Raise LinkRefused."""
    link = (tokens.hash_of(token), purpose, call.now)
    person_id = await call.db.fetchval(queries.LINK, *link)
    await call.db.execute(queries.LOCK_PERSON, person_id)  # first, in the order of what ends links
    taken = await call.db.fetchrow(queries.REDEEM_LINK, *link)
    if taken and taken["proves_mailbox"]:
        await reopen(call, person_id)
    account = await account_of(call.db, person_id) if taken else None
    if taken is None or account is None or not account.active:
        raise LinkRefused
    return Redeemed(account, account.email if taken["proves_mailbox"] else None)


async def reopen(call: Call, person_id: UUID) -> bool:
    """Let the owner who verified the address of an account that works nowhere join the organization that added it.
    Return whether there is one."""
    is_reopened = await adoption.reopen(call.db, person_id, call.now)
    if is_reopened:
        await record_adoption(call, await account_of(call.db, person_id))
    return is_reopened


async def adopt(call: Call, person_id: UUID) -> None:
    """Hand the account over to the person who verified its email address, unless it was verified before."""
    if not await reopen(call, person_id) and await adoption.adopt(call.db, person_id, call.now):
        await record_adoption(call, await account_of(call.db, person_id))


async def record_adoption(call: Call, account: Account | None) -> None:
    """Record that the account's former credentials were revoked, and notify its owner."""
    if account:
        await as_owner(call, account).record(
            Change("account.adopted", Target("person", account.person_id, account.name))
        )
        await mails.notify_adopted(call, account.email)


async def record_credentials_revoked(call: Call, account: Account) -> None:
    """Record that the other credentials of an unverified account were revoked when it joined, and notify its owner."""
    change = Change("account.secured", Target("person", account.person_id, account.name))
    await as_owner(call, account).record(change)
    await mails.notify_credentials_revoked(call, account.email, has_password=account.hash is not None)


async def create_session(call: Call, account: Account, way: Way, *, proven_email: str | None = None) -> NewSession:
    """Create a session for the browser of this request. `proven_email`: the account's address, if signing in proved it.
    Raise SignInRefused for a deactivated account."""
    await call.db.execute(queries.RECORD_SIGN_IN, account.person_id, call.now)
    current = await account_of(call.db, account.person_id)
    if current is None or not current.active or (way is Way.PASSWORD and current.hash != account.hash):
        raise SignInRefused
    token, session_id = tokens.mint(SESSION_PREFIX), ApiKeyId(new_id(call.now))
    key = (tokens.hash_of(token), token[-4:], call.now, call.now + call.settings.session_lifetime)
    await call.db.execute(queries.ADD_KEY, session_id, account.person_id, *key)
    agent = call.headers.get(b"user-agent", b"").decode("latin-1").replace("\x00", "")[:MAX_USER_AGENT_LENGTH]
    await call.db.execute(queries.ADD_SESSION, session_id, agent, call.address, way, proven_email)
    owner = as_owner(call, account, session_id)
    if way is not Way.INVITATION:  # which has its own audit entry
        action = "password.reset" if way is Way.RESET else "session.begun"
        await owner.record(Change(action, Target("session", session_id, agent), after={"signed_in_by": way}))
    return NewSession(await own_session(owner, session_id), token)


async def sign_in_response(
    call: Call, account: Account, way: Way, *, proven_email: str | None = None
) -> WithHeaders[SignedIn]:
    """Create a session and return the response that sets its cookie. Raise SignInRefused."""
    created = await create_session(call, account, way, proven_email=proven_email)
    profile = await profile_of(call.db, account.person_id)
    return WithHeaders(SignedIn(created.session, profile), *session_cookie(created.token, call.settings))


async def end_session(call: Call, session_id: UUID) -> None:
    """End a session immediately, on every process. Raise SessionNotFound."""
    ended = await own_session(call, session_id)
    await call.db.execute(queries.END_SESSION, call.caller.actor_id, session_id, call.now)
    target = Target("session", session_id, ended.user_agent)
    await call.record(Change("session.ended", target, before={"signed_in_by": ended.signed_in_by}))


async def end_own_sessions(call: Call, *, keep_current: bool) -> None:
    """End the caller's sessions, or all but the one of this request."""
    current = call.caller.api_key_id if keep_current else None
    await end_sessions(call.db, call.caller.actor_id, call.now, but=current)
    target = Target("person", call.caller.actor_id, call.caller.name)
    await call.record(Change("sessions.ended", target, after={"keep_current": keep_current}))


async def end_sessions(db: Connection, person_id: UUID, now: datetime, *, but: UUID | None = None) -> None:
    """End all sessions of a person immediately, on every process, except `but`."""
    await db.execute(queries.LOCK_PERSON, person_id)
    await db.execute(queries.END_SESSIONS, person_id, now, but)


def as_owner(call: Call, account: Account, key_id: ApiKeyId | None = None) -> Call:
    """Return the call with the account's owner as the caller."""
    owner = Caller(account.person_id, ActorKind.PERSON, account.name, key_id or call.caller.api_key_id)
    return replace(call, caller=owner)


async def record_failed_sign_in(call: Call, account: Account) -> None:
    """Record that a sign-in to the account failed."""
    await as_owner(call, account).record(Change("sign_in.refused", Target("person", account.person_id, account.name)))


async def delete_old_sessions(pool: Pool, now: datetime) -> None:
    """Delete ended sessions and links after 30 days, and counts of attempts after one."""
    await pool.execute(queries.DELETE_OLD_ATTEMPTS, now - timedelta(days=1))
    await pool.execute(queries.DELETE_OLD_STATES, now)
    await pool.execute(queries.DELETE_OLD_LINKS, now - RETENTION)
    await pool.execute(queries.DELETE_OLD_SESSIONS, now - RETENTION)


async def replace_hash(db: Connection, account: Account, fresh: str) -> None:
    """Replace the password hash if it is still the account's."""
    await db.execute(queries.REPLACE_HASH, account.person_id, account.hash or "", fresh)


async def consume_state(pool: Pool, state: str, until: datetime) -> bool:
    """Consume the state of a sign-in through the provider. Return False if it was used before."""
    async with connection(pool, writing=True) as db:
        return bool(await db.fetchval(queries.CONSUME_STATE, tokens.hash_of(state), until))

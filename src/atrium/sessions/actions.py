"""Begin and end sessions, and remove old ones."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys import tokens
from atrium.keys.caller import ActorKind, Call, Caller
from atrium.kit.answers import Headed
from atrium.kit.database import Connection, Pool, connection
from atrium.kit.ids import new_id
from atrium.kit.texts import ApiKeyId
from atrium.organizations import adoption
from atrium.people.reach import profile_of
from atrium.sessions import mails, queries
from atrium.sessions.cookies import session_cookie
from atrium.sessions.model import LONGEST_USER_AGENT, LinkRefused, Purpose, Session, SignedIn, SignInRefused, Way
from atrium.sessions.reach import Account, account_of, own_session

KEPT = timedelta(days=30)


class Begun(NamedTuple):
    """A session just made: the only time that its token is seen."""

    session: Session
    token: str


async def take_link(call: Call, token: str, purpose: Purpose) -> Account:
    """Whose link it is, which is used up by this. Raises LinkRefused."""
    link = (tokens.hash_of(token), purpose, call.now)
    person_id = await call.db.fetchval(queries.LINK, *link)
    await call.db.execute(queries.LOCK_PERSON, person_id)  # first of all, as whoever ends his links does
    taken = await call.db.fetchrow(queries.TAKE_LINK, *link)
    if taken and taken["proves_mailbox"] and await adoption.is_awaited(call.db, person_id):
        await adopt(call, person_id)
    account = await account_of(call.db, person_id) if taken else None
    if account is None or not account.active:
        raise LinkRefused
    return account


async def adopt(call: Call, person_id: UUID) -> None:
    """Give the account to whoever has just proven its mailbox, if nobody had before."""
    if await adoption.adopt(call.db, person_id, call.now):
        await note_adopted(call, await account_of(call.db, person_id))


async def note_adopted(call: Call, account: Account | None) -> None:
    """Tell the audit trail and the owner that the account's former credentials ended."""
    if account:
        await acting_as(call, account).record(
            Change("account.adopted", Target("person", account.person_id, account.name))
        )
        await mails.notify_of_adoption(call, account.email)


async def note_secured(call: Call, account: Account) -> None:
    """Tell the audit trail and the owner that an account joined without what else opened it; nothing was proven."""
    change = Change("account.secured", Target("person", account.person_id, account.name))
    await acting_as(call, account).record(change)
    await mails.tell_of_securing(call, account.email, has_password=account.hash is not None)


async def begin_session(call: Call, account: Account, way: Way) -> Begun:
    """Sign somebody in with the browser of this request. Raises SignInRefused for a deactivated account."""
    await call.db.execute(queries.NOTE_SIGN_IN, account.person_id, call.now)
    present = await account_of(call.db, account.person_id)
    if present is None or not present.active or (way is Way.PASSWORD and present.hash != account.hash):
        raise SignInRefused
    token, session_id = tokens.mint(tokens.SESSION_PREFIX), ApiKeyId(new_id(call.now))
    key = (tokens.hash_of(token), token[-4:], call.now, call.now + call.settings.session_lifetime)
    await call.db.execute(queries.ADD_KEY, session_id, account.person_id, *key)
    agent = call.headers.get(b"user-agent", b"").decode("latin-1").replace("\x00", "")[:LONGEST_USER_AGENT]
    await call.db.execute(queries.ADD_SESSION, session_id, agent, call.address, way)
    owner = acting_as(call, account, session_id)
    if way is not Way.INVITATION:  # of which the audit trail is told as such
        action = "password.reset" if way is Way.RESET else "session.begun"
        await owner.record(Change(action, Target("session", session_id, agent), after={"signed_in_by": way}))
    return Begun(await own_session(owner, session_id), token)


async def signed_in(call: Call, account: Account, way: Way) -> Headed[SignedIn]:
    """The answer to whoever has just proven who he is: a session, in a cookie. Raises SignInRefused."""
    begun = await begin_session(call, account, way)
    profile = await profile_of(call.db, account.person_id)
    return Headed(SignedIn(begun.session, profile), *session_cookie(begun.token, call.settings))


async def end_session(call: Call, session_id: UUID) -> None:
    """The session stops at once, on every process. Raises SessionNotFound."""
    ended = await own_session(call, session_id)
    await call.db.execute(queries.END_SESSION, call.caller.actor_id, session_id, call.now)
    target = Target("session", session_id, ended.user_agent)
    await call.record(Change("session.ended", target, before={"signed_in_by": ended.signed_in_by}))


async def end_own_sessions(call: Call, *, keep_current: bool) -> None:
    """End the caller's sessions, or all but the one of this request."""
    kept = call.caller.api_key_id if keep_current else None
    await end_sessions(call.db, call.caller.actor_id, call.now, but=kept)
    target = Target("person", call.caller.actor_id, call.caller.name)
    await call.record(Change("sessions.ended", target, after={"keep_current": keep_current}))


async def end_sessions(db: Connection, person_id: UUID, now: datetime, *, but: UUID | None = None) -> None:
    """All sessions of a person stop at once, on every process; `but` one where it is given."""
    await db.execute(queries.LOCK_PERSON, person_id)
    await db.execute(queries.END_SESSIONS, person_id, now, but)


def acting_as(call: Call, account: Account, key_id: ApiKeyId | None = None) -> Call:
    """The call, as the account's owner makes it: he has just proven, or is taken, to be the one who calls."""
    owner = Caller(account.person_id, ActorKind.PERSON, account.name, key_id or call.caller.api_key_id)
    return replace(call, caller=owner)


async def note_refused(call: Call, account: Account) -> None:
    """Tell the audit trail that a sign-in to the account was refused."""
    await acting_as(call, account).record(Change("sign_in.refused", Target("person", account.person_id, account.name)))


async def forget_old(pool: Pool, now: datetime) -> None:
    """Drop what is past its time: ended sessions and links after thirty days, counts of attempts after one."""
    await pool.execute(queries.FORGET_OLD_ATTEMPTS, now - timedelta(days=1))
    await pool.execute(queries.FORGET_OLD_STATES, now)
    await pool.execute(queries.FORGET_OLD_LINKS, now - KEPT)
    await pool.execute(queries.FORGET_OLD_SESSIONS, now - KEPT)


async def replace_hash(db: Connection, account: Account, fresh: str) -> None:
    """Replace the password hash if it is still the account's."""
    await db.execute(queries.REPLACE_HASH, account.person_id, account.hash or "", fresh)


async def spend_state(pool: Pool, state: str, until: datetime) -> bool:
    """Return whether the state of a round trip to the provider is used for the first time."""
    async with connection(pool, writing=True) as db:
        return bool(await db.fetchval(queries.SPEND_STATE, tokens.hash_of(state), until))

"""Fetch accounts, the caller's sessions, and emailed links."""

from typing import NamedTuple
from uuid import UUID

from atrium.keys.caller import Call
from atrium.keys.tokens import hash_of
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import ActorId
from atrium.sessions import queries
from atrium.sessions.model import LinkRefused, Purpose, Session


class SessionNotFound(NotFound):
    """The session does not exist or has ended."""

    code = "session_not_found"
    title = "Session not found"


class Account(NamedTuple):
    """A person who may sign in, with the hash of their password; `active` while they belong to an organization."""

    person_id: ActorId
    name: str
    email: str | None
    hash: str | None
    active: bool


async def account_with(db: Connection, email: str) -> Account | None:
    """Return the account with that address, active or not."""
    return _account(await db.fetchrow(queries.ACCOUNT, email))


async def account_of(db: Connection, person_id: UUID) -> Account | None:
    """Return the account of that person, active or not."""
    return _account(await db.fetchrow(queries.ACCOUNT_OF, person_id))


def _account(row: Record | None) -> Account | None:
    return None if row is None else Account(*row)


async def own_session(call: Call, session_id: UUID) -> Session:
    """Return the caller's session with that id. Raise SessionNotFound."""
    caller = call.caller
    row = await call.db.fetchrow(queries.SESSION, caller.actor_id, call.now, caller.api_key_id, session_id)
    if row is None:
        raise SessionNotFound
    return as_struct(row, Session)


async def list_own_sessions(call: Call, paging: Paging) -> ListPage[Session]:
    """Return a page of the caller's sessions, oldest first."""
    caller = call.caller
    rows = await call.db.fetch(
        queries.SESSIONS, caller.actor_id, call.now, caller.api_key_id, after(paging.cursor), paging.limit + 1
    )
    page, cursor = paginate(rows, paging.limit, lambda row: row["session_id"])
    return as_structs(page, Session), cursor


async def require_link(call: Call, token: str, purpose: Purpose) -> None:
    """Raise LinkRefused unless the token belongs to a valid link."""
    if await call.db.fetchval(queries.LINK, hash_of(token), purpose, call.now) is None:
        raise LinkRefused

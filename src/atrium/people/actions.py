"""What is done to people: added, given a link to sign in."""

import secrets
from datetime import datetime, timedelta

from atrium.keys.tokens import hash_of
from atrium.kit.database import Connection
from atrium.kit.ids import new_id
from atrium.kit.texts import ActorId
from atrium.people import queries

SIGN_IN_LINK_LASTS = timedelta(days=7)


async def add_person(db: Connection, *, name: str, email: str | None, now: datetime, proven: bool = False) -> ActorId:
    """A new person, who belongs to no organization yet; `proven` where they have shown that they read that mailbox."""
    person_id = ActorId(new_id(now))
    await db.execute(queries.ADD_ACTOR, person_id, "person", name, now)
    await db.execute(queries.ADD_PERSON, person_id, email, now if proven else None)
    return person_id


async def make_sign_in_link(db: Connection, person_id: ActorId, *, base_url: str, now: datetime) -> str:
    """A link that signs the person in, once, within seven days."""
    token = secrets.token_urlsafe(32)
    await db.execute(queries.ADD_SIGN_IN_LINK, hash_of(token), person_id, now, now + SIGN_IN_LINK_LASTS)
    return f"{base_url}/sign-in#token={token}"

"""Add people, update profiles and create sign-in links."""

import secrets
from datetime import datetime, timedelta

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.keys.tokens import hash_of
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId
from atrium.people import queries
from atrium.people.model import Profile
from atrium.people.reach import profile_of

SIGN_IN_LINK_LIFETIME = timedelta(days=7)


async def add_person(db: Connection, *, name: str, email: str | None, now: datetime, proven: bool = False) -> ActorId:
    """Add a person without an organization. `proven`: whether the email address is verified."""
    person_id = ActorId(new_id(now))
    await db.execute(queries.ADD_ACTOR, person_id, name, now)
    await db.execute(queries.ADD_PERSON, person_id, email, now if proven else None)
    return person_id


async def make_sign_in_link(db: Connection, person_id: ActorId, *, base_url: str, now: datetime) -> str:
    """Create a sign-in link. It works once, within seven days."""
    token = secrets.token_urlsafe(32)
    await db.execute(queries.ADD_SIGN_IN_LINK, hash_of(token), person_id, now, now + SIGN_IN_LINK_LIFETIME)
    return f"{base_url}/sign-in#token={token}"


async def update_profile(call: Call, *, name: str) -> Profile:
    """Change the caller's name."""
    before = await profile_of(call.db, call.caller.actor_id)
    await call.db.execute(queries.RENAME, call.caller.actor_id, name)
    updated = await profile_of(call.db, call.caller.actor_id)
    target = Target("person", updated.person_id, before.name)
    await call.record(Change("profile.updated", target, before=before, after=updated))
    return updated

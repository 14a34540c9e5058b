"""`/v1/me/integrations`: a person's own keys."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys import actions, queries
from atrium.keys.actions import ApiKeyNotFound, TooManyKeys
from atrium.keys.caller import Call
from atrium.keys.expiry import ApiKeyExpired, KeyRotation, expiry_of_own_key, renewed_expiry, require_outlives
from atrium.keys.tokens import PERSONAL_PREFIX
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_struct, as_structs
from atrium.kit.texts import ApiKeyId, Name, Timestamp
from atrium.kit.web import Body, Content, Paging, body_optional, raises, shows_once


class PersonalKey(Struct, frozen=True):
    """A personal key's record; the key itself is never in it."""

    api_key_id: ApiKeyId
    name: Annotated[str, Meta(examples=["Laptop"])]
    last_four: Annotated[str, Meta(description="the key's last characters", examples=["x7Qa"])]
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]


class PersonalKeyList(Struct, frozen=True):
    """A page of one's own keys."""

    integrations: list[PersonalKey]
    next_cursor: str | None


class PersonalKeyCreate(Body):
    """A personal key to make."""

    name: Name
    expires_at: Timestamp | None = None


class ShownPersonalKey(Struct, frozen=True):
    """A personal key's record with the key, shown this once."""

    api_key: PersonalKey
    key: Annotated[str, Meta(examples=["atrp_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"])]


async def list_own_keys(call: Call, query: Paging) -> PersonalKeyList:
    """List your own API keys, oldest first; the keys themselves are never shown again."""
    rows = await call.db.fetch(queries.PERSONAL_KEYS, call.caller.actor_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["api_key_id"])
    return PersonalKeyList(as_structs(page, PersonalKey), cursor)


@shows_once("api_key", "api_key", "api_key_id")
@raises(TooManyKeys)
async def create_own_key(call: Call, body: Content[PersonalKeyCreate]) -> ShownPersonalKey:
    """Make an API key that acts as yourself. It is shown in this answer and never again.

    Made with a key that expires, it expires no later. You have at most 50 keys.
    """
    content, owner = body.content, call.caller.actor_id
    await actions.require_room_for_key(call.db, owner)
    issued = await actions.issue_key(
        call.db, prefix=PERSONAL_PREFIX, owner=owner, name=content.name, created_by=owner, now=call.now,
        expires_at=await expiry_of_own_key(call, content.expires_at),
    )  # fmt: skip
    made = await own_key(call, issued.api_key_id)
    await call.record(Change("personal_key.created", _target(made), after=made))
    return ShownPersonalKey(made, issued.key)


@raises(ApiKeyNotFound)
async def revoke_own_key(call: Call, api_key_id: UUID) -> None:
    """Revoke one of your keys: it stops working at once."""
    found = await own_key(call, api_key_id)
    await actions.revoke_key(call.db, found.api_key_id, now=call.now)
    await call.record(Change("personal_key.revoked", _target(found), before=found))


async def revoke_personal_keys(call: Call) -> None:
    """All of the caller's keys stop working at once; sessions go on."""
    for row in await call.db.fetch(queries.REVOKE_PERSONAL_KEYS, call.caller.actor_id, call.now):
        await call.record(Change("personal_key.revoked", Target("personal_key", row["api_key_id"], row["name"])))


@shows_once("api_key", "api_key", "api_key_id")
@raises(ApiKeyNotFound, ApiKeyExpired)
@body_optional
async def rotate_own_key(call: Call, api_key_id: UUID, body: Content[KeyRotation]) -> ShownPersonalKey:
    """Replace one of your keys: the new one is shown once, the old one stops working at once.

    A key that has expired is renewed with a new `expires_at`. A key that expires gets none that lives longer.
    """
    found = await own_key(call, api_key_id)
    expires_at = renewed_expiry(found.expires_at, body.content.expires_at, call.now)
    await require_outlives(call, expires_at)
    key = await actions.rotate_key(call.db, found.api_key_id, prefix=PERSONAL_PREFIX, expires_at=expires_at)
    rotated = await own_key(call, api_key_id)
    await call.record(Change("personal_key.rotated", _target(found), before=found, after=rotated))
    return ShownPersonalKey(rotated, key)


async def own_key(call: Call, api_key_id: UUID) -> PersonalKey:
    """The caller's key of that id. Raises ApiKeyNotFound."""
    row = await call.db.fetchrow(queries.PERSONAL_KEY, call.caller.actor_id, api_key_id)
    if row is None:
        raise ApiKeyNotFound
    return as_struct(row, PersonalKey)


def _target(key: PersonalKey) -> Target:
    return Target("personal_key", key.api_key_id, key.name)

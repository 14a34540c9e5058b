"""What is done to a key: issued, rotated, revoked. Each holds for every request that starts after it was answered."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.keys import queries, tokens
from atrium.kit.database import Connection
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.ids import new_id
from atrium.kit.texts import ActorId, ApiKeyId

MAX_PERSONAL_KEYS = 50


class ApiKeyNotFound(NotFound):
    """There is no such key, or none that the caller manages; revoked keys are gone too."""

    code = "api_key_not_found"
    title = "There is no such API key"


class TooManyKeys(Conflict):
    """A person has at most 50 keys: revoke one that is not needed any more."""

    code = "too_many_keys"
    title = "There are too many keys"


class IssuedKey(NamedTuple):
    """A key just made: the only time that it is seen."""

    api_key_id: ApiKeyId
    key: str


async def issue_key(
    db: Connection, *, prefix: str, owner: ActorId, name: str, created_by: UUID | None, now: datetime,
    expires_at: datetime | None = None,
) -> IssuedKey:  # fmt: skip
    """A new key that acts as `owner`."""
    key, api_key_id = tokens.mint(prefix), ApiKeyId(new_id(now))
    hashed, last_four = tokens.hash_of(key), key[-4:]
    await db.execute(queries.ADD, api_key_id, owner, name, hashed, last_four, created_by, now, expires_at)
    return IssuedKey(api_key_id, key)


async def rotate_key(db: Connection, api_key_id: ApiKeyId, *, prefix: str, expires_at: datetime | None) -> str:
    """A new key in place of the old, which stops working at once."""
    key = tokens.mint(prefix)
    if await db.execute(queries.REPLACE, api_key_id, tokens.hash_of(key), key[-4:], expires_at) != "UPDATE 1":
        raise ApiKeyNotFound
    return key


async def revoke_key(db: Connection, api_key_id: ApiKeyId, *, now: datetime) -> None:
    """The key stops working at once and for good."""
    if await db.execute(queries.REVOKE, api_key_id, now) != "UPDATE 1":
        raise ApiKeyNotFound


async def set_expiry(db: Connection, api_key_id: ApiKeyId, *, expires_at: datetime | None) -> None:
    """The key works until then from now on; without a time, without an end."""
    await db.execute(queries.SET_EXPIRY, api_key_id, expires_at)


async def require_room_for_key(db: Connection, person_id: UUID) -> None:
    """Raise TooManyKeys where the person has as many keys as a person may have. Their row stays locked."""
    await db.execute(queries.LOCK_PERSON, person_id)
    if await db.fetchval(queries.COUNT_PERSONAL_KEYS, person_id) >= MAX_PERSONAL_KEYS:
        raise TooManyKeys(f"A person has at most {MAX_PERSONAL_KEYS} keys. Revoke one that is not needed any more.")

"""What is done to a key: issued, rotated, revoked. Each holds for every request that starts after it was answered."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.keys import queries, tokens
from atrium.kit.clock import parse_time
from atrium.kit.database import Connection
from atrium.kit.errors import NotFound, invalid_field
from atrium.kit.ids import new_id
from atrium.kit.texts import ActorId, ApiKeyId


class ApiKeyNotFound(NotFound):
    """There is no such key, or none that the caller manages; revoked keys are gone too."""

    code = "api_key_not_found"
    title = "There is no such API key"


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


async def rotate_key(db: Connection, api_key_id: ApiKeyId, *, prefix: str) -> str:
    """A new key in place of the old, which stops working at once."""
    key = tokens.mint(prefix)
    if await db.execute(queries.REPLACE, api_key_id, tokens.hash_of(key), key[-4:]) != "UPDATE 1":
        raise ApiKeyNotFound
    return key


async def revoke_key(db: Connection, api_key_id: ApiKeyId, *, now: datetime) -> None:
    """The key stops working at once and for good."""
    if await db.execute(queries.REVOKE, api_key_id, now) != "UPDATE 1":
        raise ApiKeyNotFound


def expiry(text: str | None, now: datetime) -> datetime | None:
    """Read `expires_at` of a body. Raises InvalidRequest for no time, or one that has passed."""
    if text is None:
        return None
    try:
        at = parse_time(text)
    except ValueError:
        raise invalid_field("/content/expires_at", "is not an ISO 8601 time") from None
    if at <= now:
        raise invalid_field("/content/expires_at", "has passed")
    return at

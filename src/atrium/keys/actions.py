"""Create, rotate and revoke keys. Each change applies to every request that starts after its response."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET

from atrium.audit.trail import Change, Target
from atrium.keys import queries, tokens
from atrium.keys.caller import Call
from atrium.keys.limits import (
    UNLIMITED,
    ExpiryField,
    KeyLimits,
    extends,
    limits_of_own_key,
    require_within_own,
    rotated_expiry,
    updated_limits,
)
from atrium.keys.model import PersonalKey, PersonalKeyCreate, PersonalKeyUpdate, ShownPersonalKey
from atrium.keys.policy import require_allowed
from atrium.keys.reach import ApiKeyNotFound, find_personal_key
from atrium.kit.errors import Conflict
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId, ApiKeyId

MAX_KEYS = 50


class TooManyKeys(Conflict):
    """A person or integration has at most 50 keys. Revoke one that you no longer need."""

    code = "too_many_keys"
    title = "Too many keys"


class IssuedKey(NamedTuple):
    """A new key, which is shown only here."""

    api_key_id: ApiKeyId
    key: str


async def issue_key(
    db: Connection,
    *,
    prefix: str,
    owner: ActorId,
    name: str,
    created_by: UUID | None,
    now: datetime,
    limits: KeyLimits = UNLIMITED,
) -> IssuedKey:
    """Issue a key that acts as `owner`."""
    key, api_key_id = tokens.mint(prefix), ApiKeyId(new_id(now))
    hashed, last_four = tokens.hash_of(key), key[-4:]
    await db.execute(queries.ADD, api_key_id, owner, name, hashed, last_four, created_by, now, *limits)
    return IssuedKey(api_key_id, key)


async def rotate_key(
    db: Connection, api_key_id: ApiKeyId, *, prefix: str, expires_at: datetime | None, now: datetime
) -> str:
    """Replace a key; the old one stops working immediately. Raise ApiKeyNotFound."""
    key = tokens.mint(prefix)
    if await db.execute(queries.REPLACE, api_key_id, tokens.hash_of(key), key[-4:], expires_at, now) != "UPDATE 1":
        raise ApiKeyNotFound
    return key


async def revoke_key(db: Connection, api_key_id: ApiKeyId, *, now: datetime) -> None:
    """Revoke a key; it stops working immediately. Raise ApiKeyNotFound."""
    if await db.execute(queries.REVOKE, api_key_id, now) != "UPDATE 1":
        raise ApiKeyNotFound


async def bar_key(db: Connection, api_key_id: ApiKeyId, organization_id: UUID) -> None:
    """Bar a personal key in one organization, immediately. Raise ApiKeyNotFound."""
    if await db.execute(queries.BAR, api_key_id, organization_id) != "UPDATE 1":
        raise ApiKeyNotFound


async def set_limits(db: Connection, api_key_id: ApiKeyId, limits: KeyLimits, now: datetime) -> None:
    """Set what a key may do, from where, and until when."""
    await db.execute(queries.SET_LIMITS, api_key_id, now, *limits)


async def require_below_key_limit(call: Call, owner_id: UUID) -> None:
    """Raise TooManyKeys if the person or integration has reached the limit. Lock the owner's row."""
    await call.lock(queries.LOCK_OWNER, owner_id)
    if await call.db.fetchval(queries.COUNT_KEYS, owner_id) >= MAX_KEYS:
        raise TooManyKeys(f"There are at most {MAX_KEYS} keys of one person or integration. Revoke one of them.")


async def create_personal_key(call: Call, owner_id: ActorId, content: PersonalKeyCreate) -> ShownPersonalKey:
    """Create a key that acts as a person. Raise TooManyKeys, InvalidRequest, KeyPolicyForbids."""
    await call.db.execute(queries.LOCK_POLICIES, owner_id)
    await require_below_key_limit(call, owner_id)
    issued = await issue_key(
        call.db,
        prefix=tokens.PERSONAL_PREFIX,
        owner=owner_id,
        name=content.name,
        created_by=call.origin.actor_id,
        now=call.now,
        limits=await limits_of_own_key(call, content),
    )
    await require_allowed(call.db, issued.api_key_id)
    created = await find_personal_key(call, owner_id, issued.api_key_id)
    await call.record(_change("personal_key.created", owner_id, created, after=created))
    return ShownPersonalKey(created, issued.key)


async def rotate_personal_key(
    call: Call, owner_id: ActorId, api_key_id: UUID, expires_at: ExpiryField
) -> ShownPersonalKey:
    """Replace a person's key; the old one stops working immediately. Raise ApiKeyNotFound, ApiKeyExpired, Forbidden,
    KeyPolicyForbids, InvalidRequest."""
    await call.db.execute(queries.LOCK_POLICIES, owner_id)
    await call.lock(queries.LOCK, api_key_id)
    found = await find_personal_key(call, owner_id, api_key_id)
    ends = rotated_expiry(found.expires_at, expires_at, call.now)
    await require_within_own(call, KeyLimits(ends, found.scopes, found.allowed_networks))
    key = await rotate_key(call.db, found.api_key_id, prefix=tokens.PERSONAL_PREFIX, expires_at=ends, now=call.now)
    await require_allowed(call.db, found.api_key_id)
    rotated = await find_personal_key(call, owner_id, api_key_id)
    await call.record(_change("personal_key.rotated", owner_id, found, before=found, after=rotated))
    return ShownPersonalKey(rotated, key)


async def update_personal_key(
    call: Call, owner_id: ActorId, api_key_id: UUID, content: PersonalKeyUpdate
) -> PersonalKey:
    """Change a key's name and expiry, and narrow its limits. Raise ApiKeyNotFound, ApiKeyExpired, Forbidden,
    KeyPolicyForbids, InvalidRequest."""
    await call.db.execute(queries.LOCK_POLICIES, owner_id)
    await call.lock(queries.LOCK, api_key_id)
    found = await find_personal_key(call, owner_id, api_key_id)
    if content.name is not UNSET:
        await call.db.execute(queries.RENAME, found.api_key_id, content.name)
    limits = updated_limits(found, content, call.now)
    if content.expires_at is not UNSET:
        await require_within_own(call, limits)
    await set_limits(call.db, found.api_key_id, limits, call.now)
    if extends(found.expires_at, limits.expires_at):
        await require_allowed(call.db, found.api_key_id)
    updated = await find_personal_key(call, owner_id, api_key_id)
    await call.record(_change("personal_key.updated", owner_id, found, before=found, after=updated))
    return updated


async def revoke_personal_key(call: Call, owner_id: ActorId, api_key_id: UUID) -> PersonalKey:
    """Revoke a person's key and return it. Raise ApiKeyNotFound."""
    await call.lock(queries.LOCK, api_key_id)
    found = await find_personal_key(call, owner_id, api_key_id)
    await revoke_key(call.db, found.api_key_id, now=call.now)
    await call.record(_change("personal_key.revoked", owner_id, found, before=found))
    return found


async def revoke_personal_keys(call: Call) -> None:
    """Revoke all keys of the caller; their sessions are kept."""
    for row in await call.db.fetch(queries.REVOKE_PERSONAL_KEYS, call.caller.actor_id, call.now):
        await call.record(Change("personal_key.revoked", Target("personal_key", row["api_key_id"], row["name"])))


def _change(
    action: str,
    owner_id: UUID,
    key: PersonalKey,
    *,
    before: PersonalKey | None = None,
    after: PersonalKey | None = None,
) -> Change:
    target = Target("personal_key", key.api_key_id, key.name)
    return Change(action, target, before=before, after=after, person_id=owner_id)

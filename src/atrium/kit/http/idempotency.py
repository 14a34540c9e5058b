"""`Idempotency-Key`: a repeated request gets the response of the first one, and nothing is created twice.

The record is written in the transaction of the request. The stored response is encrypted with a key derived from the
caller's API key, of which the database holds only a hash. A response that showed a key or a secret is not stored: the
repetition gets an error that names the resource.
"""

from codecs import BOM_UTF8
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec
from cryptography.fernet import InvalidToken

from atrium.kit.encryption import cipher
from atrium.kit.errors import Conflict, Made, Problem
from atrium.kit.postgres.database import Connection

RETENTION = timedelta(hours=24)

# Parameters: $1 scope_id, $2 actor_id, $3 route, $4 key, $5 body_hash, $6 created_at
# Returns: is_new (no row if the key is in use)
CLAIM = """
insert into idempotency_keys (scope_id, actor_id, route, key, body_hash, created_at)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning true as is_new
"""

# Parameters: $1 scope_id, $2 actor_id, $3 route, $4 key
# Returns: body_hash, status, answer (encrypted, or `Made` as JSON)
READ = """
select body_hash, status, answer from idempotency_keys
where scope_id = $1 and actor_id = $2 and route = $3 and key = $4
"""

# Parameters: $1 scope_id, $2 actor_id, $3 route, $4 key, $5 status, $6 answer (encrypted, or `Made` as JSON)
STORE = """
update idempotency_keys set status = $5, answer = $6
where scope_id = $1 and actor_id = $2 and route = $3 and key = $4
"""

# Parameters: $1 the earliest created_at to keep
DELETE_OLD = "delete from idempotency_keys where created_at < $1"


class IdempotencyMismatch(Problem):
    """The Idempotency-Key was used before, with another body."""

    status = 422
    code = "idempotency_mismatch"
    title = "The Idempotency-Key was used with another body"


class IdempotencyKeySealed(Conflict):
    """The Idempotency-Key was used with another API key of the same caller. Only that key can decrypt the response."""

    code = "idempotency_key_sealed"
    title = "The Idempotency-Key was used with another API key"


class AlreadyDone(Conflict):
    """The request was already processed with this Idempotency-Key. Its response showed a key or a secret, which is
    shown only once. `made` names the resource that it created or changed."""

    code = "already_done"
    title = "The request was already processed, and its key or secret is shown only once"


class IdempotencyKey(NamedTuple):
    """An idempotency key in its scope: the subject of the request, the caller and the route."""

    scope_id: UUID
    actor_id: UUID
    route: str
    key: str


class StoredResponse(NamedTuple):
    """The status and the JSON body of the first response."""

    status: int
    body: bytes


def hash_of_body(body: bytes) -> bytes:
    """Return the hash of a request body. JSON bodies that differ only in white space, escapes or the order of fields
    have the same hash; other bodies are hashed byte by byte (docs/contract.md#conventions)."""
    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        body = msgspec.json.encode(msgspec.json.decode(body.removeprefix(BOM_UTF8)), order="sorted")
    return sha256(body).digest()


async def claim(
    db: Connection, key: IdempotencyKey, *, body_hash: bytes, secret: str, now: datetime
) -> StoredResponse | None:
    """Claim the key for this request, or return the response that is stored for it.

    Wait for another request in progress with the same key. `secret` is the caller's API key.
    Raise IdempotencyMismatch, AlreadyDone, IdempotencyKeySealed.
    """
    if await db.fetchval(CLAIM, *key, body_hash, now):
        return None
    stored = await db.fetchrow(READ, *key)
    if stored is None or stored["body_hash"] != body_hash:
        raise IdempotencyMismatch
    if stored["status"] == AlreadyDone.status:
        made = msgspec.json.decode(stored["answer"], type=Made)
        raise AlreadyDone(f"It created or changed the {made.type} {made.id}.", made=made)
    try:
        return StoredResponse(stored["status"], cipher(_cipher_key(secret, key)).decrypt(stored["answer"]))
    except InvalidToken:
        raise IdempotencyKeySealed from None


async def store_response(db: Connection, key: IdempotencyKey, response: StoredResponse, *, secret: str) -> None:
    """Store the response of a claimed key. It must not contain a key or a secret."""
    await db.execute(STORE, *key, response.status, cipher(_cipher_key(secret, key)).encrypt(response.body))


async def store_created(db: Connection, key: IdempotencyKey, made: Made) -> None:
    """Store the id of the created or changed resource, in place of a response that showed a key or a secret."""
    await db.execute(STORE, *key, AlreadyDone.status, msgspec.json.encode(made))


def _cipher_key(secret: str, key: IdempotencyKey) -> str:
    return f"atrium idempotency\n{secret}\n{key.key}"

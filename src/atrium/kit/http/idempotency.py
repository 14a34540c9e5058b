"""`Idempotency-Key`: a create that is repeated answers what it answered first, and makes nothing twice.

The record is written in the transaction of what it stands for. The kept answer is sealed with a key made from the
bearer's API key, of which the database holds only a hash. An answer that showed a key or a secret is not kept: the
repetition is refused and names what was made.
"""

import base64
from codecs import BOM_UTF8
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from atrium.kit.errors import Conflict, Made, Problem
from atrium.kit.postgres.database import Connection

KEPT = timedelta(hours=24)

CLAIM = """
insert into idempotency_keys (scope_id, actor_id, route, key, body_hash, created_at)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning true
"""

SEEN = """
select body_hash, status, answer from idempotency_keys
where scope_id = $1 and actor_id = $2 and route = $3 and key = $4
"""

REMEMBER = """
update idempotency_keys set status = $5, answer = $6
where scope_id = $1 and actor_id = $2 and route = $3 and key = $4
"""

FORGET_OLD = "delete from idempotency_keys where created_at < $1"


class IdempotencyMismatch(Problem):
    """The Idempotency-Key was used before, with another body."""

    status = 422
    code = "idempotency_mismatch"
    title = "The Idempotency-Key was used with another body"


class IdempotencyKeySealed(Conflict):
    """The Idempotency-Key was used before under another API key of the same caller, which alone can read the answer."""

    code = "idempotency_key_sealed"
    title = "The Idempotency-Key was used under another API key"


class AlreadyDone(Conflict):
    """The request was done before under this Idempotency-Key. Its answer showed a key or a secret, which is shown once;
    `made` names what it made or changed."""

    code = "already_done"
    title = "This was done before, and its key or secret is shown once"


class Claim(NamedTuple):
    """An idempotency key in its scope: the thing that the route is about, the caller and the route."""

    scope_id: UUID
    actor_id: UUID
    route: str
    key: str


class Answer(NamedTuple):
    """A status and the JSON that goes with it."""

    status: int
    body: bytes


def hash_of_body(body: bytes) -> bytes:
    """Return the same hash for bodies that say the same as JSON, whatever their blanks, escapes and order of fields;
    a body of another kind is hashed as it is (docs/contract.md#conventions)."""
    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        body = msgspec.json.encode(msgspec.json.decode(body.removeprefix(BOM_UTF8)), order="sorted")
    return sha256(body).digest()


async def claim(db: Connection, key: Claim, *, body_hash: bytes, secret: str, now: datetime) -> Answer | None:
    """Take the key for this request; or the answer that it had before.

    Waits for another request that holds the same key. Raises IdempotencyMismatch, AlreadyDone, IdempotencyKeySealed.
    """
    if await db.fetchval(CLAIM, *key, body_hash, now):
        return None
    seen = await db.fetchrow(SEEN, *key)
    if seen is None or seen["body_hash"] != body_hash:
        raise IdempotencyMismatch
    if seen["status"] == AlreadyDone.status:
        made = msgspec.json.decode(seen["answer"], type=Made)
        raise AlreadyDone(f"The {made.type} {made.id} was made or changed by it.", made=made)
    try:
        return Answer(seen["status"], _seal(secret, key.key).decrypt(seen["answer"]))
    except InvalidToken:
        raise IdempotencyKeySealed from None


async def remember(db: Connection, key: Claim, answer: Answer, *, secret: str) -> None:
    """Keep the answer of a claimed key. Nothing in it may be shown once."""
    await db.execute(REMEMBER, *key, answer.status, _seal(secret, key.key).encrypt(answer.body))


async def remember_made(db: Connection, key: Claim, made: Made) -> None:
    """Keep, instead of an answer that showed a key or a secret, what it was of."""
    await db.execute(REMEMBER, *key, AlreadyDone.status, msgspec.json.encode(made))


def _seal(secret: str, key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(sha256(f"atrium idempotency\n{secret}\n{key}".encode()).digest()))

"""Whose bucket of the rate limit a request is taken out of: that of the actor whose key it came with.

Keys are free, so a bucket for each would be no limit. The actor of a key never changes, so a process asks the database
once for each key and remembers the answer until the key stops: what somebody does with a stopped key is not charged to
its former owner.
"""

import asyncio
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypeVar

import structlog

from atrium.keys.queries import ACTOR_OF_KEY
from atrium.kit.clock import Clock
from atrium.kit.database import Pool

T = TypeVar("T")
log = structlog.get_logger()
MAX_REMEMBERED = 1 << 16
UNKNOWN_FOR = timedelta(seconds=5)  # how long a key that does not work is not looked up again
LOOKED_UP_WITHIN = 1.0  # seconds


class Buckets:
    """The buckets of keys, as this process knows them."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool, self._clock = pool, clock
        self._known: dict[bytes, bytes] = {}
        self._unknown: dict[bytes, datetime] = {}

    async def find(self, key_hash: bytes) -> bytes:
        """Return the bucket of the key's actor; for a key that does not work, one of its own."""
        known = self._known.get(key_hash)
        if known is not None:
            return known
        until = self._unknown.get(key_hash)
        if until is not None and self._clock() < until:
            return key_hash
        return await self._look_up(key_hash)

    def forget(self, key_hash: bytes) -> None:
        """Forget whose key it is: it may have stopped."""
        self._known.pop(key_hash, None)

    async def _look_up(self, key_hash: bytes) -> bytes:
        try:
            async with asyncio.timeout(LOOKED_UP_WITHIN):
                actor_id = await self._pool.fetchval(ACTOR_OF_KEY, key_hash, self._clock())
        except Exception as error:  # what needs the database is refused further on
            log.warning("a request is counted by its key alone", error=repr(error))
            return key_hash
        bucket = key_hash
        if actor_id is None:
            _remember(self._unknown, key_hash, self._clock() + UNKNOWN_FOR)
        else:
            bucket = sha256(actor_id.bytes).digest()
            _remember(self._known, key_hash, bucket)
        return bucket


def _remember(known: dict[bytes, T], key_hash: bytes, found: T) -> None:
    if len(known) >= MAX_REMEMBERED:
        known.clear()
    known[key_hash] = found

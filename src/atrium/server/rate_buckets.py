"""The rate limit's bucket of a request: that of the caller, not of the key.

A caller can create any number of keys, so a bucket per key would limit nothing. The actor of a key never changes, so a
process looks each key up once and remembers the actor until the key stops working. Requests with a revoked key do not
count for its former owner.
"""

import asyncio
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from atrium.keys.queries import ACTOR_OF_KEY
from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Pool
from atrium.kit.process.failures import log_failure

MAX_CACHED = 1 << 16
LOOKUP_TIMEOUT = 1.0  # seconds


class RateBucket(NamedTuple):
    """What the rate limit counts a request for; `api_key_id` is None for a key that does not work."""

    name: bytes
    api_key_id: UUID | None = None


class RateBuckets:
    """The buckets of the keys that this process has seen."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool, self._clock = pool, clock
        self._known: dict[bytes, RateBucket] = {}

    async def find(self, key_hash: bytes) -> RateBucket:
        """Return the bucket of the key's actor, or the key's own if the key does not work."""
        return self._known.get(key_hash) or await self._look_up(key_hash)

    def evict(self, key_hash: bytes) -> None:
        """Forget the actor of a key, which may have stopped working."""
        self._known.pop(key_hash, None)

    async def _look_up(self, key_hash: bytes) -> RateBucket:
        try:
            async with asyncio.timeout(LOOKUP_TIMEOUT):
                row = await self._pool.fetchrow(ACTOR_OF_KEY, key_hash, self._clock())
        except Exception as error:  # a route that needs the database answers 503 later
            log_failure("the rate limit fell back to the key: its actor could not be looked up", error)
            return RateBucket(key_hash)
        if row is None:
            return RateBucket(key_hash)
        if len(self._known) >= MAX_CACHED:
            self._known.clear()
        bucket = self._known[key_hash] = RateBucket(sha256(row["actor_id"].bytes).digest(), row["api_key_id"])
        return bucket

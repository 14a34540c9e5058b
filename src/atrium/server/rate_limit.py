"""The rate limit: a token bucket per actor, counted by each HTTP process on its own.

A bucket is one number, the time at which it will be full again (the generic cell rate algorithm). A full bucket is not
stored.

The bucket of a request is that of the caller, not of the key. A caller can create any number of keys, so a bucket per
key would limit nothing. The actor of a key never changes, so a process looks each key up once and remembers the actor
until the key stops working. Requests with a revoked key do not count for its former owner.
"""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from math import ceil
from typing import NamedTuple
from uuid import UUID

from atrium.keys.queries import ACTOR_OF_KEY
from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Pool
from atrium.kit.process.failures import log_failure

BURST_SECONDS = 5
SLACK = 0.01  # requests; the rounding error of adding fractions of a second
MAX_CACHED = 1 << 16
LOOKUP_TIMEOUT = 1.0  # seconds


class RateLimitState(NamedTuple):
    """The state of a bucket after a request: requests that remain, and `reset` in seconds."""

    allowed: bool
    remaining: int
    reset: int


class RateLimit:
    """A limit of `rate` requests per second, with bursts of five seconds' worth."""

    def __init__(self, rate: int, seconds: Callable[[], float]) -> None:
        self.rate, self.burst, self._seconds = rate, rate * BURST_SECONDS, seconds
        self.full_at: dict[bytes, float] = {}
        self._next_prune = 0.0
        self.policy = f'"key";q={self.burst};w={BURST_SECONDS}'.encode()

    def take(self, bucket: bytes) -> RateLimitState:
        """Take one request from a bucket, unless it is empty.

        `reset` is the time until the bucket is full again or, if it is empty, until the next request can pass.
        """
        now = self._seconds()
        if now >= self._next_prune:
            self.full_at = {each: full_at for each, full_at in self.full_at.items() if full_at > now}
            self._next_prune = now + BURST_SECONDS
        after = max(self.full_at.get(bucket, now), now) + 1 / self.rate
        left = (now + BURST_SECONDS - after) * self.rate
        if left < -SLACK:
            return RateLimitState(False, 0, max(1, ceil(-left / self.rate)))
        self.full_at[bucket] = after
        return RateLimitState(True, int(left + SLACK), ceil(after - now))


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

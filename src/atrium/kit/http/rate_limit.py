"""The rate limit: a token bucket per actor, counted by each HTTP process on its own.

A bucket is one number, the time at which it will be full again (the generic cell rate algorithm). A full bucket is not
stored.
"""

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

BURST_SECONDS = 5
SLACK = 0.01  # requests; the rounding error of adding fractions of a second


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

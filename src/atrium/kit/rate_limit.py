"""The rate limit of a key: a token bucket, shared by the processes of one machine through a mapped file.

The bucket is kept as one number a key, the time at which it will be full again (the generic cell rate algorithm), in
a slot that the key's hash picks. Two processes that write a slot at once may let one request too many through; two
keys that share a slot are told apart by a part of their hash, and the later one starts with a full bucket.
"""

import mmap
import struct
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import NamedTuple

SLOTS = 1 << 15
SLOT = struct.Struct("=Qd")
BURST_SECONDS = 5
SLACK = 0.01  # of a request: what adding up fractions of a second may be off by


class Spent(NamedTuple):
    """What a request left in its key's bucket."""

    allowed: bool
    remaining: int
    reset: int


class RateLimit:
    """At most `rate` requests a second for each key, with a burst of five seconds' worth; `rate` 0 limits nothing."""

    def __init__(self, shared: Path, rate: int, seconds: Callable[[], float]) -> None:
        self.rate, self.burst, self._seconds = rate, rate * BURST_SECONDS, seconds
        shared.parent.mkdir(parents=True, exist_ok=True)
        with shared.open("a+b") as file:
            file.truncate(SLOTS * SLOT.size)
            self._slots = mmap.mmap(file.fileno(), SLOTS * SLOT.size)
        self.policy = f'"key";q={self.burst};w={BURST_SECONDS}'.encode()

    def spend(self, key_hash: bytes) -> Spent:
        """Take one request out of the bucket of the key, if one is left.

        `reset` is in seconds: until the next request is let through, or else until the bucket is full again.
        """
        offset = int.from_bytes(key_hash[:4], "big") % SLOTS * SLOT.size
        mark, now = int.from_bytes(key_hash[4:12], "big"), self._seconds()
        owner, full_at = SLOT.unpack_from(self._slots, offset)
        full_at = max(full_at, now) if owner == mark and full_at <= now + 2 * BURST_SECONDS else now
        after = full_at + 1 / self.rate
        left = (now + BURST_SECONDS - after) * self.rate
        if left < -SLACK:
            return Spent(False, 0, max(1, ceil(-left / self.rate)))
        SLOT.pack_into(self._slots, offset, mark, after)
        return Spent(True, int(left + SLACK), ceil(after - now))

"""The rate limit: a token bucket an actor, shared by the processes of one machine through a mapped file.

The bucket is kept as one number, the time at which it will be full again (the generic cell rate algorithm), in
one of a few slots that the key's hash picks: its own where it has one, else that of the key which will be full again
soonest. Two processes that write a slot at once may let one request too many through.
"""

import mmap
import struct
from collections.abc import Callable
from math import ceil, inf
from pathlib import Path
from typing import NamedTuple

SLOTS = 1 << 15
SLOT = struct.Struct("=Qd")
PROBED = 8
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
        mark, now = int.from_bytes(key_hash[4:12], "big"), self._seconds()
        offset, full_at = self._find(int.from_bytes(key_hash[:4], "big"), mark)
        full_at = max(full_at, now) if full_at <= now + 2 * BURST_SECONDS else now
        after = full_at + 1 / self.rate
        left = (now + BURST_SECONDS - after) * self.rate
        if left < -SLACK:
            return Spent(False, 0, max(1, ceil(-left / self.rate)))
        SLOT.pack_into(self._slots, offset, mark, after)
        return Spent(True, int(left + SLACK), ceil(after - now))

    def _find(self, place: int, mark: int) -> tuple[int, float]:
        """The key's slot and when its bucket will be full; for a key that has none, the slot it may take over."""
        soonest = (inf, 0)
        for probe in range(place, place + PROBED):
            offset = probe % SLOTS * SLOT.size
            owner, full_at = SLOT.unpack_from(self._slots, offset)
            if owner == mark:
                return offset, full_at
            soonest = min(soonest, (full_at, offset))
        return soonest[1], 0.0

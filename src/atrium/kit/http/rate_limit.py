"""The rate limit: a token bucket per actor, which the processes of one machine share in a memory-mapped file.

A bucket is one number, the time at which it will be full again (the generic cell rate algorithm). It is stored in one
of a few slots that the hash selects: its own slot if it has one, else the slot of the bucket that will be full first.
If two processes write a slot at the same time, one request too many can pass.
"""

import mmap
import os
import struct
from collections.abc import Callable
from math import ceil, inf
from pathlib import Path
from typing import NamedTuple

import structlog

SLOTS = 1 << 15
SLOT = struct.Struct("=Qd")
PROBED = 8
BURST_SECONDS = 5
SLACK = 0.01  # requests; the rounding error of adding fractions of a second
log = structlog.get_logger()


class RateLimitState(NamedTuple):
    """The state of a bucket after a request: requests that remain, and `reset` in seconds."""

    allowed: bool
    remaining: int
    reset: int


class RateLimit:
    """A limit of `rate` requests per second, with bursts of five seconds' worth; a `rate` of 0 means no limit."""

    def __init__(self, shared: Path, rate: int, seconds: Callable[[], float]) -> None:
        self.rate, self.burst, self._seconds = rate, rate * BURST_SECONDS, seconds
        self._slots = _shared_memory(shared, SLOTS * SLOT.size)
        self.policy = f'"key";q={self.burst};w={BURST_SECONDS}'.encode()

    def take(self, bucket: bytes) -> RateLimitState:
        """Take one request from a bucket, unless it is empty.

        `reset` is the time until the bucket is full again or, if it is empty, until the next request can pass.
        """
        tag, now = int.from_bytes(bucket[4:12], "big"), self._seconds()
        offset, full_at = self._find(int.from_bytes(bucket[:4], "big"), tag)
        full_at = max(full_at, now) if full_at <= now + 2 * BURST_SECONDS else now
        after = full_at + 1 / self.rate
        left = (now + BURST_SECONDS - after) * self.rate
        if left < -SLACK:
            return RateLimitState(False, 0, max(1, ceil(-left / self.rate)))
        SLOT.pack_into(self._slots, offset, tag, after)
        return RateLimitState(True, int(left + SLACK), ceil(after - now))

    def _find(self, place: int, tag: int) -> tuple[int, float]:
        """Return the offset of a bucket's slot and when it will be full; without a slot, the one to overwrite and 0."""
        soonest = (inf, 0)
        for probe in range(place, place + PROBED):
            offset = probe % SLOTS * SLOT.size
            slot_tag, full_at = SLOT.unpack_from(self._slots, offset)
            if slot_tag == tag:
                return offset, full_at
            soonest = min(soonest, (full_at, offset))
        return soonest[1], 0.0


def _shared_memory(file: Path, size: int) -> mmap.mmap:
    """Map a file; if the disk has no room for it, memory of this process, whose limit is then its own.

    The room is taken on the disk now. Later, a write to a page without room would end the process.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a+b") as stream:
            os.posix_fallocate(stream.fileno(), 0, size)
            return mmap.mmap(stream.fileno(), size)
    except OSError as error:
        log.error("the rate limit counts for one process: its file cannot be used", error=repr(error))
        return mmap.mmap(-1, size)

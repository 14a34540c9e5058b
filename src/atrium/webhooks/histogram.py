"""Counts of durations in log-spaced buckets, from which quantiles are read.

A duration of less than 16 ms has a bucket of its own. From there on each power of two is divided into 8 buckets, so
that a quantile differs from the exact one by at most 1/16 (6.25 %). Two histograms are added bucket by bucket, however
many workers counted.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, zip_longest

BITS = 3  # each power of two has 2 ** BITS buckets
LONGEST = (1 << 15) - 1  # ms; an attempt takes at most 15 seconds
BUCKETS = 104  # bucket_of(LONGEST) + 1


def bucket_of(duration_ms: int) -> int:
    """Return the index of the bucket of a duration; a longer one than LONGEST counts as that."""
    duration = min(max(duration_ms, 0), LONGEST)
    shift = max(0, duration.bit_length() - BITS - 1)
    return (shift << BITS) + (duration >> shift)


def middle_of(bucket: int) -> int:
    """Return the duration in the middle of a bucket, in ms."""
    shift = max(0, (bucket >> BITS) - 1)
    lowest = (bucket - (shift << BITS)) << shift
    return lowest + ((1 << shift) - 1) // 2


def count(counts: list[int], duration_ms: int) -> None:
    """Count a duration. `counts` has only as many buckets as are needed for the longest one so far."""
    bucket = bucket_of(duration_ms)
    counts.extend([0] * (bucket + 1 - len(counts)))
    counts[bucket] += 1


def total(histograms: Iterable[Sequence[int]]) -> list[int]:
    """Add histograms."""
    return [sum(bucket) for bucket in zip_longest(*histograms, fillvalue=0)]


def quantile(counts: Sequence[int], fraction: float) -> int | None:
    """Return the shortest duration that `fraction` of all durations do not exceed, in ms; None if there are none."""
    rank = sum(counts) * fraction
    return next((middle_of(nr) for nr, below in enumerate(accumulate(counts)) if below and below >= rank), None)

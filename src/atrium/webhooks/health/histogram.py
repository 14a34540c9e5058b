"""Counts of durations, from which quantiles are read: nine buckets for each power of two.

A quantile differs from the exact one by at most 1/16, and is exact up to 16 ms. Two histograms are added bucket by
bucket, however many workers counted.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, zip_longest
from math import log2

PER_POWER = 9
LONGEST = 15_000  # ms, which an attempt takes at most; a longer one counts as that


def count(counts: list[int], duration_ms: int) -> None:
    """Count a duration. `counts` has only as many buckets as are needed for the longest one so far."""
    bucket = round(log2(min(duration_ms, LONGEST) + 1) * PER_POWER)
    counts.extend([0] * (bucket + 1 - len(counts)))
    counts[bucket] += 1


def total(histograms: Iterable[Sequence[int]]) -> list[int]:
    """Add histograms."""
    return [sum(bucket) for bucket in zip_longest(*histograms, fillvalue=0)]


def quantile(counts: Sequence[int], fraction: float) -> int | None:
    """Return the shortest duration that `fraction` of all durations do not exceed, in ms; None if there are none."""
    rank = sum(counts) * fraction
    bucket = next((nr for nr, below in enumerate(accumulate(counts)) if below and below >= rank), None)
    return None if bucket is None else round(2 ** (bucket / PER_POWER) - 1)

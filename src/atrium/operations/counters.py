"""Counters of a process: plain numbers in memory, shared with the other processes once a second.

A labelled counter of the metrics library, shared between processes through a mapped file, was measured to cost several
times as much for each request (see docs/decisions/0019-operations.md).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from atrium.kit.postgres.database import Pool

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LATENESS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)
Labels: TypeAlias = tuple[str, ...]


class Metric(msgspec.Struct, frozen=True):
    """A metric: its name, help text and labels and, for a histogram, the upper bounds of its buckets."""

    name: str
    help: str
    labels: Labels = ()
    bounds: tuple[float, ...] = ()


REQUESTS = Metric(
    "atrium_request_seconds", "Time to first byte of responses in seconds, by method, route and status.",
    ("method", "route", "status"), SECONDS,
)  # fmt: skip
BATCHES = Metric("atrium_batch_size", "Requests per batched statement.", ("statement",), SIZES)
ATTEMPTS = Metric(
    "atrium_delivery_attempt_seconds", "Duration of delivery attempts in seconds, by outcome.", ("outcome",), SECONDS
)
LATE = Metric("atrium_delivery_lateness_seconds", "Delay between an attempt's due time and its start in seconds.",
              (), LATENESS)  # fmt: skip
RATE_LIMITED = Metric("atrium_rate_limited_requests", "Requests rejected by the rate limit.")
READS = Metric(
    "atrium_replica_reads", "Reads that a replica may answer, by what answered (replica, primary).", ("answered_by",)
)
IN_FLIGHT = Metric("atrium_requests_in_flight", "Requests in progress.")
ATTEMPTS_NOW = Metric("atrium_delivery_attempts_under_way", "Delivery attempts in progress.")
CONNECTIONS = Metric(
    "atrium_database_connections", "Database connections in the pools: busy, idle, and the maximum (most).", ("state",)
)
COUNTERS, HISTOGRAMS = (RATE_LIMITED, READS), (REQUESTS, BATCHES, ATTEMPTS, LATE)
GAUGES = (IN_FLIGHT, ATTEMPTS_NOW, CONNECTIONS)


class Histogram(msgspec.Struct):
    """The number of values in each bucket (not cumulative), the last one without a bound; and the sum of the values."""

    counts: list[int]
    total: float = 0.0

    def plus(self, other: "Histogram") -> "Histogram":
        """Return the sum of both."""
        return Histogram([a + b for a, b in zip(self.counts, other.counts, strict=True)], self.total + other.total)


def empty(metric: Metric) -> Histogram:
    """Return a histogram without values."""
    return Histogram([0] * (len(metric.bounds) + 1))


class CounterSnapshot(msgspec.Struct):
    """The counters of a process at one time. A series is a metric's name and the values of its labels."""

    process_id: int = 0
    kind: str = ""
    counters: list[tuple[Labels, int]] = []
    histograms: list[tuple[Labels, Histogram]] = []
    gauges: list[tuple[Labels, float]] = []


Gauges = Callable[[], Mapping[Labels, float]]
Sizes = Callable[[], Mapping[str, Iterable[int]]]
Reads = Callable[[], Mapping[str, int]]


@dataclass
class Counters:
    """The counters of this process. `gauges`, `sizes` and `reads` are called for each snapshot."""

    kind: str = "http"
    in_flight: int = 0
    rate_limited: int = 0
    gauges: Gauges = dict
    sizes: Sizes = dict
    reads: Reads = dict
    _requests: dict[tuple[str, str, int], Histogram] = field(default_factory=dict)
    _others: dict[Labels, Histogram] = field(default_factory=dict)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; `seconds` is the time until its response began."""
        key = (method, route, status // 100)
        found = self._requests.get(key)
        if found is None:
            found = self._requests[key] = empty(REQUESTS)
        found.counts[bisect_left(SECONDS, seconds)] += 1
        found.total += seconds

    def observe(self, metric: Metric, value: float, *labels: str) -> None:
        """Add a value to a histogram."""
        found = self._others.setdefault((metric.name, *labels), empty(metric))
        found.counts[bisect_left(metric.bounds, value)] += 1
        found.total += value

    def snapshot(self, process_id: int) -> CounterSnapshot:
        """Return all counters as they are now."""
        requests = [((REQUESTS.name, m, r, f"{s}xx"), each) for (m, r, s), each in self._requests.items()]
        batches = [((BATCHES.name, name), histogram_of_sizes(sizes)) for name, sizes in self.sizes().items()]
        gauges = {(IN_FLIGHT.name,): float(self.in_flight), **self.gauges()}
        counters: list[tuple[Labels, int]] = [((RATE_LIMITED.name,), self.rate_limited)]
        counters += [((READS.name, by), count) for by, count in self.reads().items()]
        histograms = [*requests, *batches, *self._others.items()]
        return CounterSnapshot(process_id, self.kind, counters, histograms, list(gauges.items()))


def connections_of(pool: Pool) -> dict[Labels, float]:
    """Return the gauges of the connections of a pool."""
    idle, size = pool.get_idle_size(), pool.get_size()
    name, counts = CONNECTIONS.name, {"busy": size - idle, "idle": idle, "most": pool.get_max_size()}
    return {(name, state): float(count) for state, count in counts.items()}


def histogram_of_sizes(sizes: Iterable[int]) -> Histogram:
    """Return a histogram of sizes, given how often each size occurred."""
    histogram = empty(BATCHES)
    for size, times in enumerate(sizes):
        histogram.counts[bisect_left(SIZES, size)] += times
        histogram.total += size * times
    return histogram

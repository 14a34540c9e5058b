"""The metrics that a process counts, with prometheus-client.

If `atrium serve` has chosen a folder (cli/serve.py), its processes count in files there, and a scrape adds them up.
Otherwise, each process counts for itself.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from atrium.kit.postgres.database import Pool

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LATENESS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)
METRICS = CollectorRegistry()

REQUESTS = Histogram(
    "atrium_request_seconds",
    "Time to first byte of responses in seconds, by method, route and status.",
    ("method", "route", "status"),
    buckets=SECONDS,
    registry=METRICS,
)
IN_FLIGHT = Gauge("atrium_requests_in_flight", "Requests in progress.", multiprocess_mode="livesum", registry=METRICS)
RATE_LIMITED = Counter("atrium_rate_limited_requests", "Requests rejected by the rate limit.", registry=METRICS)
BATCHES = Histogram(
    "atrium_batch_size", "Requests per batched statement.", ("statement",), buckets=SIZES, registry=METRICS
)
READS = Counter(
    "atrium_replica_reads",
    "Reads that a replica may answer, by what answered (replica, primary).",
    ("answered_by",),
    registry=METRICS,
)
CONNECTIONS = Gauge(
    "atrium_database_connections",
    "Database connections in the pools: busy, idle, and the maximum (most).",
    ("state",),
    multiprocess_mode="livesum",
    registry=METRICS,
)
ATTEMPTS = Histogram(
    "atrium_delivery_attempt_seconds",
    "Duration of delivery attempts in seconds, by outcome.",
    ("outcome",),
    buckets=SECONDS,
    registry=METRICS,
)
LATE = Histogram(
    "atrium_delivery_lateness_seconds",
    "Delay between an attempt's due time and its start in seconds.",
    buckets=LATENESS,
    registry=METRICS,
)
ATTEMPTS_NOW = Gauge(
    "atrium_delivery_attempts_under_way",
    "Delivery attempts in progress.",
    multiprocess_mode="livesum",
    registry=METRICS,
)
PROCESSES = Gauge(
    "atrium_processes", "Running processes, by kind.", ("kind",), multiprocess_mode="livesum", registry=METRICS
)


async def show_connections(*pools: Pool) -> None:
    """Set the gauges of this process's database connections."""
    idle, size = sum(each.get_idle_size() for each in pools), sum(each.get_size() for each in pools)
    CONNECTIONS.labels("busy").set(size - idle)
    CONNECTIONS.labels("idle").set(idle)
    CONNECTIONS.labels("most").set(sum(each.get_max_size() for each in pools))

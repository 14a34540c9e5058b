"""`/metrics`: the counters of all processes and the state of the database, in the text format of Prometheus."""

import asyncio
import platform
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from atrium import __version__
from atrium.kit.postgres.database import Pool
from atrium.operations import queries
from atrium.operations.counter_pages import CounterPages
from atrium.operations.counters import COUNTERS, GAUGES, HISTOGRAMS, CounterSnapshot, Histogram, Labels, Metric, empty

DATABASE_TIMEOUT = 3.0  # seconds; without the database, a scrape returns the other metrics

UP = Metric("atrium_database_up", "Whether the database responded to this scrape.")
WAITING = Metric("atrium_deliveries_waiting", "Pending deliveries by state; held: their webhook is not active.",
                 ("state",))  # fmt: skip
OLDEST = Metric("atrium_oldest_due_delivery_seconds", "Age of the oldest due delivery in seconds.")
WEBHOOKS = Metric("atrium_webhooks", "Webhooks by status.", ("status",))
MAILS = Metric("atrium_mails_waiting", "Queued emails.")
OLDEST_MAIL = Metric("atrium_oldest_waiting_mail_seconds", "Age of the oldest queued email in seconds.")
BUILD = Metric("atrium_build_info", "Build information.", ("version", "python"))
PROCESSES = Metric("atrium_processes", "Running processes, by kind.", ("kind",))


class _Collected(Collector):
    """The families of one scrape."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Family]:
        return self._families


async def exposition(pages: CounterPages, pool: Pool, now: datetime, accept: str) -> tuple[bytes, str]:
    """Return the metrics in the format of the Accept header, and its content type."""
    database = await _database_families(pool, now)
    snapshots = await asyncio.to_thread(lambda: list(pages.read_all()))
    encode, media_type = choose_encoder(accept)
    return encode(_Collected([*counted_families(snapshots), *database])), media_type


def counted_families(snapshots: list[CounterSnapshot]) -> Iterator[Family]:
    """Yield the families that the processes counted, added up."""
    counters: dict[Labels, float] = defaultdict(float)
    gauges: dict[Labels, float] = defaultdict(float)
    histograms: dict[Labels, Histogram] = {}
    for snapshot in snapshots:
        for counter, count in snapshot.counters:
            counters[counter] += count
        for gauge, value in snapshot.gauges:
            gauges[gauge] += value
        for series, each in snapshot.histograms:
            histograms[series] = histograms[series].plus(each) if series in histograms else each
        if snapshot.gauges:
            gauges[PROCESSES.name, snapshot.kind] += 1
    yield from (_counter(metric, counters) for metric in COUNTERS)
    yield from (_gauge(metric, gauges) for metric in (*GAUGES, PROCESSES))
    yield from (_histogram(metric, histograms) for metric in HISTOGRAMS)
    yield _gauge(BUILD, {(BUILD.name, __version__, platform.python_version()): 1.0})


def _counter(metric: Metric, values: dict[Labels, float]) -> Family:
    family = CounterMetricFamily(metric.name, metric.help, labels=metric.labels)
    for (name, *labels), value in sorted(values.items()):
        if name == metric.name:
            family.add_metric(labels, value)
    return family


def _gauge(metric: Metric, values: dict[Labels, float]) -> Family:
    family = GaugeMetricFamily(metric.name, metric.help, labels=metric.labels)
    for (name, *labels), value in sorted(values.items()):
        if name == metric.name:
            family.add_metric(labels, value)
    return family


def _histogram(metric: Metric, values: dict[Labels, Histogram]) -> Family:
    family = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
    bounds = [*(f"{bound:g}" for bound in metric.bounds), "+Inf"]
    found = {series: each for series, each in sorted(values.items()) if series[0] == metric.name}
    if not metric.labels and not found:
        found = {(metric.name,): empty(metric)}
    for (_, *labels), each in found.items():
        family.add_metric(labels, list(zip(bounds, accumulate(each.counts), strict=True)), each.total)
    return family


async def _database_families(pool: Pool, now: datetime) -> list[Family]:
    """Return the families that come from the database, or only that it is not available."""
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT), pool.acquire() as db:
            backlog = await db.fetchrow(queries.BACKLOG, now)
            webhooks = await db.fetch(queries.WEBHOOKS)
            mails = await db.fetchrow(queries.MAILS, now)
    except Exception:  # any error means that the database is not available
        return [_gauge(UP, {(UP.name,): 0.0})]
    if backlog is None or mails is None:
        return []
    states: dict[Labels, float] = {
        (WAITING.name, state): float(backlog[state]) for state in ("due", "later", "leased", "held")
    }
    statuses: dict[Labels, float] = {(WEBHOOKS.name, status): 0.0 for status in ("active", "inactive", "paused")}
    statuses |= {(WEBHOOKS.name, row["status"]): float(row["count"]) for row in webhooks}
    single = {UP: 1.0, OLDEST: backlog["oldest_seconds"], MAILS: float(mails["waiting"]),
              OLDEST_MAIL: mails["oldest_seconds"]}  # fmt: skip
    alone = [_gauge(metric, {(metric.name,): value}) for metric, value in single.items()]
    return [_gauge(WAITING, states), _gauge(WEBHOOKS, statuses), *alone]

"""`/metrics`: the counters of all processes and the state of the database, in the text format of Prometheus."""

import asyncio
import os
import platform
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

import psutil
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from atrium import __version__
from atrium.kit.metrics import METRICS
from atrium.kit.postgres.database import Pool, Record
from atrium.operations import queries

DATABASE_TIMEOUT = 3.0  # seconds; without the database, a scrape returns the other metrics


class _Collected(Collector):
    """The families of one scrape."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Family]:
        return self._families


async def exposition(pool: Pool, now: datetime, accept: str) -> tuple[bytes, str]:
    """Return the metrics in the format of the Accept header, and its content type."""
    database = await _database_families(pool, now)
    counted = await asyncio.to_thread(_counted_families)
    build = GaugeMetricFamily("atrium_build_info", "Build information.", labels=["version", "python"])
    build.add_metric([__version__, platform.python_version()], 1.0)
    encode, media_type = choose_encoder(accept)
    return encode(_Collected([*counted, build, *database])), media_type


def _counted_families() -> list[Family]:
    """Return the counters of all processes of the server, ended ones too, and the gauges of running ones."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if folder is None:
        return list(METRICS.collect())
    for gauges in Path(folder).glob("gauge_live*.db"):
        process_id = int(gauges.stem.rpartition("_")[2])
        if not psutil.pid_exists(process_id):
            with suppress(FileNotFoundError):  # another scrape has removed them
                mark_process_dead(process_id)
    return list(MultiProcessCollector(None).collect())


async def _database_families(pool: Pool, now: datetime) -> list[Family]:
    """Return the families that come from the database, or only that it is not available."""
    up = partial(GaugeMetricFamily, "atrium_database_up", "Whether the database responded to this scrape.")
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT), pool.acquire() as db:
            backlog = await db.fetchrow(queries.BACKLOG, now)
            webhooks = await db.fetch(queries.WEBHOOKS)
            mails = await db.fetchrow(queries.MAILS, now)
    except Exception:  # any error means that the database is not available
        return [up(0)]
    return [up(1), *_delivery_families(backlog, webhooks), *_mail_families(mails)]


def _delivery_families(backlog: Record, webhooks: Sequence[Record]) -> list[Family]:
    waiting = GaugeMetricFamily(
        "atrium_deliveries_waiting", "Pending deliveries by state; held: their webhook is not active.", labels=["state"]
    )
    for state in ("due", "later", "leased", "held"):
        waiting.add_metric([state], backlog[state])
    oldest = GaugeMetricFamily(
        "atrium_oldest_due_delivery_seconds", "Age of the oldest due delivery in seconds.", backlog["oldest_seconds"]
    )
    by_status = GaugeMetricFamily("atrium_webhooks", "Webhooks by status.", labels=["status"])
    counts = {"active": 0, "inactive": 0, "paused": 0} | {row["status"]: row["count"] for row in webhooks}
    for status, count in counts.items():
        by_status.add_metric([status], count)
    return [waiting, oldest, by_status]


def _mail_families(mails: Record) -> list[Family]:
    return [
        GaugeMetricFamily("atrium_mails_waiting", "Queued emails.", mails["waiting"]),
        GaugeMetricFamily(
            "atrium_oldest_waiting_mail_seconds", "Age of the oldest queued email in seconds.", mails["oldest_seconds"]
        ),
    ]

"""Measure `atrium serve` itself: how long a start takes when nothing is to migrate, and the memory of the idle service.

Memory is the proportional set size (PSS) of all processes, PostgreSQL's included: what several processes share counts
once.
"""

import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from atrium.kit.settings import Settings
from bench.environment import ATRIUM, STARTS_WITHIN
from bench.load import BenchError

STARTS, IDLE, POLL_INTERVAL = 7, 20.0, 0.005  # IDLE and POLL_INTERVAL in seconds


def measure(settings: Settings) -> dict[str, Any]:
    """Return `{start_s, memory_mb}` of a service with these settings, whose folder is new."""
    with running_service(settings):
        pass  # creates the database
    starts = []
    for _ in range(STARTS):
        with running_service(settings) as (_, seconds):
            starts.append(seconds)
    with running_service(settings) as (process, _):
        time.sleep(IDLE)
        memory = sum(each.memory_full_info().pss for each in _processes(process, settings.data_dir))
    return {"start_s": round(statistics.median(starts), 2), "memory_mb": round(memory / 2**20)}


@contextmanager
def running_service(settings: Settings) -> Iterator[tuple[psutil.Process, float]]:
    """Yield a service that is ready, and the seconds that its start took."""
    began = time.monotonic()
    process = subprocess.Popen([ATRIUM, "serve"], env=settings.environment(), stdout=subprocess.DEVNULL)
    try:
        while not _is_ready(settings.port):
            if process.poll() is not None or time.monotonic() > began + STARTS_WITHIN:
                raise BenchError("atrium serve did not start")
            time.sleep(POLL_INTERVAL)
        yield psutil.Process(process.pid), time.monotonic() - began
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def _is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def _processes(service: psutil.Process, folder: Path) -> list[psutil.Process]:
    """Return the processes of a service and of the PostgreSQL in its folder."""
    postmaster = psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]))
    return [each for root in (service, postmaster) for each in (root, *root.children(recursive=True))]

"""Share counters between the processes of a server. Each process writes a page into one folder; a scrape reads all of
them. The counters of an exited process are kept, its gauges are dropped."""

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil

from atrium.kit.process.failures import log_failure
from atrium.kit.settings import Settings
from atrium.operations.counters import Counters, CounterSnapshot

WRITE_INTERVAL = 1.0  # seconds
_decoder = msgspec.json.Decoder(CounterSnapshot)


def folder_of(settings: Settings) -> Path:
    """Return the folder of the server on this port."""
    return settings.data_dir / "run" / f"metrics-{settings.port}"


def delete_all_pages(settings: Settings) -> None:
    """Delete all pages. No process of this server may be running."""
    shutil.rmtree(folder_of(settings), ignore_errors=True)


class CounterPages:
    """The page of this process and those of the others."""

    def __init__(self, settings: Settings, counters: Counters) -> None:
        self._folder, self.counters = folder_of(settings), counters
        self._page = self._folder / f"{os.getpid()}-{time.time_ns()}.json"  # process ids are reused

    def write(self) -> None:
        """Replace this process's page atomically."""
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._page.with_suffix(".new")
        temporary.write_bytes(msgspec.json.encode(self.counters.snapshot(os.getpid())))
        temporary.replace(self._page)

    async def write_periodically(self) -> None:
        """Write the page every second, and once more at the end."""
        try:
            while True:
                self._try_to_write()
                await asyncio.sleep(WRITE_INTERVAL)
        finally:
            self._try_to_write()

    def _try_to_write(self) -> None:
        try:
            self.write()
        except OSError as error:
            log_failure("the counters of this process could not be written", error)

    def read_all(self) -> Iterator[CounterSnapshot]:
        """Yield the counters of every process, without the gauges of processes that have exited."""
        yield self.counters.snapshot(os.getpid())
        for page in sorted(self._folder.glob("*.json")):
            if page == self._page:
                continue
            snapshot = _decoder.decode(page.read_bytes())
            if not _is_alive(snapshot.process_id, page):
                snapshot.gauges.clear()
            yield snapshot


def _is_alive(process_id: int, page: Path) -> bool:
    """Return whether the process that wrote the page still runs, rather than a later one with the same id."""
    try:
        return bool(psutil.Process(process_id).create_time() <= page.stat().st_mtime + 1)
    except (psutil.Error, OSError):
        return False

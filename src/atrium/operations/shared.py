"""The counts of all processes of a machine that serve together: each writes its own into one folder, whoever is asked
reads all of them. What a process counted stays when it is gone, what it held does not."""

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import structlog

from atrium.kit.settings import Settings
from atrium.operations.tally import Counted, Tally

log = structlog.get_logger()
WRITTEN_EVERY = 1.0  # seconds
_decoder = msgspec.json.Decoder(Counted)


def folder_of(settings: Settings) -> Path:
    """Where the processes of the server on this port write."""
    return settings.data_dir / "run" / f"metrics-{settings.port}"


def forget_all(settings: Settings) -> None:
    """Begin anew: no process of this server runs yet."""
    shutil.rmtree(folder_of(settings), ignore_errors=True)


class Ledger:
    """This process's page, and those of the others."""

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self._folder, self.tally = folder_of(settings), tally
        self._page = self._folder / f"{os.getpid()}-{time.time_ns()}.json"  # process ids come again

    def write(self) -> None:
        """Write this process's page: whole, or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = self._page.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(self.tally.counted(os.getpid())))
        fresh.replace(self._page)

    async def keep(self) -> None:
        """Write it now and then, and once more at the end."""
        try:
            while True:
                self._try_to_write()
                await asyncio.sleep(WRITTEN_EVERY)
        finally:
            self._try_to_write()

    def _try_to_write(self) -> None:
        try:
            self.write()
        except OSError as error:
            log.warning("the counts of this process could not be written down", error=repr(error))

    def pages(self) -> Iterator[Counted]:
        """The counts of every process, this one's as they are now; of one that is gone, without its gauges."""
        yield self.tally.counted(os.getpid())
        for page in sorted(self._folder.glob("*.json")):
            if page == self._page:
                continue
            counted = _decoder.decode(page.read_bytes())
            if not _is_alive(counted.process_id, page):
                counted.gauges.clear()
            yield counted


def _is_alive(process_id: int, page: Path) -> bool:
    """Whether the process that wrote the page runs: not another that has got its id since."""
    try:
        return bool(psutil.Process(process_id).create_time() <= page.stat().st_mtime + 1)
    except (psutil.Error, OSError):
        return False

"""Where media lies: a folder, or S3 and the like, through one library. What is put here is put once and never changed.

Names are `folder/piece`. A piece is small enough to be held in memory (a few MiB); what is larger is made of several
(see media/parts.py), so that any process can go on with what another began.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from atrium.kit.errors import Unavailable
from atrium.kit.process.folders import private_folder
from atrium.kit.settings import Settings, parse_storage_url

AT_ONCE = 256 * 1024  # bytes that are read before they are sent on
THREADS = 32  # operations at once; more of them wait
RETRIES: Any = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}  # someone waits for the answer
FAILED = (BaseError, OSError)
T = TypeVar("T")


class StorageUnavailable(Unavailable):
    """The media storage cannot be reached just now. Try again."""

    code = "storage_unavailable"
    title = "The media storage is not available just now"


@dataclass(frozen=True)
class Storage:
    """An open storage. Each operation raises StorageUnavailable where the storage fails.

    The library waits on threads of ours. Its own coroutines end on a thread of its own that still needs the
    interpreter then: a command that ended right after one was aborted (PyO3/pyo3-async-runtimes, issue 40).
    """

    store: ObjectStore
    threads: Executor = field(default_factory=lambda: ThreadPoolExecutor(THREADS, "storage"))

    async def put(self, name: str, content: bytes) -> None:
        """Store a piece; it is there whole or not at all, and in a folder it outlasts a loss of power."""
        await self._apart(partial(_put, self.store, name, content))

    async def read(self, name: str, start: int, stop: int) -> AsyncIterator[bytes]:
        """The bytes of a piece from `start` to before `stop`."""
        found = await self._apart(partial(obstore.get, self.store, name, options={"range": (start, stop)}))
        chunks = iter(found.stream(AT_ONCE))
        while (chunk := await self._apart(partial(next, chunks, None))) is not None:
            yield bytes(chunk)

    async def size(self, name: str) -> int:
        """How many bytes a piece holds."""
        return int((await self._apart(partial(obstore.head, self.store, name)))["size"])

    async def is_empty(self) -> bool:
        """Whether nothing lies here."""
        return not await self._apart(partial(_some, self.store))

    async def delete(self, folder: str) -> None:
        """Remove every piece in a folder; nothing happens where there is none."""
        await self._apart(partial(_delete, self.store, folder))

    async def _apart(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self.threads, work)
        except FAILED as error:
            raise StorageUnavailable from error


def _put(store: ObjectStore, name: str, content: bytes) -> None:
    obstore.put(store, name, content, use_multipart=False)
    if isinstance(store, LocalStore):
        _settle(Path(str(store.prefix)), name)


def _some(store: ObjectStore) -> bool:
    return any(obstore.list(store, chunk_size=1))


def _delete(store: ObjectStore, folder: str) -> None:
    for pieces in obstore.list(store, folder):
        obstore.delete(store, [piece["path"] for piece in pieces])


def _settle(root: Path, name: str) -> None:
    """Have a piece, its folder and the folder's own entry written to the disk; the library leaves that to chance."""
    for path in (root / name, (root / name).parent, root):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def open_storage(settings: Settings) -> Storage:
    """The storage of the settings: `media` in the data folder, or the one at `ATRIUM_STORAGE`."""
    if settings.storage is None:
        folder = private_folder(settings.data_dir / "media")
        return Storage(LocalStore(folder, mkdir=True, automatic_cleanup=True))
    url, options = parse_storage_url(settings.storage)
    client: Any = {"allow_http": options.get("endpoint", "").startswith("http:")}
    config: Any = options
    return Storage(from_url(url, config=config, client_options=client, retry_config=RETRIES))

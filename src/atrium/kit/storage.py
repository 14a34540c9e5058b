"""Storage of media: a folder, S3, Google Cloud Storage or Azure. A stored object never changes.

Names are `folder/piece`. A piece fits into memory (a few MiB). A larger file consists of several pieces (see
media/parts.py), so that any process can continue an upload that another one began.
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

CHUNK = 256 * 1024  # bytes
THREADS = 32  # concurrent operations; further ones wait
RETRIES: Any = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}  # a client waits for the response
FAILED = (BaseError, OSError)
T = TypeVar("T")


class StorageUnavailable(Unavailable):
    """The media storage is not available. Retry the request."""

    code = "storage_unavailable"
    title = "The media storage is temporarily unavailable"


@dataclass(frozen=True)
class Storage:
    """An open storage. Every operation raises StorageUnavailable if the storage fails.

    Operations run in threads of this class. The library's own coroutines finish in a thread that still needs the
    interpreter, so a command that ended right after one was aborted (PyO3/pyo3-async-runtimes, issue 40).
    """

    store: ObjectStore
    threads: Executor = field(default_factory=lambda: ThreadPoolExecutor(THREADS, "storage"))

    async def put(self, name: str, content: bytes) -> None:
        """Store a piece atomically. In a folder it is synced to the disk."""
        await self._in_thread(partial(_put, self.store, name, content))

    async def read(self, name: str, start: int, stop: int) -> AsyncIterator[bytes]:
        """Yield the bytes of a piece from `start` up to, but not including, `stop`."""
        found = await self._in_thread(partial(obstore.get, self.store, name, options={"range": (start, stop)}))
        chunks = iter(found.stream(CHUNK))
        while (chunk := await self._in_thread(partial(next, chunks, None))) is not None:
            yield bytes(chunk)

    async def size(self, name: str) -> int:
        """Return the size of a piece in bytes."""
        return int((await self._in_thread(partial(obstore.head, self.store, name)))["size"])

    async def is_empty(self) -> bool:
        """Return whether the storage contains nothing."""
        return not await self._in_thread(partial(_has_any, self.store))

    async def delete(self, folder: str) -> None:
        """Remove all pieces in a folder, if there are any."""
        await self._in_thread(partial(_delete, self.store, folder))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self.threads, work)
        except FAILED as error:
            raise StorageUnavailable from error


def _put(store: ObjectStore, name: str, content: bytes) -> None:
    obstore.put(store, name, content, use_multipart=False)
    if isinstance(store, LocalStore):
        _sync(Path(str(store.prefix)), name)


def _has_any(store: ObjectStore) -> bool:
    return any(obstore.list(store, chunk_size=1))


def _delete(store: ObjectStore, folder: str) -> None:
    for pieces in obstore.list(store, folder):
        obstore.delete(store, [piece["path"] for piece in pieces])


def _sync(root: Path, name: str) -> None:
    """Sync a piece, its folder and the root folder to the disk, which the library does not do."""
    for path in (root / name, (root / name).parent, root):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def open_storage(settings: Settings) -> Storage:
    """Open the storage: `media` in the data folder, or `ATRIUM_STORAGE`."""
    if settings.storage is None:
        folder = private_folder(settings.data_dir / "media")
        return Storage(LocalStore(folder, mkdir=True, automatic_cleanup=True))
    url, options = parse_storage_url(settings.storage)
    client: Any = {"allow_http": options.get("endpoint", "").startswith("http:")}
    config: Any = options
    return Storage(from_url(url, config=config, client_options=client, retry_config=RETRIES))

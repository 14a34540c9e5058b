"""Where media lies: a folder, or S3 and the like, through one library. What is put here is put once and never changed.

Names are `folder/piece`. A piece is small enough to be held in memory (a few MiB); what is larger is made of several
(see media/parts.py), so that any process can go on with what another began.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from atrium.kit.errors import Unavailable
from atrium.kit.settings import Settings, parse_storage_url

AT_ONCE = 256 * 1024  # bytes that are read before they are sent on
RETRIES: Any = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}  # someone waits for the answer
FAILED = (BaseError, OSError)


class StorageUnavailable(Unavailable):
    """The media storage cannot be reached just now. Try again."""

    code = "storage_unavailable"
    title = "The media storage is not available just now"


@dataclass(frozen=True)
class Storage:
    """An open storage. Each operation raises StorageUnavailable where the storage fails."""

    store: ObjectStore

    async def put(self, name: str, content: bytes) -> None:
        """Store a piece; it is there whole or not at all, and in a folder it outlasts a loss of power."""
        try:
            await obstore.put_async(self.store, name, content, use_multipart=False)
            if isinstance(self.store, LocalStore):
                await asyncio.to_thread(_settle, Path(str(self.store.prefix)), name)
        except FAILED as error:
            raise StorageUnavailable from error

    async def read(self, name: str, start: int, stop: int) -> AsyncIterator[bytes]:
        """The bytes of a piece from `start` to before `stop`."""
        try:
            found = await obstore.get_async(self.store, name, options={"range": (start, stop)})
            async for chunk in found.stream(AT_ONCE):
                yield bytes(chunk)
        except FAILED as error:
            raise StorageUnavailable from error

    async def size(self, name: str) -> int:
        """How many bytes a piece holds."""
        try:
            return int((await obstore.head_async(self.store, name))["size"])
        except FAILED as error:
            raise StorageUnavailable from error

    async def is_empty(self) -> bool:
        """Whether nothing lies here."""
        try:
            async for pieces in obstore.list(self.store, chunk_size=1):
                if pieces:
                    return False
        except FAILED as error:
            raise StorageUnavailable from error
        return True

    async def delete(self, folder: str) -> None:
        """Remove every piece in a folder; nothing happens where there is none."""
        try:
            async for pieces in obstore.list(self.store, folder):
                await obstore.delete_async(self.store, [piece["path"] for piece in pieces])
        except FAILED as error:
            raise StorageUnavailable from error


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
        return Storage(LocalStore(settings.data_dir / "media", mkdir=True, automatic_cleanup=True))
    url, options = parse_storage_url(settings.storage)
    client: Any = {"allow_http": options.get("endpoint", "").startswith("http:")}
    config: Any = options
    return Storage(from_url(url, config=config, client_options=client, retry_config=RETRIES))

"""Receive a body in parts, with a few MiB in memory and without holding a database connection."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from atrium.kit.errors import BodyCut, Unavailable
from atrium.kit.postgres.database import Pool, is_unavailable
from atrium.kit.storage import Storage
from atrium.media.media_type import SNIFF_BYTES
from atrium.media.parts import PART, put_part, read
from atrium.uploads import actions, quota
from atrium.uploads.model import Draft, EmptyFile, ReceivedUpload, UploadConflict

RESUMABLE_ERRORS = (BodyCut, Unavailable, UploadConflict)  # a resumable upload may continue in another request
Inspect = Callable[[bytes], object]


@dataclass
class _BodyWriter:
    """A body as it is written: `buffer` holds the bytes from offset `at` on, which are not stored yet."""

    pool: Pool
    storage: Storage
    draft: Draft
    at: int
    buffer: bytearray = field(default_factory=bytearray)

    async def add(self, chunk: bytes) -> None:
        """Add a chunk. The last part stays in the buffer until the upload is finished."""
        self.buffer += chunk
        self.draft.require_fits(self.at + len(self.buffer))
        while len(self.buffer) > PART:
            await self.store(PART)

    @property
    def unfinished(self) -> int:
        """Return how many buffered bytes to store when the body is cut off. The last byte is left out, because an
        upload with all bytes counts as finished."""
        size = len(self.buffer)
        return size if self.draft.size is None else max(0, min(size, self.draft.size - 1 - self.at))

    async def store(self, size: int) -> None:
        """Store the first bytes of the buffer."""
        content = bytes(memoryview(self.buffer)[:size])
        self.at = await actions.append(self.pool, self.storage, self.draft, self.at, content)
        del self.buffer[:size]


async def receive(
    pool: Pool, storage: Storage, draft: Draft, body: AsyncIterator[bytes], inspect: Inspect
) -> ReceivedUpload:
    """Receive a body. `inspect` is called with the beginning of the file as soon as it is known, and may raise.

    Raise BodyCut after storing what was received; UploadTooLarge, EmptyFile, InvalidRequest, UploadConflict,
    StorageUnavailable, StorageQuotaExceeded and what `inspect` raises. An upload that fails expires.
    """
    writing = _BodyWriter(pool, storage, draft, draft.received)
    try:
        return await _receive_all(writing, body, inspect)
    except Exception as error:
        may_continue = draft.resumable and (isinstance(error, RESUMABLE_ERRORS) or is_unavailable(error))
        if not may_continue:
            await actions.expire(pool, draft.upload_id)
        elif isinstance(error, BodyCut) and (size := writing.unfinished):
            await writing.store(size)
        raise


async def _receive_all(writing: _BodyWriter, body: AsyncIterator[bytes], inspect: Inspect) -> ReceivedUpload:
    draft, is_inspected = writing.draft, writing.draft.received >= SNIFF_BYTES
    async for chunk in body:
        await writing.add(chunk)
        if not is_inspected and writing.at == 0 and len(writing.buffer) >= SNIFF_BYTES:
            inspect(bytes(writing.buffer[:SNIFF_BYTES]))
            is_inspected = True
    reached = writing.at + len(writing.buffer)
    if draft.size is not None and reached < draft.size:
        if writing.buffer:
            await writing.store(len(writing.buffer))
        return ReceivedUpload(draft, reached, None)
    if reached == 0:
        raise EmptyFile
    if not is_inspected:
        inspect(await _beginning(writing))
    await quota.reserve(writing.pool, draft, reached)
    last = await put_part(writing.storage, draft.upload_id, writing.at, bytes(writing.buffer))
    return ReceivedUpload(draft, reached, last)


async def _beginning(writing: _BodyWriter) -> bytes:
    stored = read(writing.pool, writing.storage, writing.draft.upload_id, 0, min(SNIFF_BYTES, writing.at))
    return b"".join([chunk async for chunk in stored]) + bytes(writing.buffer[:SNIFF_BYTES])

"""Taking a body: into parts as it comes, a few MiB in memory, no connection held meanwhile."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from atrium.kit.database import Pool
from atrium.kit.errors import BodyCut, Unavailable
from atrium.kit.storage import Storage
from atrium.media.parts import PART, put_part, read
from atrium.media.sniff import ENOUGH
from atrium.uploads import actions, quota
from atrium.uploads.model import Draft, EmptyFile, Taken, UploadConflict

GOES_ON = (BodyCut, Unavailable, UploadConflict)  # a resumable upload may come further in another request
Look = Callable[[bytes], object]


@dataclass
class _Writing:
    """What came and is not stored yet: `held`, which stands at `at`."""

    pool: Pool
    storage: Storage
    draft: Draft
    at: int
    held: bytearray = field(default_factory=bytearray)

    async def take(self, chunk: bytes) -> None:
        """More bytes. The last part is always held back: it counts when the upload is finished."""
        self.held += chunk
        self.draft.require_fits(self.at + len(self.held))
        while len(self.held) > PART:
            await self.store(PART)

    @property
    def unfinished(self) -> int:
        """How much of what is held may be stored of a body that was cut. The last byte waits for a request that comes
        whole: an upload that holds all of them is one that became what it was for."""
        held = len(self.held)
        return held if self.draft.size is None else max(0, min(held, self.draft.size - 1 - self.at))

    async def store(self, size: int) -> None:
        """Store the first bytes of what is held."""
        content = bytes(memoryview(self.held)[:size])
        self.at = await actions.keep(self.pool, self.storage, self.draft, self.at, content)
        del self.held[:size]


async def receive(pool: Pool, storage: Storage, draft: Draft, body: AsyncIterator[bytes], look: Look) -> Taken:
    """Take a body. `look` is given the beginning of the file as soon as there is enough of it, and may refuse it.

    Raises BodyCut, with what came by then kept; UploadTooLarge, EmptyFile, InvalidRequest, UploadConflict,
    StorageUnavailable, StorageQuotaExceeded and what `look` raises. A refused upload is given up.
    """
    writing = _Writing(pool, storage, draft, draft.received)
    try:
        return await _take_all(writing, body, look)
    except Exception as error:
        if not (draft.resumable and isinstance(error, GOES_ON)):
            await actions.give_up(pool, draft.upload_id)
        elif isinstance(error, BodyCut) and (size := writing.unfinished):
            await writing.store(size)
        raise


async def _take_all(writing: _Writing, body: AsyncIterator[bytes], look: Look) -> Taken:
    draft, looked = writing.draft, writing.draft.received >= ENOUGH
    async for chunk in body:
        await writing.take(chunk)
        if not looked and writing.at == 0 and len(writing.held) >= ENOUGH:
            look(bytes(writing.held[:ENOUGH]))
            looked = True
    reached = writing.at + len(writing.held)
    if draft.size is not None and reached < draft.size:
        if writing.held:
            await writing.store(len(writing.held))
        return Taken(draft, reached, None)
    if reached == 0:
        raise EmptyFile
    if not looked:
        look(await _beginning(writing))
    await quota.reserve(writing.pool, draft, reached)
    last = await put_part(writing.storage, draft.upload_id, writing.at, bytes(writing.held))
    return Taken(draft, reached, last)


async def _beginning(writing: _Writing) -> bytes:
    stored = read(writing.pool, writing.storage, writing.draft.upload_id, 0, min(ENOUGH, writing.at))
    return b"".join([chunk async for chunk in stored]) + bytes(writing.held[:ENOUGH])

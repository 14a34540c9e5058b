"""One stream in the process that serves it: its subscription, and the events that wait to be sent."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable

from atrium.live.model import NO_ACCESS, Event, StreamPosition, Subscription

MAX_WAITING = 1 << 20  # bytes; a client that is further behind is disconnected and resumes by its last id
MAX_COUNTED = MAX_WAITING // 4  # bytes of one event; messages from before there was a limit have more
CHUNK = 1 << 16  # bytes, approximately; the HTTP server buffers a few chunks of each stream


class Listener:
    """Events for one client, in order, until the stream has ended."""

    __slots__ = ("_size", "_waiting", "_wake", "access", "ended", "joined", "owner", "subscription")

    def __init__(self, subscription: Subscription, owner: Hashable = None) -> None:
        loop = asyncio.get_running_loop()
        self.subscription, self.access = subscription, NO_ACCESS
        self.owner = owner  # whose share of the streams it uses
        self.joined: asyncio.Future[StreamPosition] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self._waiting: deque[bytes] = deque()
        self._size, self._wake = 0, asyncio.Event()

    def is_subscribed_to(self, event: Event) -> bool:
        """Return whether the client subscribed to the event; a change of access is for every stream of its actor."""
        room = self.subscription.room_id
        return event.is_public and (room is None or event.room_id == room or event.changes_access)

    def receives(self, event: Event) -> bool:
        """Return whether the event is for this stream."""
        return self.is_subscribed_to(event) and self.access.includes(event)

    def push(self, chunk: bytes) -> None:
        """Queue a chunk. The stream ends if the client has fallen too far behind."""
        if self.ended.done():
            return
        self._size += _counted(chunk)
        if self._size > MAX_WAITING:
            self.end()
        else:
            self._waiting.append(chunk)
            self._wake.set()

    def end(self) -> None:
        """End the stream: nothing more is sent."""
        self._waiting.clear()
        self._size = 0
        if not self.ended.done():
            self.ended.set_result(None)
        if not self.joined.done():
            self.joined.cancel()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the queued events, joined to chunks."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                yield self._next_chunk()

    def _next_chunk(self) -> bytes:
        chunks, size = list[bytes](), 0
        while self._waiting and size < CHUNK:
            chunks.append(self._waiting.popleft())
            size += len(chunks[-1])
            self._size -= _counted(chunks[-1])
        return b"".join(chunks)


def _counted(chunk: bytes) -> int:
    """Return the bytes that a chunk counts for: a single chunk never disconnects a client, however large."""
    return min(len(chunk), MAX_COUNTED)

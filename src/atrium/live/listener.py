"""One stream, as the process that serves it sees it: whom it is for, and what waits to be sent."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from atrium.live.model import NOWHERE, Event, Position, Reach, Wanted

MOST_WAITING = 1 << 20  # bytes; a client that is further behind is let go, and comes back by its last id
MOST_COUNTED = MOST_WAITING // 4  # bytes of one event; messages from before there was a bound have more
CHUNK = 1 << 16  # bytes, about; the HTTP server holds a few chunks of each stream


class Listener:
    """Events for one client, in order, until it has ended."""

    __slots__ = ("_size", "_waiting", "_wake", "ended", "joined", "reach", "wanted")

    def __init__(self, wanted: Wanted) -> None:
        loop = asyncio.get_running_loop()
        self.wanted, self.reach = wanted, NOWHERE
        self.joined: asyncio.Future[Position] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self._waiting: deque[bytes] = deque()
        self._size, self._wake = 0, asyncio.Event()

    def takes_over(self, reach: Reach) -> None:
        """What the caller reaches from now on."""
        self.reach = reach

    def wants(self, event: Event) -> bool:
        """Whether the client asked for it; a change of access concerns every stream of its actor."""
        room = self.wanted.room_id
        return event.is_shown and (room is None or event.room_id == room or event.changes_access)

    def hears(self, event: Event) -> bool:
        """Whether the event is one for this stream."""
        return self.wants(event) and self.reach.holds(event)

    def push(self, chunk: bytes) -> None:
        """Send this when the client has taken what is before it. Ends where the client has fallen too far behind."""
        if self.ended.done():
            return
        self._size += _counted(chunk)
        if self._size > MOST_WAITING:
            self.end()
        else:
            self._waiting.append(chunk)
            self._wake.set()

    def end(self) -> None:
        """Nothing more is sent."""
        self._waiting.clear()
        self._size = 0
        if not self.ended.done():
            self.ended.set_result(None)
        if not self.joined.done():
            self.joined.cancel()

    async def chunks(self) -> AsyncIterator[bytes]:
        """What was pushed, as much of it at once as goes into a chunk."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                yield self._next_chunk()

    def _next_chunk(self) -> bytes:
        taken, size = list[bytes](), 0
        while self._waiting and size < CHUNK:
            taken.append(self._waiting.popleft())
            size += len(taken[-1])
            self._size -= _counted(taken[-1])
        return b"".join(taken)


def _counted(chunk: bytes) -> int:
    """How many bytes a chunk counts for: no single one, however large, is to make a client late."""
    return min(len(chunk), MOST_COUNTED)

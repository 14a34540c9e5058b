"""A fair semaphore: one owner with many tasks does not delay other owners."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class FairSemaphore:
    """Limits concurrent tasks, and those of each owner to `per_owner`. Waiting owners take turns."""

    def __init__(self, places: int, per_owner: int = 1) -> None:
        self._free, self._per_owner = places, per_owner
        self._working: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}  # the next owner first

    @asynccontextmanager
    async def place(self, owner: Hashable) -> AsyncIterator[None]:
        """Acquire a place for `owner`."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(place)
        self._wake_next()
        try:
            await place
            yield
        finally:
            self._release(owner, place)

    def _release(self, owner: Hashable, place: asyncio.Future[None]) -> None:
        if place.done() and not place.cancelled():
            self._working[owner] -= 1
            if not self._working[owner]:
                del self._working[owner]
            self._free += 1
            if owner in self._waiting:  # after owners that have waited longer
                self._waiting[owner] = self._waiting.pop(owner)
        self._wake_next()

    def _wake_next(self) -> None:
        for owner in list(self._waiting):
            queue = self._waiting[owner]
            while queue and queue[0].cancelled():
                queue.popleft()
            if not queue:
                del self._waiting[owner]
            elif self._free and self._working[owner] < self._per_owner:
                self._free -= 1
                self._working[owner] += 1
                queue.popleft().set_result(None)

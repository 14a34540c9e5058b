"""Give the deliveries that a worker has claimed their turns: each endpoint has a window of attempts under way, and more
is claimed than fits into it, so that the next attempt begins when one ends, without asking the database."""

import asyncio
from collections import deque
from collections.abc import Iterator
from time import monotonic
from uuid import UUID

from atrium.webhooks.windows import START, Window

LONGEST_WAIT = 0.5  # seconds; what has waited longer is claimed again, since its webhook may have been changed
FORGET_AFTER = 30.0  # seconds; an endpoint without deliveries starts again as a new one does
CLAIMED_PER_PLACE = 2  # deliveries claimed for each place in the window: one under way, one waiting


class Endpoint:
    """The attempts of this worker for one webhook: how many are under way, and which wait."""

    def __init__(self) -> None:
        self.window, self.used_at = Window(), monotonic()
        self._under_way = self._may_grow = 0
        self._waiting = deque[tuple[asyncio.Future[bool], float]]()

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is under way."""
        return not self._under_way

    async def turn(self) -> bool:
        """Wait for a place in the window. Return False if none came soon enough, or the endpoint fails."""
        if self._under_way < int(self.window.size):
            self._under_way += 1
            return True
        self._may_grow = self._under_way
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((place, monotonic()))
        return await place

    def ended(self, seconds: float, *, succeeded: bool) -> None:
        """Record the end of an attempt, and give its place to the next."""
        self._under_way -= 1
        self.used_at = monotonic()
        if succeeded:
            self.window.answered(seconds, waiting=self._may_grow > 0)
            self._may_grow -= self._may_grow > 0
        else:
            self.window.failed()
            self.release()
        while self._waiting and self._under_way < int(self.window.size):
            place, since = self._waiting.popleft()
            in_time = self.used_at - since <= LONGEST_WAIT
            self._under_way += in_time
            place.set_result(in_time)

    def release(self) -> None:
        """Let nothing wait any longer."""
        while self._waiting:
            self._waiting.popleft()[0].set_result(False)


class Endpoints:
    """The endpoints of a worker."""

    def __init__(self) -> None:
        self._of_webhook: dict[UUID, Endpoint] = {}
        self._is_closed = False
        self._swept_at = monotonic()

    async def turn(self, webhook_id: UUID) -> Endpoint | None:
        """Wait for a place at the endpoint of a webhook, whose attempt must then end with `Endpoint.ended`. Return None
        if none came soon enough, the endpoint fails, or the worker stops."""
        endpoint = self._of(webhook_id)
        return endpoint if not self._is_closed and await endpoint.turn() else None

    def limits(self) -> tuple[list[UUID], list[int]]:
        """Return the webhooks whose windows differ from that of a new one, and how many deliveries may be claimed for
        each."""
        self._sweep()
        resized = [(key, each.window.size) for key, each in self._of_webhook.items() if each.window.size != START]
        return [key for key, _ in resized], [int(size) * CLAIMED_PER_PLACE for _, size in resized]

    def close(self) -> None:
        """Let nothing wait any longer, and nothing begin."""
        self._is_closed = True
        for endpoint in self._of_webhook.values():
            endpoint.release()

    def _of(self, webhook_id: UUID) -> Endpoint:
        found = self._of_webhook.get(webhook_id)
        if found is None:
            found = self._of_webhook[webhook_id] = Endpoint()
        return found

    def _sweep(self) -> None:
        now = monotonic()
        if now - self._swept_at > 1.0:
            self._swept_at = now
            for key in list(self._forgettable(now)):
                del self._of_webhook[key]

    def _forgettable(self, now: float) -> Iterator[UUID]:
        return (key for key, each in self._of_webhook.items() if each.is_idle and now - each.used_at > FORGET_AFTER)

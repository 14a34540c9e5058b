"""Give the deliveries that a worker has claimed their turns: each endpoint has a limit of attempts under way, and more
is claimed than that, so that the next attempt begins when one ends, without asking the database
(docs/decisions/0038-webhook-concurrency.md)."""

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from uuid import UUID

START, LEAST, MOST = 16, 2, 128  # attempts under way at an endpoint
LONGEST_WAIT = 0.5  # seconds; what has waited longer is claimed again, since its webhook may have been changed
FORGET_AFTER = 30.0  # seconds; an endpoint without deliveries starts again as a new one does
CLAIMED_PER_PLACE = 2  # deliveries claimed for each that may be under way: one is, one waits


@dataclass
class Congestion:
    """How many attempts may be under way at an endpoint, found as TCP finds how much a network takes.

    While deliveries wait, each answer adds one, which doubles the limit in a round of answers; once an attempt has
    failed, a round adds one. A failure takes a half, so a round of failures halves the limit.
    """

    limit: float = START
    _has_failed: bool = False

    def answered(self, *, waiting: bool) -> None:
        """Record an answer, and whether deliveries wait for a place."""
        if waiting:
            self.limit = min(MOST, self.limit + (1 / self.limit if self._has_failed else 1))

    def failed(self) -> None:
        """Record a failed attempt."""
        self._has_failed = True
        self.limit = max(LEAST, self.limit - 0.5)


class Endpoint:
    """The attempts of this worker for one webhook: how many are under way, and which wait."""

    def __init__(self) -> None:
        self.congestion, self.used_at = Congestion(), monotonic()
        self._under_way = self._may_grow = 0
        self._waiting = deque[tuple[asyncio.Future[bool], float]]()

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is under way."""
        return not self._under_way

    async def turn(self) -> bool:
        """Wait for a place. Return False if none came soon enough, or the endpoint fails."""
        if self._under_way < int(self.congestion.limit):
            self._under_way += 1
            return True
        self._may_grow = self._under_way
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((place, monotonic()))
        return await place

    def ended(self, *, succeeded: bool) -> None:
        """Record the end of an attempt, and give its place to the next."""
        self._under_way -= 1
        self.used_at = monotonic()
        if succeeded:
            self.congestion.answered(waiting=self._may_grow > 0)
            self._may_grow -= self._may_grow > 0
        else:
            self.congestion.failed()
            self.release()
        while self._waiting and self._under_way < int(self.congestion.limit):
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
        """Return the webhooks whose limits differ from that of a new one, and how many deliveries may be claimed for
        each."""
        self._sweep()
        found = [(key, each.congestion.limit) for key, each in self._of_webhook.items()]
        changed = [(key, int(limit)) for key, limit in found if limit != START]
        return [key for key, _ in changed], [limit * CLAIMED_PER_PLACE for _, limit in changed]

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

"""The streams of a process, and the one loop that follows the log for all of them.

In each iteration, the loop reads the log for everything that its streams can access, and sends each event to its
streams. It has its own connection, only while there are streams. A stream begins at the end of the first iteration that
started after its request, so it sends no earlier events. The loop applies changes of access before it sends the other
events of an iteration, so an event after such a change never reaches a client that has lost access.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from uuid import UUID

import asyncpg

from atrium.kit.clock import Clock, to_ms
from atrium.kit.errors import Problem, Unauthenticated, Unavailable
from atrium.kit.postgres.database import SESSION, Pool
from atrium.kit.postgres.hosts import connect
from atrium.kit.process.failures import log_failure
from atrium.kit.process.fair_semaphore import FairSemaphore
from atrium.kit.process.shares import Shares
from atrium.kit.settings import Settings
from atrium.live.event_log import begin, read_access, read_unseen
from atrium.live.listener import MAX_WAITING, Listener
from atrium.live.listeners import Listeners
from atrium.live.model import Event, StreamPosition, Subscription

# A day's partition is empty when the plan is made, but not for long.
FOLLOWER_SESSION = {**SESSION, "enable_seqscan": "off"}
POLL_INTERVAL, HEARTBEAT, PAUSE_AFTER_ERROR = 0.04, 15.0, 1.0  # seconds
PAGE, PAGE_BYTES = 1000, MAX_WAITING // 2  # events read together, and approximately how many bytes of them
ACCESSES_PER_QUERY = 500  # streams whose access is read together
# Streams that read missed events at the same time, so that requests find connections too; and those of an organization.
MAX_CATCH_UPS, MAX_CATCH_UPS_EACH = 3, 2

SHUTTING_DOWN = "The server is shutting down. Reconnect."


class TooManyStreams(Problem):
    """The limit of open streams per actor, or the share of the organization, is reached. Close some streams or retry
    later."""

    status = 429
    code = "too_many_streams"
    title = "Too many streams are open"
    headers = (("retry-after", "15"),)


class Hub:
    """Follows the log while there are streams."""

    def __init__(self, pool: Pool, settings: Settings, clock: Clock) -> None:
        self.pool, self._settings, self.clock = pool, settings, clock
        self.catching_up = FairSemaphore(MAX_CATCH_UPS, MAX_CATCH_UPS_EACH)
        self._places = Shares(settings.streams)
        self._listeners = Listeners()
        self._joining: list[Listener] = []
        self._by_actor: Counter[UUID] = Counter()
        self._has_streams, self._closed = asyncio.Event(), False
        self._position: StreamPosition | None = None
        self._heartbeat_at = 0.0

    async def join(self, subscription: Subscription) -> tuple[Listener, StreamPosition]:
        """Return a new stream and its position. Raise TooManyStreams, Unavailable, Unauthenticated."""
        if self._closed:
            raise Unavailable(SHUTTING_DOWN)
        listener = self._with_place(subscription)
        self._joining.append(listener)
        self._has_streams.set()
        try:
            return listener, await listener.joined
        except Unavailable:
            self.leave(listener)
            raise
        except asyncio.CancelledError:
            ended = listener.ended.done()
            self.leave(listener)
            if not ended:
                raise
            raise (
                Unavailable(SHUTTING_DOWN) if self._closed else Unauthenticated("The key has expired or was revoked.")
            ) from None

    def _with_place(self, subscription: Subscription) -> Listener:
        """Return a new stream that has a place. Raise TooManyStreams."""
        owner = self._places.least(subscription.organizations or [subscription.actor_id])
        if self._by_actor[subscription.actor_id] >= self._settings.streams_per_actor:
            raise TooManyStreams
        if not self._places.may_take(owner):
            raise TooManyStreams("The share of your organization in the streams of this server is used up.")
        self._places.take(owner)
        self._by_actor[subscription.actor_id] += 1
        return Listener(subscription, owner)

    def leave(self, listener: Listener) -> None:
        """Remove a stream that has ended."""
        listener.end()
        self._listeners.remove(listener)
        if listener in self._joining:
            self._joining.remove(listener)
        self._places.give_back(listener.owner)
        self._by_actor[listener.subscription.actor_id] -= 1
        if self._by_actor[listener.subscription.actor_id] <= 0:
            del self._by_actor[listener.subscription.actor_id]

    @property
    def count(self) -> int:
        """Return the number of streams."""
        return self._by_actor.total()

    def end_all(self) -> None:
        """End every stream and accept no new one: the server is shutting down."""
        self._closed = True
        for listener in [*self._listeners, *self._joining]:
            listener.end()

    def _end_joined(self) -> None:
        """End the streams that have joined; their clients resume by their last ids."""
        for listener in list(self._listeners):
            listener.end()

    async def run(self) -> None:
        """Follow the log whenever there are streams, until canceled."""
        while True:
            await self._has_streams.wait()
            try:
                async with self._connected() as db:
                    self._continue_from(await begin(db, self.clock()))
                    while self.count:
                        await self._poll(db)
                        await asyncio.sleep(POLL_INTERVAL)
                self._position = None
                if not self.count:
                    self._has_streams.clear()
            except Exception as error:
                log_failure("live events could not be read; retrying", error)
                self._reject_joining()
                self._send_heartbeat()
                await asyncio.sleep(PAUSE_AFTER_ERROR)

    def _reject_joining(self) -> None:
        """Let the waiting requests fail now: nobody knows when the log can be read again."""
        for listener in self._joining:
            if not listener.joined.done():
                listener.joined.set_exception(Unavailable())
                listener.joined.exception()  # its client may be gone

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[asyncpg.Connection]:
        db = await connect(self._settings.database_url or "", server_settings=FOLLOWER_SESSION, command_timeout=60)
        try:
            yield db
        finally:
            db.terminate()

    def _continue_from(self, present: StreamPosition) -> None:
        """Continue at the position before the connection broke. If the database has recovered from a crash, the
        position may name lost transactions: streams end, and start again with a `reset`."""
        if self._position is None or self._position.identity != present.identity:
            self._end_joined()
            self._position = present

    async def _poll(self, db: asyncpg.Connection) -> None:
        """Read new events, apply changes of access, and send the events."""
        now = self.clock()
        position = self._position = self._position or await begin(db, now)
        joining = list(self._joining)
        events, more, until = await read_unseen(
            db, self._listeners.log_filter(), seen=position.seen, max_events=PAGE, max_bytes=PAGE_BYTES
        )
        stale = set(self._listeners) if more else self._listeners.affected_by(events)
        stale |= self._listeners.expired(now)
        widened = await self._update_reach(db, stale)
        if not more and not widened:
            self._send(events, position._replace(until=until))
        else:
            try:
                await self._send_pages(db, position._replace(until=until))
            except Exception:
                self._end_joined()  # some received part of the batch; they resume from their last event id
                raise
        self._position = position._replace(at_ms=to_ms(now), seen=until)
        await self._add_streams(db, joining, self._position)
        self._send_heartbeat()

    async def _add_streams(self, db: asyncpg.Connection, joining: Sequence[Listener], position: StreamPosition) -> None:
        """Add the waiting streams, at the position of the loop, with their current access."""
        await self._update_reach(db, [each for each in joining if not each.ended.done()])
        for listener in joining:
            if not listener.joined.done():
                listener.joined.set_result(position)
        self._joining = [each for each in self._joining if each not in self._listeners and not each.ended.done()]

    async def _update_reach(self, db: asyncpg.Connection, stale: Iterable[Listener]) -> bool:
        """Read the access of these streams, and end those whose key no longer works. Return whether any of them can
        access something that no stream could access before."""
        widened, listeners = False, list(stale)
        for start in range(0, len(listeners), ACCESSES_PER_QUERY):
            batch = listeners[start : start + ACCESSES_PER_QUERY]
            accesses = await read_access(db, [each.subscription for each in batch], self.clock())
            for listener, access in zip(batch, accesses, strict=True):
                if access is None:
                    self._listeners.remove(listener)
                    listener.end()
                elif not listener.ended.done():
                    widened |= self._listeners.put(listener, access)
        return widened

    async def _send_pages(self, db: asyncpg.Connection, at: StreamPosition) -> None:
        """Read the events again in pages and send them: access was widened, or they are too many for one page."""
        more = True
        while more:
            by = self._listeners.log_filter()
            events, more, _ = await read_unseen(
                db, by, seen=at.seen, until=at.until, after=at.seq, max_events=PAGE, max_bytes=PAGE_BYTES
            )
            self._send(events, at)
            at = at._replace(seq=events[-1].seq) if more else at

    def _send(self, events: Sequence[Event], at: StreamPosition) -> None:
        """Render each event once, and queue it for the streams that it is for."""
        for event in events:
            chunk = b""
            for listener in self._listeners.of(event):
                if listener.receives(event):
                    chunk = chunk or event.render(at._replace(seq=event.seq))
                    listener.push(chunk)

    def _send_heartbeat(self) -> None:
        """Send a line that keeps connections open and advances the client's last id, every 15 seconds."""
        if self._position is None or time.monotonic() < self._heartbeat_at:
            return
        self._heartbeat_at = time.monotonic() + HEARTBEAT
        beat = f":\nid: {self._position}\n\n".encode()
        for listener in list(self._listeners):
            listener.push(beat)

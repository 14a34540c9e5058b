"""The streams of a process, and the one loop that follows the log for all of them.

The loop asks the log once a turn for what its streams reach, and hands each event on to those that it is for. It has a
connection of its own, and only while there are streams. Streams begin where the first turn ends that began after they
were asked for, so they tell nothing that was there before; and a change of access is heeded before anything else of its
turn, so nothing that was sent after it is ever handed to who lost it.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from uuid import UUID

import asyncpg
import structlog

from atrium.kit.clock import Clock, to_ms
from atrium.kit.database import SESSION, Pool
from atrium.kit.errors import Problem, Unauthenticated, Unavailable
from atrium.kit.settings import Settings
from atrium.live.audience import Audience
from atrium.live.listener import MOST_WAITING, Listener
from atrium.live.model import Event, Position, Wanted
from atrium.live.reading import begin, read_reaches, read_unseen

log = structlog.get_logger()
# A day's partition is empty when the plan is made and is not for long.
FOLLOWER = {**SESSION, "enable_seqscan": "off"}
TURN, HEARTBEAT, PAUSE_AFTER_ERROR = 0.04, 15.0, 1.0  # seconds
PAGE, PAGE_BYTES = 1000, MOST_WAITING // 2  # events read at once, and about how many bytes of them
AT_ONCE = 500  # streams whose reach is read at once
CATCHING_UP = 3  # streams that read what they missed at the same moment, so that requests find connections too

STOPPING = "This process is about to stop; connect again."


class TooManyStreams(Problem):
    """You have as many streams open as an actor may, by all keys together, or the server as many as it takes: close
    some, or come later."""

    status = 429
    code = "too_many_streams"
    title = "Too many streams are open"
    headers = (("retry-after", "15"),)


class Hub:
    """Follows the log while somebody listens."""

    def __init__(self, pool: Pool, settings: Settings, clock: Clock) -> None:
        self.pool, self._settings, self.clock = pool, settings, clock
        self.catching_up = asyncio.Semaphore(CATCHING_UP)
        self._audience = Audience()
        self._joining: list[Listener] = []
        self._by_actor: Counter[UUID] = Counter()
        self._someone, self._closed = asyncio.Event(), False
        self._position: Position | None = None
        self._heartbeat_at = 0.0

    async def join(self, wanted: Wanted) -> tuple[Listener, Position]:
        """A new stream, and where it begins. Raises TooManyStreams, Unavailable, Unauthenticated."""
        if self._closed:
            raise Unavailable(STOPPING)
        if self._by_actor[wanted.actor_id] >= self._settings.streams_per_key or self.count >= self._settings.streams:
            raise TooManyStreams
        listener = Listener(wanted)
        self._by_actor[wanted.actor_id] += 1
        self._joining.append(listener)
        self._someone.set()
        try:
            return listener, await listener.joined
        except asyncio.CancelledError:
            ended = listener.ended.done()
            self.leave(listener)
            if not ended:
                raise
            raise (Unavailable(STOPPING) if self._closed else Unauthenticated("The key has just stopped.")) from None

    def leave(self, listener: Listener) -> None:
        """The stream is over."""
        listener.end()
        self._audience.remove(listener)
        if listener in self._joining:
            self._joining.remove(listener)
        self._by_actor[listener.wanted.actor_id] -= 1
        if self._by_actor[listener.wanted.actor_id] <= 0:
            del self._by_actor[listener.wanted.actor_id]

    @property
    def count(self) -> int:
        """How many streams there are."""
        return self._by_actor.total()

    def end_all(self) -> None:
        """Every stream ends, and none begins any more: the process is about to stop."""
        self._closed = True
        for listener in [*self._audience, *self._joining]:
            listener.end()

    def _let_all_go(self) -> None:
        """Who has been let in comes back by his last id."""
        for listener in list(self._audience):
            listener.end()

    async def run(self) -> None:
        """Follow the log, whenever there are streams."""
        while True:
            await self._someone.wait()
            try:
                async with self._connected() as db:
                    self._take_up(await begin(db, self.clock()))
                    while self.count:
                        await self._turn(db)
                        await asyncio.sleep(TURN)
                self._position = None
                if not self.count:
                    self._someone.clear()
            except Exception as error:
                log.warning("live events could not be read and will be tried again", error=repr(error))
                self._beat()
                await asyncio.sleep(PAUSE_AFTER_ERROR)

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[asyncpg.Connection]:
        db = await asyncpg.connect(self._settings.database_url, server_settings=FOLLOWER, command_timeout=60)
        try:
            yield db
        finally:
            db.terminate()

    def _take_up(self, present: Position) -> None:
        """Go on where the loop stood before its connection broke. Where the database has come back from a crash, that
        names transactions that may not have been: streams end, and begin anew with a `reset`."""
        if self._position is None or self._position.identity != present.identity:
            self._let_all_go()
            self._position = present

    async def _turn(self, db: asyncpg.Connection) -> None:
        """Read what is new, look anew at what those reach whom it concerns, and hand it on."""
        now = self.clock()
        position = self._position = self._position or await begin(db, now)
        joining = list(self._joining)
        events, more, upto = await read_unseen(
            db, self._audience.read_by(), seen=position.seen, most=PAGE, most_bytes=PAGE_BYTES
        )
        whole = not more
        stale = self._audience.concerned_by(events) if whole else set(self._audience)
        stale |= self._audience.expired(now)
        widened = await self._look_anew(db, stale)
        if whole and not widened:
            self._hand_on(events, position._replace(upto=upto))
        else:
            try:
                await self._hand_on_pages(db, position._replace(upto=upto))
            except Exception:
                self._let_all_go()  # some have got a part: their last id says which, the next turn would not
                raise
        self._position = position._replace(at_ms=to_ms(now), seen=upto)
        await self._admit(db, joining, self._position)
        self._beat()

    async def _admit(self, db: asyncpg.Connection, joining: Sequence[Listener], position: Position) -> None:
        """Let those in who waited: they begin where the loop stands, and reach what they reach by now."""
        await self._look_anew(db, [each for each in joining if not each.ended.done()])
        for listener in joining:
            if not listener.joined.done():
                listener.joined.set_result(position)
        self._joining = [each for each in self._joining if each not in self._audience and not each.ended.done()]

    async def _look_anew(self, db: asyncpg.Connection, stale: Iterable[Listener]) -> bool:
        """Read what these reach, end those whose key has stopped; whether any reaches what none had reached before."""
        widened, asked = False, list(stale)
        for at in range(0, len(asked), AT_ONCE):
            some = asked[at : at + AT_ONCE]
            reaches = await read_reaches(db, [each.wanted for each in some], self.clock())
            for listener, reach in zip(some, reaches, strict=True):
                if reach is None:
                    self._audience.remove(listener)
                    listener.end()
                elif not listener.ended.done():
                    widened |= self._audience.put(listener, reach)
        return widened

    async def _hand_on_pages(self, db: asyncpg.Connection, at: Position) -> None:
        """The same events read again, for who reaches more by now, or because they are too many to be read at once."""
        more = True
        while more:
            by = self._audience.read_by()
            events, more, _ = await read_unseen(
                db, by, seen=at.seen, upto=at.upto, after=at.seq, most=PAGE, most_bytes=PAGE_BYTES
            )
            self._hand_on(events, at)
            at = at._replace(seq=events[-1].seq) if more else at

    def _hand_on(self, events: Sequence[Event], at: Position) -> None:
        """Render each event once, and give it to those that it is for."""
        for event in events:
            chunk = b""
            for listener in self._audience.of(event):
                if listener.hears(event):
                    chunk = chunk or event.rendered(at._replace(seq=event.seq))
                    listener.push(chunk)

    def _beat(self) -> None:
        """Now and then, a line that keeps connections open and moves the client's last id on."""
        if self._position is None or time.monotonic() < self._heartbeat_at:
            return
        self._heartbeat_at = time.monotonic() + HEARTBEAT
        beat = f":\nid: {self._position}\n\n".encode()
        for listener in list(self._audience):
            listener.push(beat)

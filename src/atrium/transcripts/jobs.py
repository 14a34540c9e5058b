"""Transcribing in the background: claim a recording, hear it, publish what was heard. Any number of workers may.

A claim is a lease that is drawn out while the work goes on: what a killed worker had claimed is due again when it ends.
Nothing of a transcript is seen before all of it is there.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import IO
from uuid import UUID, uuid4

import structlog

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.kit.clock import Clock
from atrium.kit.database import Connection, Pool, Record, is_lost
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, StorageUnavailable
from atrium.media import parts
from atrium.transcripts import queries
from atrium.transcripts.actions import KEPT_WHAT_WAS_PUT, Said, TranscriptChanged, publish
from atrium.transcripts.audio import audio_of
from atrium.transcripts.engine import CannotTranscribe, Engine, Heard, TryAgain
from atrium.transcripts.local import LocalEngine
from atrium.transcripts.model import Segment, Unsound, sound
from atrium.transcripts.reading import Origin
from atrium.transcripts.remote import RemoteEngine

log = structlog.get_logger()
LEASE = timedelta(seconds=60)
KEEP_EVERY, LOOK_EVERY = 10.0, 2.0  # seconds
PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))  # before the second attempt, and so on
MOST_ATTEMPTS = len(PAUSES) + 1
NOTHING_HEARD = "No speech was heard in the recording."
ENDED_OFTEN = "Transcribing ended unexpectedly, again and again."
FAULT = "Transcribing failed by a fault of the server; its log has the details."


@dataclass(frozen=True)
class Claimed:
    """A recording that this worker transcribes; `claim` tells it from any other time that somebody did."""

    room_id: UUID
    recording_id: UUID
    claim: UUID
    language: str | None
    attempts: int
    over_version: int

    @property
    def place(self) -> tuple[UUID, UUID]:
        """The recording's room and id."""
        return self.room_id, self.recording_id


class TakenAway(Exception):
    """The work is not this worker's any more: a transcript was put, the recording deleted, or the lease ran out."""


def engine_of(settings: Settings) -> Engine:
    """The engine that the operator chose; `settings.transcriber` has to be set."""
    if settings.transcriber in (None, "local"):
        return LocalEngine()
    return RemoteEngine(settings.transcriber or "", key=settings.transcriber_key, model=settings.transcriber_model)


class Transcriber:
    """Transcribes what is due, some recordings at once."""

    def __init__(self, pool: Pool, storage: Storage, settings: Settings, clock: Clock, engine: Engine) -> None:
        self._pool, self._storage, self._settings, self._clock = pool, storage, settings, clock
        self._engine = engine

    async def run(self) -> None:
        """Transcribe until this is cancelled; what is under way then goes back in line."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._settings.transcription_jobs):
                group.create_task(self._go_on())

    async def _go_on(self) -> None:
        while True:
            try:
                while await self.transcribe_next():
                    pass
            except Exception as error:
                log.log(30 if is_lost(error) else 40, "transcribing failed and will be tried again", error=repr(error))
            await asyncio.sleep(LOOK_EVERY)

    async def transcribe_next(self) -> bool:
        """Transcribe what has waited longest; whether there was anything."""
        now, claim = self._clock(), uuid4()
        row: Record | None = await self._pool.fetchrow(queries.CLAIM, now, now + LEASE, claim)
        if row is None:
            return False
        claimed = Claimed(claim=claim, **row)
        try:
            await self._attempt(claimed)
        except TakenAway:
            log.info("a transcription is not needed any more", recording_id=str(claimed.recording_id))
        except asyncio.CancelledError:
            await self._put_back(claimed)
            raise
        return True

    async def _attempt(self, claimed: Claimed) -> None:
        try:
            if claimed.attempts > MOST_ATTEMPTS:
                raise CannotTranscribe(ENDED_OFTEN)
            source: Record | None = await self._pool.fetchrow(queries.SOURCE, *claimed.place)
            if source is None:
                raise CannotTranscribe("The recording is not there any more.")
            heard = await self._hear(claimed, source)
            await self._publish(claimed, source, heard)
        except CannotTranscribe as error:
            await self._end(claimed, "failed", str(error))
        except (TryAgain, StorageUnavailable) as error:
            await self._later(claimed, str(error))
        except TakenAway:
            raise
        except Exception as error:
            if is_lost(error):
                raise
            log.error("a transcription failed", recording_id=str(claimed.recording_id), exc_info=error)
            await self._later(claimed, FAULT)

    async def _hear(self, claimed: Claimed, source: Record) -> Heard:
        """Hear the recording while the lease is kept. Raises CannotTranscribe, TryAgain, TakenAway."""
        done = _Done()
        keeping = asyncio.create_task(self._keep(claimed, done))
        hearing = asyncio.create_task(self._hear_media(claimed, source, done))
        try:
            await asyncio.wait([keeping, hearing], return_when=asyncio.FIRST_COMPLETED)
            return keeping.result() if keeping.done() else hearing.result()
        finally:
            keeping.cancel()
            hearing.cancel()
            await asyncio.gather(keeping, hearing, return_exceptions=True)

    async def _hear_media(self, claimed: Claimed, source: Record, done: "_Done") -> Heard:
        async with self._media(source) as media, audio_of(media) as audio:

            def progress(seconds: float) -> None:
                length = (source["duration_ms"] or 0) / 1000 or audio.seconds
                done.share = min(0.99, seconds / length) if length else 0.0

            heard = await self._engine.transcribe(audio, claimed.language, progress)
        try:
            segments: list[Segment] = sound(heard.segments)
        except Unsound as error:
            raise TryAgain(f"The transcriber gave a segment that {error.why}.") from None
        if not segments:
            raise CannotTranscribe(NOTHING_HEARD)
        return Heard(segments, heard.language)

    @asynccontextmanager
    async def _media(self, source: Record) -> AsyncIterator[IO[bytes]]:
        """The recording in a file without a name, which is gone with whoever has it open."""
        folder = self._settings.data_dir / "run"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            async for chunk in parts.read(self._pool, self._storage, source["object"], 0, source["size"]):
                await asyncio.to_thread(file.write, chunk)
            file.flush()
            file.seek(0)
            yield file

    async def _keep(self, claimed: Claimed, done: "_Done") -> Heard:
        """Draw the lease out and tell how far it is. Only ends by raising TakenAway."""
        while True:
            await asyncio.sleep(KEEP_EVERY)
            due = self._clock() + LEASE
            try:
                kept = await self._pool.fetchval(queries.KEEP, *claimed.place, claimed.claim, due, done.share)
            except Exception as error:
                if not is_lost(error):
                    raise
            else:
                if not kept:
                    raise TakenAway

    async def _publish(self, claimed: Claimed, source: Record, heard: Heard) -> None:
        """What was heard becomes the transcript, unless there is another by now."""
        now = self._clock()
        said = Said(heard.segments, Origin.TRANSCRIBER, heard.language)
        try:
            async with self._pool.acquire() as db, db.transaction():
                await _finish(db, claimed, now)
                made = await publish(db, claimed.place, said, now, seen=claimed.over_version)
                target = Target("recording", claimed.recording_id, source["name"])
                change = Change("transcript.put", target, source["organization_id"], after=made.version_alone)
                await trail.record(db, trail.system("transcription", now), change)
        except TranscriptChanged:
            await self._end(claimed, "done", KEPT_WHAT_WAS_PUT)

    async def _end(self, claimed: Claimed, status: str, reason: str) -> None:
        await self._pool.fetchval(queries.END, *claimed.place, claimed.claim, self._clock(), status, reason)

    async def _later(self, claimed: Claimed, reason: str) -> None:
        """Try again after a pause, or fail when that was done often enough."""
        if claimed.attempts >= MOST_ATTEMPTS:
            await self._end(claimed, "failed", reason)
            return
        due = self._clock() + PAUSES[claimed.attempts - 1]
        await self._pool.execute(queries.AGAIN, *claimed.place, claimed.claim, due, reason, claimed.attempts)

    async def _put_back(self, claimed: Claimed) -> None:
        """The worker stops: the next one goes on at once, and this counts as no attempt."""
        again = (self._clock(), None, claimed.attempts - 1)
        await asyncio.shield(self._pool.execute(queries.AGAIN, *claimed.place, claimed.claim, *again))


class _Done:
    """How much of a recording was heard, from 0 to 1."""

    share = 0.0


async def _finish(db: Connection, claimed: Claimed, now: datetime) -> None:
    """End the work, inside the transaction of its outcome. Raises TakenAway."""
    there = await db.fetchval(queries.HOLD, *claimed.place)
    if not there or not await db.fetchval(queries.END, *claimed.place, claimed.claim, now, "done", None):
        raise TakenAway

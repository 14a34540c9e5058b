"""Transcribe in the background: claim a recording, transcribe it, publish the result. Any number of workers can run.

A claim is a lease that is renewed during the work: if a worker is killed, its recording is claimed again when the lease
expires. A transcript is published completely or not at all.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import IO, TYPE_CHECKING
from uuid import UUID, uuid4

import structlog

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Connection, Pool, Record, is_connection_error, is_out_of_room, is_unavailable
from atrium.kit.process.deferred import Deferred
from atrium.kit.process.failures import log_failure, log_unavailable
from atrium.kit.process.shares import Turns
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, StorageUnavailable
from atrium.media import parts
from atrium.transcripts import queries
from atrium.transcripts.actions import SUPERSEDED, NewTranscript, TranscriptChanged, publish
from atrium.transcripts.audio import audio_of
from atrium.transcripts.engine import PermanentError, TemporaryError, TranscriptionResult
from atrium.transcripts.model import InvalidSegment, Segment, validated
from atrium.transcripts.reading import Origin

if TYPE_CHECKING:
    from atrium.transcripts import remote
else:
    remote = Deferred("atrium.transcripts.remote")

log = structlog.get_logger()
LEASE = timedelta(seconds=60)
RENEW_INTERVAL, POLL_INTERVAL = 10.0, 2.0  # seconds
PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))  # before the second attempt, and so on
MAX_ATTEMPTS = len(PAUSES) + 1
NO_SPEECH = "The recording contains no speech."
STOPPED_REPEATEDLY = "The transcription stopped unexpectedly several times."
NO_ROOM = "The server has no room for it at the moment; see the server's log."
SERVER_ERROR = "The transcription failed because of a server error; see the server's log."


@dataclass(frozen=True)
class ClaimedRecording:
    """A recording that this worker transcribes. `claim` is the id of this claim."""

    room_id: UUID
    recording_id: UUID
    claim: UUID
    language: str | None
    attempts: int
    over_version: int
    organization_id: UUID

    @property
    def place(self) -> tuple[UUID, UUID]:
        """Return the recording's room and id."""
        return self.room_id, self.recording_id


class ClaimLost(Exception):
    """The worker lost its claim: a transcript was added, the recording was deleted, or the lease expired."""


class Transcriber:
    """Transcribe the recordings that are due, several concurrently. `settings.transcriber` must be set."""

    def __init__(self, pool: Pool, storage: Storage, settings: Settings, clock: Clock) -> None:
        self._pool, self._storage, self._settings, self._clock = pool, storage, settings, clock
        self._turns = Turns()
        self._engine = remote.RemoteEngine(
            settings.transcriber or "", key=settings.transcriber_key, model=settings.transcriber_model
        )

    async def run(self) -> None:
        """Transcribe until this is canceled; unfinished recordings go back into the queue."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._settings.transcription_jobs):
                group.create_task(self._poll())

    async def _poll(self) -> None:
        while True:
            try:
                while await self.transcribe_next():
                    pass
            except Exception as error:
                log_failure("transcription failed and will be retried", error)
            await asyncio.sleep(POLL_INTERVAL)

    async def transcribe_next(self) -> bool:
        """Transcribe the recording of the next organization that is due longest; return whether there was one."""
        now, claim = self._clock(), uuid4()
        row: Record | None = await self._pool.fetchrow(queries.CLAIM, now, now + LEASE, claim, self._turns.served)
        if row is None:
            return False
        recording = ClaimedRecording(claim=claim, **row)
        self._turns.serve(recording.organization_id)
        try:
            await self._attempt(recording)
        except ClaimLost:
            log.info("a transcription is no longer needed", recording_id=str(recording.recording_id))
        except asyncio.CancelledError:
            await self._release(recording)
            raise
        return True

    async def _attempt(self, recording: ClaimedRecording) -> None:
        try:
            if recording.attempts > MAX_ATTEMPTS:
                raise PermanentError(STOPPED_REPEATEDLY)
            source: Record | None = await self._pool.fetchrow(queries.SOURCE, *recording.place)
            if source is None:
                raise PermanentError("The recording was deleted.")
            result = await self._transcribe(recording, source)
            await self._publish(recording, source, result)
        except PermanentError as error:
            await self._end(recording, "failed", str(error))
        except (TemporaryError, StorageUnavailable) as error:
            await self._retry_later(recording, str(error))
        except ClaimLost:
            raise
        except Exception as error:
            if is_out_of_room(error):
                log_unavailable("a transcription waits for room", error, recording_id=str(recording.recording_id))
                return await self._retry(recording, PAUSES[0], NO_ROOM, recording.attempts - 1)
            if is_connection_error(error):
                raise
            log.error("a transcription failed", recording_id=str(recording.recording_id), exc_info=error)
            await self._retry_later(recording, SERVER_ERROR)

    async def _transcribe(self, recording: ClaimedRecording, source: Record) -> TranscriptionResult:
        """Transcribe the recording while renewing the lease. Raise PermanentError, TemporaryError, ClaimLost."""
        progress = _Progress()
        renewing = asyncio.create_task(self._renew(recording, progress))
        transcribing = asyncio.create_task(self._transcribe_media(recording, source, progress))
        try:
            await asyncio.wait([renewing, transcribing], return_when=asyncio.FIRST_COMPLETED)
            return renewing.result() if renewing.done() else transcribing.result()
        finally:
            renewing.cancel()
            transcribing.cancel()
            await asyncio.gather(renewing, transcribing, return_exceptions=True)

    async def _transcribe_media(
        self, recording: ClaimedRecording, source: Record, progress: "_Progress"
    ) -> TranscriptionResult:
        async with self._media(source) as media, audio_of(media) as audio:

            def report(seconds: float) -> None:
                length = (source["duration_ms"] or 0) / 1000 or audio.seconds
                progress.share = min(0.99, seconds / length) if length else 0.0

            result = await self._engine.transcribe(audio, recording.language, report)
        try:
            segments: list[Segment] = validated(result.segments)
        except InvalidSegment as error:
            raise TemporaryError(f"The transcriber returned a segment that {error.reason}.") from None
        if not segments:
            raise PermanentError(NO_SPEECH)
        return TranscriptionResult(segments, result.language)

    @asynccontextmanager
    async def _media(self, source: Record) -> AsyncIterator[IO[bytes]]:
        """Yield the recording in an unnamed temporary file, which is deleted when it is closed."""
        folder = self._settings.data_dir / "run"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            async for chunk in parts.read(self._pool, self._storage, source["object"], 0, source["size"]):
                await asyncio.to_thread(file.write, chunk)
            file.flush()
            file.seek(0)
            yield file

    async def _renew(self, recording: ClaimedRecording, progress: "_Progress") -> TranscriptionResult:
        """Renew the lease and store the progress, until the task is canceled. Raise ClaimLost."""
        while True:
            await asyncio.sleep(RENEW_INTERVAL)
            due = self._clock() + LEASE
            try:
                renewed = await self._pool.fetchval(
                    queries.RENEW, *recording.place, recording.claim, due, progress.share
                )
            except Exception as error:
                if not is_unavailable(error):
                    raise
            else:
                if not renewed:
                    raise ClaimLost

    async def _publish(self, recording: ClaimedRecording, source: Record, result: TranscriptionResult) -> None:
        """Publish the result, unless a transcript was added meanwhile."""
        now = self._clock()
        transcript = NewTranscript(result.segments, Origin.TRANSCRIBER, result.language)
        try:
            async with self._pool.acquire() as db, db.transaction():
                await _finish(db, recording, now)
                published = await publish(db, recording.place, transcript, now, expected=recording.over_version)
                target = Target("recording", recording.recording_id, source["name"])
                change = Change("transcript.put", target, source["organization_id"], after=published.without_text)
                await trail.record(db, trail.system("transcription", now), change)
        except TranscriptChanged:
            await self._end(recording, "done", SUPERSEDED)

    async def _end(self, recording: ClaimedRecording, status: str, reason: str) -> None:
        await self._pool.fetchval(queries.END, *recording.place, recording.claim, self._clock(), status, reason)

    async def _retry_later(self, recording: ClaimedRecording, reason: str) -> None:
        """Retry after a pause, or fail after the last attempt."""
        if recording.attempts >= MAX_ATTEMPTS:
            await self._end(recording, "failed", reason)
            return
        await self._retry(recording, PAUSES[recording.attempts - 1], reason, recording.attempts)

    async def _release(self, recording: ClaimedRecording) -> None:
        """Release the claim when the worker stops; this does not count as an attempt."""
        await asyncio.shield(self._retry(recording, timedelta(), None, recording.attempts - 1))

    async def _retry(self, recording: ClaimedRecording, pause: timedelta, reason: str | None, attempts: int) -> None:
        due = self._clock() + pause
        await self._pool.execute(queries.RETRY, *recording.place, recording.claim, due, reason, attempts)


class _Progress:
    """The share of a recording that is transcribed, from 0 to 1."""

    share = 0.0


async def _finish(db: Connection, recording: ClaimedRecording, now: datetime) -> None:
    """Finish the claim in the transaction that publishes its result. Raise ClaimLost."""
    exists = await db.fetchval(queries.LOCK, *recording.place)
    if not exists or not await db.fetchval(queries.END, *recording.place, recording.claim, now, "done", None):
        raise ClaimLost

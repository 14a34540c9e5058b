"""Put and delete transcripts, start transcriptions. The first version is an event (docs/contract.md#transcripts)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import Raw

from atrium.audit.trail import AuditedFields, Change, Target
from atrium.events import WebhookEventKind
from atrium.keys.caller import Call
from atrium.kit.clock import rfc3339
from atrium.kit.errors import Conflict
from atrium.kit.http.request import Request
from atrium.kit.postgres.database import Connection
from atrium.permissions import READ_ROOM
from atrium.recordings.reach import ReachedRecording, RecordingNotFound, Transcription
from atrium.rooms.reach import reach_room, require_open
from atrium.transcripts import queries
from atrium.transcripts.forms import TranscriptPut, base_version, validated_segments
from atrium.transcripts.model import Language, Segment
from atrium.transcripts.reading import Origin, StoredTranscript, TranscriptNotFound, find_transcript

SUPERSEDED = "Someone added a transcript in the meantime."


class TranscriptionUnavailable(Conflict):
    """No transcriber is configured on this server. The operator can set one with `ATRIUM_TRANSCRIBER`."""

    code = "no_transcriber"
    title = "Transcription is not configured on this server"


class TranscriptChanged(Conflict):
    """The change is based on another version of the transcript than the current one, which is in `transcript` if there
    is one."""

    code = "transcript_changed"
    title = "The transcript has changed"


@dataclass(frozen=True)
class NewTranscript:
    """A transcript to publish: valid segments, their origin and creator."""

    segments: Sequence[Segment]
    origin: Origin
    language: str | None = None
    created_by: UUID | None = None


async def publish(
    db: Connection, key: tuple[UUID, UUID], transcript: NewTranscript, now: datetime, *, expected: int | None = None
) -> StoredTranscript:
    """Create a version of a recording's transcript; `key` is its room and id. The first version publishes the event.

    `expected` is the version that it is based on: 0 for none, None for any. Raise TranscriptChanged.
    """
    version: int | None = await db.fetchval(
        queries.PUT,
        *key,
        now,
        expected,
        transcript.language,
        transcript.origin,
        transcript.created_by,
        len(transcript.segments),
        msgspec.json.encode(transcript.segments).decode(),
    )
    if version is None:
        raise await _changed(db, key)
    if version == 1:
        await _emit_published(db, key, now)
    return await find_transcript(db, *key)


async def _changed(db: Connection, key: tuple[UUID, UUID]) -> TranscriptChanged:
    try:
        return TranscriptChanged(transcript=Raw(msgspec.json.encode(await find_transcript(db, *key))))
    except TranscriptNotFound:
        return TranscriptChanged("The recording no longer has a transcript.")


async def _emit_published(db: Connection, key: tuple[UUID, UUID], now: datetime) -> None:
    room_id, recording_id = key
    data = {"recording_id": str(recording_id), "room_id": str(room_id), "created_at": rfc3339(now)}
    await db.execute(
        queries.LOG_PUBLISHED, room_id, WebhookEventKind.TRANSCRIPT_PUBLISHED, msgspec.json.encode(data).decode()
    )


async def cancel_transcription(db: Connection, place: tuple[UUID, UUID], now: datetime) -> None:
    """Cancel a transcription of the recording that is waiting or running."""
    await db.execute(queries.CANCEL, *place, now, SUPERSEDED)


async def put_transcript(
    call: Call, recording: ReachedRecording, put: TranscriptPut, request: Request
) -> StoredTranscript:
    """Publish a new version. Raise RoomArchived, RecordingNotFound, InvalidTranscript, TranscriptChanged."""
    await _lock_open(call, recording)
    place = _place(recording)
    transcript = NewTranscript(validated_segments(put), Origin.PUT, put.language, call.caller.actor_id)
    await cancel_transcription(call.db, place, call.now)
    published = await publish(call.db, place, transcript, call.now, expected=base_version(put, request))
    await call.record(_change("transcript.put", recording, after=published.without_text))
    return published


async def delete_transcript(call: Call, recording: ReachedRecording) -> None:
    """Delete all versions of a transcript. Raise RoomArchived, RecordingNotFound, TranscriptNotFound."""
    await _lock_open(call, recording)
    place = _place(recording)
    found = await find_transcript(call.db, *place)
    await call.db.execute(queries.DELETE, *place, call.now)
    await call.record(_change("transcript.deleted", recording, after=found.without_text))


async def start_transcription(call: Call, recording: ReachedRecording, language: Language | None) -> Transcription:
    """Request a transcription, unless one is in progress. Raise RoomArchived, RecordingNotFound,
    TranscriptionUnavailable."""
    await _lock_open(call, recording)
    if call.settings.transcriber is None:
        raise TranscriptionUnavailable
    place = _place(recording)
    await call.db.execute(queries.REQUEST_TRANSCRIPTION, *place, language, call.caller.actor_id, call.now)
    transcription = msgspec.json.decode(await call.db.fetchval(queries.TRANSCRIPTION, *place), type=Transcription)
    await call.record(_change("transcription.started", recording, after={"language": language}))
    return transcription


def _place(recording: ReachedRecording) -> tuple[UUID, UUID]:
    return recording.room_id, recording.recording_id


async def _lock_open(call: Call, recording: ReachedRecording) -> None:
    """Lock the recording until the transaction ends. Raise RoomArchived, RecordingNotFound."""
    require_open(await reach_room(call, recording.room_id, READ_ROOM))
    if await call.lock(queries.LOCK, *_place(recording)) is None:
        raise RecordingNotFound


def _change(action: str, recording: ReachedRecording, *, after: AuditedFields) -> Change:
    """Describe a change of a transcript for the audit log, without its text."""
    target = Target("recording", recording.recording_id, recording.name)
    return Change(action, target, recording.organization_id, after=after)

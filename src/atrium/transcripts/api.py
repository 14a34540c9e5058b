"""Transcripts of recordings, and their transcription."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.answers import Headed, Header
from atrium.kit.errors import Conflict
from atrium.kit.forms import other_form
from atrium.kit.paging import cut, decode_cursor
from atrium.kit.rows import as_structs
from atrium.kit.web import Body, Incoming, Paging, raises, reads
from atrium.permissions import READ_ROOM
from atrium.recordings.reach import ReachedRecording, RecordingNotFound, Transcription
from atrium.rooms.reach import RoomArchived, reach_room, require_open
from atrium.transcripts import actions, queries, vtt
from atrium.transcripts.actions import Said, TranscriptChanged
from atrium.transcripts.forms import (
    InvalidTranscript,
    TranscriptPut,
    posted_vtt,
    seen_version,
    sound_segments,
    wants_vtt,
)
from atrium.transcripts.model import Language
from atrium.transcripts.reading import KeptTranscript, Origin, Transcript, TranscriptNotFound, Version, find_transcript

VTT_EXAMPLE = "WEBVTT\n\n00:00:01.500 --> 00:00:04.250\n<v Ada>Let us begin.\n"
Number = Annotated[int, Meta(ge=1, lt=2**31)]
VersionNumber = Annotated[Number | None, Meta(description="an older version; else the newest")]


class TranscriptQuery(Struct):
    """Which version of a transcript, and how it is written."""

    version: VersionNumber = None
    format: Annotated[Literal["json", "vtt"] | None, Meta(description="wins over the header Accept")] = None


class VersionList(Struct, frozen=True):
    """The versions of a transcript, newest first."""

    versions: list[Version]
    next_cursor: str | None


class TranscriptionAsked(Body):
    """What to know about a recording that is to be transcribed."""

    language: Annotated[Language | None, Meta(description="null: the transcriber finds out, if it can")] = None


class NoTranscriber(Conflict):
    """This server has no transcriber; its operator chooses one by `ATRIUM_TRANSCRIBER`."""

    code = "no_transcriber"
    title = "This server does not transcribe"


@raises(InvalidTranscript, TranscriptChanged, RoomArchived)
@reads(Header("If-Match", "the ETag of the version that this is made on", '"3"', required=False))
@other_form(vtt.MEDIA_TYPE, example=VTT_EXAMPLE, read=posted_vtt)
async def put_transcript(
    call: Call, recording: ReachedRecording, body: TranscriptPut, request: Incoming
) -> Headed[Transcript]:
    """Put or correct a recording's transcript.

    Each put makes a new version; older ones are kept. Send the `version` that you saw (or `If-Match`), 0 for none, and
    nobody's correction is overwritten: where there is another by now, the answer is 409 with it. The first publication
    is the event `room_recording_transcript_published`; a correction is none.
    """
    await _require_open(call, recording)
    said = Said(sound_segments(body), Origin.PUT, body.language, call.caller.actor_id)
    await actions.give_up_transcribing(call.db, _place(recording), call.now)
    made = await actions.publish(call.db, _place(recording), said, call.now, seen=seen_version(body, request))
    await call.record(_change("transcript.put", recording, made))
    return _shown(made)


@raises(TranscriptNotFound)
@other_form(vtt.MEDIA_TYPE, example=VTT_EXAMPLE)
async def read_transcript(
    call: Call, recording: ReachedRecording, query: TranscriptQuery, request: Incoming
) -> Headed[Transcript]:
    """Read a transcript, as JSON or, where `format` or the header Accept asks for it, as WebVTT."""
    found = await find_transcript(call.db, *_place(recording), query.version)
    if query.format != "vtt" and (query.format or not wants_vtt(request)):
        return _shown(found)
    return _shown(found, written=vtt.write_vtt(found.heard).encode())


@raises(TranscriptNotFound)
async def list_transcript_versions(call: Call, recording: ReachedRecording, query: Paging) -> VersionList:
    """List the versions of a transcript, newest first."""
    before = 2**31 - 1 if query.cursor is None else decode_cursor(query.cursor, Number)
    rows = await call.db.fetch(queries.VERSIONS, *_place(recording), before, query.limit + 1)
    if not rows:
        await find_transcript(call.db, *_place(recording))
    page, cursor = cut(rows, query.limit, lambda row: row["version"])
    return VersionList(as_structs(page, Version), cursor)


@raises(TranscriptNotFound, RoomArchived)
async def delete_transcript(call: Call, recording: ReachedRecording) -> None:
    """Delete a transcript with every version of it."""
    await _require_open(call, recording)
    found = await find_transcript(call.db, *_place(recording))
    await actions.delete_transcript(call.db, _place(recording), call.now)
    await call.record(_change("transcript.deleted", recording, found))


@raises(NoTranscriber, RoomArchived)
async def start_transcription(call: Call, recording: ReachedRecording, body: TranscriptionAsked) -> Transcription:
    """Have a recording transcribed, for the first time or again; nothing new begins while it is under way.

    What is heard becomes a new version of the transcript, unless somebody puts one meanwhile.
    """
    await _require_open(call, recording)
    if call.settings.transcriber is None:
        raise NoTranscriber
    who = call.caller.actor_id
    await call.db.execute(queries.ASK, *_place(recording), body.language, who, call.now)
    shown = await call.db.fetchval(queries.TRANSCRIPTION, *_place(recording))
    asked = msgspec.json.decode(shown, type=Transcription)
    target = Target("recording", recording.recording_id, recording.name)
    await call.record(Change("transcription.started", target, recording.organization_id, after=body))
    return asked


def _place(recording: ReachedRecording) -> tuple[UUID, UUID]:
    return recording.room_id, recording.recording_id


async def _require_open(call: Call, recording: ReachedRecording) -> None:
    """Hold the recording while something is published about it. Raises RoomArchived, RecordingNotFound."""
    require_open(await reach_room(call, recording.room_id, READ_ROOM))
    if not await call.db.fetchval(queries.HOLD, *_place(recording)):
        raise RecordingNotFound


def _shown(transcript: KeptTranscript, written: bytes | None = None) -> Headed[Transcript]:
    headers = [("etag", f'"{transcript.version}"'), ("vary", "accept")]
    if transcript.language:
        headers.append(("content-language", transcript.language))
    return Headed(transcript.shown, *headers, written=written)


def _change(action: str, recording: ReachedRecording, transcript: KeptTranscript) -> Change:
    """What was done to a transcript; what it says is not repeated."""
    target = Target("recording", recording.recording_id, recording.name)
    return Change(action, target, recording.organization_id, after=transcript.version_alone)

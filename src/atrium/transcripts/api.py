"""Transcripts of recordings, and their transcription."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import Conflict
from atrium.kit.forms import Shown, other_form
from atrium.kit.paging import cut, decode_cursor
from atrium.kit.rows import as_structs
from atrium.kit.web import Body, Incoming, Paging, raises
from atrium.recordings.reach import ReachedRecording
from atrium.rooms.reach import RoomArchived, require_open
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
VersionNumber = Annotated[int | None, Meta(ge=1, lt=2**31, description="an older version; else the newest")]


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


class Transcription(Struct, frozen=True):
    """How the automatic transcription of a recording goes."""

    status: Literal["waiting", "running", "done", "failed"]
    progress: Annotated[float, Meta(ge=0, le=1, description="from 0 to 1")]
    reason: Annotated[str | None, Meta(description="why it failed or waits; what else there is to know")]


class NoTranscriber(Conflict):
    """This server has no transcriber; its operator chooses one by `ATRIUM_TRANSCRIBER`."""

    code = "no_transcriber"
    title = "This server does not transcribe"


@raises(InvalidTranscript, TranscriptChanged, RoomArchived)
@other_form(vtt.MEDIA_TYPE, example=VTT_EXAMPLE, read=posted_vtt)
async def put_transcript(
    call: Call, recording: ReachedRecording, body: TranscriptPut, request: Incoming
) -> Shown[Transcript]:
    """Put or correct a recording's transcript.

    Each put makes a new version; older ones are kept. Send the `version` that you saw (or `If-Match`), 0 for none, and
    nobody's correction is overwritten: where there is another by now, the answer is 409 with it. The first publication
    is the event `room_recording_transcript_published`; a correction is none.
    """
    require_open(recording.room)
    said = Said(sound_segments(body), Origin.PUT, body.language, call.caller.actor_id)
    await actions.give_up_transcribing(call.db, recording.place, call.now)
    made = await actions.publish(call.db, recording.place, said, call.now, seen=seen_version(body, request))
    await call.record(_change("transcript.put", recording, made))
    return _shown(made)


@raises(TranscriptNotFound)
@other_form(vtt.MEDIA_TYPE, example=VTT_EXAMPLE)
async def read_transcript(
    call: Call, recording: ReachedRecording, query: TranscriptQuery, request: Incoming
) -> Shown[Transcript]:
    """Read a transcript, as JSON or, where `format` or the header Accept asks for it, as WebVTT."""
    found = await find_transcript(call.db, *recording.place, query.version)
    if query.format != "vtt" and (query.format or not wants_vtt(request)):
        return _shown(found)
    return _shown(found, written=vtt.write_vtt(found.heard).encode())


@raises(TranscriptNotFound)
async def list_transcript_versions(call: Call, recording: ReachedRecording, query: Paging) -> VersionList:
    """List the versions of a transcript, newest first."""
    before = 2**31 - 1 if query.cursor is None else decode_cursor(query.cursor, Annotated[int, Meta(ge=1, lt=2**31)])
    rows = await call.db.fetch(queries.VERSIONS, *recording.place, before, query.limit + 1)
    if not rows:
        await find_transcript(call.db, *recording.place)
    page, cursor = cut(rows, query.limit, lambda row: row["version"])
    return VersionList(as_structs(page, Version), cursor)


@raises(TranscriptNotFound, RoomArchived)
async def delete_transcript(call: Call, recording: ReachedRecording) -> None:
    """Delete a transcript with every version of it."""
    require_open(recording.room)
    found = await find_transcript(call.db, *recording.place)
    await actions.delete_transcript(call.db, recording.place, call.now)
    await call.record(_change("transcript.deleted", recording, found))


@raises(NoTranscriber, RoomArchived)
async def start_transcription(call: Call, recording: ReachedRecording, body: TranscriptionAsked) -> Transcription:
    """Have a recording transcribed, for the first time or again; nothing new begins while it is under way.

    What is heard becomes a new version of the transcript, unless somebody puts one meanwhile.
    """
    require_open(recording.room)
    if call.settings.transcriber is None:
        raise NoTranscriber
    who = call.caller.actor_id
    await call.db.execute(queries.ASK, *recording.place, body.language, who, call.now)
    shown = await call.db.fetchval(queries.TRANSCRIPTION, *recording.place)
    asked = msgspec.json.decode(shown, type=Transcription)
    target = Target("recording", recording.recording_id, recording.name)
    await call.record(Change("transcription.started", target, recording.room.organization_id, after=body))
    return asked


def _shown(transcript: KeptTranscript, written: bytes | None = None) -> Shown[Transcript]:
    headers = {"etag": f'"{transcript.version}"', "vary": "accept"}
    if transcript.language:
        headers["content-language"] = transcript.language
    return Shown(transcript.shown, headers=headers, written=written)


def _change(action: str, recording: ReachedRecording, transcript: KeptTranscript) -> Change:
    """What was done to a transcript; what it says is not repeated."""
    target = Target("recording", recording.recording_id, recording.name)
    return Change(action, target, recording.room.organization_id, after=transcript.version_alone)

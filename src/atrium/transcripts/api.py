"""Transcripts of recordings, and their transcription."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.answers import Headed, Header
from atrium.kit.forms import other_form
from atrium.kit.web import Body, Incoming, Paging, raises, reads
from atrium.recordings.reach import ReachedRecording, Transcription
from atrium.rooms.reach import RoomArchived
from atrium.transcripts import actions, vtt
from atrium.transcripts.actions import NoTranscriber, TranscriptChanged
from atrium.transcripts.forms import (
    InvalidTranscript,
    TranscriptPut,
    posted_vtt,
    wants_vtt,
)
from atrium.transcripts.model import Language
from atrium.transcripts.reading import (
    KeptTranscript,
    Number,
    Transcript,
    TranscriptNotFound,
    Version,
    find_transcript,
    list_versions,
)

VTT_EXAMPLE = "WEBVTT\n\n00:00:01.500 --> 00:00:04.250\n<v Ada>Let us begin.\n"
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
    return _shown(await actions.put_transcript(call, recording, body, request))


@raises(TranscriptNotFound)
@other_form(vtt.MEDIA_TYPE, example=VTT_EXAMPLE)
async def read_transcript(
    call: Call, recording: ReachedRecording, query: TranscriptQuery, request: Incoming
) -> Headed[Transcript]:
    """Read a transcript, as JSON or, where `format` or the header Accept asks for it, as WebVTT."""
    found = await find_transcript(call.db, recording.room_id, recording.recording_id, query.version)
    if query.format != "vtt" and (query.format or not wants_vtt(request)):
        return _shown(found)
    return _shown(found, written=vtt.write_vtt(found.heard).encode())


@raises(TranscriptNotFound)
async def list_transcript_versions(call: Call, recording: ReachedRecording, query: Paging) -> VersionList:
    """List the versions of a transcript, newest first."""
    return VersionList(*await list_versions(call, recording, query))


@raises(TranscriptNotFound, RoomArchived)
async def delete_transcript(call: Call, recording: ReachedRecording) -> None:
    """Delete a transcript with every version of it."""
    await actions.delete_transcript(call, recording)


@raises(NoTranscriber, RoomArchived)
async def start_transcription(call: Call, recording: ReachedRecording, body: TranscriptionAsked) -> Transcription:
    """Have a recording transcribed, for the first time or again; nothing new begins while it is under way.

    What is heard becomes a new version of the transcript, unless somebody puts one meanwhile.
    """
    return await actions.start_transcription(call, recording, body.language)


def _shown(transcript: KeptTranscript, written: bytes | None = None) -> Headed[Transcript]:
    headers = [("etag", f'"{transcript.version}"'), ("vary", "accept")]
    if transcript.language:
        headers.append(("content-language", transcript.language))
    return Headed(transcript.shown, *headers, written=written)

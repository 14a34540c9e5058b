"""The endpoints for transcripts and transcription of recordings."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Paging, Request
from atrium.kit.http.responses import WithHeaders
from atrium.recordings.reach import ReachedRecording, Transcription
from atrium.transcripts import actions, vtt
from atrium.transcripts.forms import TranscriptPut
from atrium.transcripts.model import Language
from atrium.transcripts.reading import Number, StoredTranscript, Transcript, Version, find_transcript, list_versions

VTT_EXAMPLE = "WEBVTT\n\n00:00:01.500 --> 00:00:04.250\n<v Ada>Let us begin.\n"
VersionNumber = Annotated[Number | None, Meta(description="an older version; the newest by default")]


class TranscriptQuery(Struct):
    """The version and the format of a transcript."""

    version: VersionNumber = None
    format: Annotated[Literal["json", "vtt"] | None, Meta(description="takes precedence over the header Accept")] = None


class VersionList(Struct, frozen=True):
    """The versions of a transcript, newest first."""

    versions: list[Version]
    next_cursor: str | None


class TranscriptionRequest(Body):
    """The options of a transcription."""

    language: Annotated[Language | None, Meta(description="null: the transcriber detects the language if it can")] = (
        None
    )


async def put_transcript(
    call: Call, recording: ReachedRecording, body: TranscriptPut, request: Request
) -> WithHeaders[Transcript]:
    """Add or correct a recording's transcript.

    Each request creates a new version; older versions stay. To avoid overwriting other corrections, send the `version`
    that yours is based on (or `If-Match`), 0 for none: if another version is current, the response is 409 with that
    version. The first publication sends the event `room_recording_transcript_published`; corrections do not.
    """
    return _shown(await actions.put_transcript(call, recording, body, request))


async def read_transcript(
    call: Call, recording: ReachedRecording, query: TranscriptQuery, request: Request
) -> WithHeaders[Transcript]:
    """Read a transcript as JSON, or as WebVTT if `format` or the header Accept requests it."""
    found = await find_transcript(call.db, recording.room_id, recording.recording_id, query.version)
    if query.format != "vtt" and (query.format or not request.prefers(vtt.MEDIA_TYPE, over="application/json")):
        return _shown(found)
    return _shown(found, raw_body=vtt.write_vtt(found.decoded_segments).encode())


async def list_transcript_versions(call: Call, recording: ReachedRecording, query: Paging) -> VersionList:
    """List the versions of a transcript, newest first."""
    return VersionList(*await list_versions(call, recording, query))


async def delete_transcript(call: Call, recording: ReachedRecording) -> None:
    """Delete all versions of a transcript."""
    await actions.delete_transcript(call, recording)


async def start_transcription(call: Call, recording: ReachedRecording, body: TranscriptionRequest) -> Transcription:
    """Start the transcription of a recording, unless one is waiting or running.

    The result becomes a new version of the transcript, unless someone adds one in the meantime.
    """
    return await actions.start_transcription(call, recording, body.language)


def _shown(transcript: StoredTranscript, raw_body: bytes | None = None) -> WithHeaders[Transcript]:
    headers = [("etag", f'"{transcript.version}"'), ("vary", "accept")]
    if transcript.language:
        headers.append(("content-language", transcript.language))
    return WithHeaders(transcript.as_transcript, *headers, raw_body=raw_body)

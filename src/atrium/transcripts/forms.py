"""Read a transcript from a request: JSON or WebVTT, and the version that it is based on."""

import re
from typing import Annotated

from msgspec import Meta, field

from atrium.kit.errors import FieldError, InvalidRequest, invalid_parameter
from atrium.kit.http.request import Body, Request
from atrium.transcripts.model import InvalidSegment, Language, Segment, validated
from atrium.transcripts.vtt import InvalidVtt, read_vtt

BaseVersion = Annotated[
    Annotated[int, Meta(ge=0, lt=2**31)] | None,
    Meta(description="the version that this is based on, 0 for none; null for any"),
]


class InvalidTranscript(InvalidRequest):
    """The transcript is invalid: `detail` names the segment or cue and the error."""

    code = "invalid_transcript"
    title = "The transcript is invalid"


class TranscriptPut(Body):
    """A transcript: at most 50,000 segments in order of their starts. Empty segments are skipped."""

    segments: list[Segment]
    language: Language | None = None
    version: BaseVersion = None


class VttTranscriptPut(TranscriptPut):
    """A transcript sent as WebVTT. `cues` are the cue numbers of its segments."""

    cues: list[int] = field(default_factory=list)


def vtt_from_body(body: bytes) -> VttTranscriptPut:
    """Read a WebVTT body. Raise InvalidTranscript."""
    try:
        segments, cues = read_vtt(body.decode())
    except UnicodeDecodeError:
        raise InvalidTranscript("The body is not UTF-8.") from None
    except InvalidVtt as error:
        raise InvalidTranscript(f"The body is not WebVTT: {error}.") from None
    return VttTranscriptPut(segments=segments, cues=cues)


def validated_segments(body: TranscriptPut) -> list[Segment]:
    """Return the segments to store. Raise InvalidTranscript, which names the segment or cue."""
    try:
        valid = validated(body.segments)
    except InvalidSegment as error:
        if isinstance(body, VttTranscriptPut):
            raise InvalidTranscript(f"cue {body.cues[error.nr - 1]} {error.reason}.") from None
        pointer = f"/segments/{error.nr - 1}/{error.field}"
        raise InvalidTranscript(
            f"{pointer}: {error.reason}", errors=[FieldError(error.reason, pointer=pointer)]
        ) from None
    if not valid:
        raise InvalidTranscript("The transcript has no segment with text.")
    return valid


def base_version(body: TranscriptPut, request: Request) -> int | None:
    """Return the version that the transcript is based on, from the body or `If-Match`. Raise InvalidRequest."""
    header = request.headers.get(b"if-match", b"*").decode("latin-1").strip()
    if header == "*" or body.version is not None:
        return body.version
    tag = re.fullmatch(r'"(\d{1,9})"', header)
    if tag is None:
        raise invalid_parameter("If-Match", 'must be the ETag of a transcript, such as "3"')
    return int(tag[1])

"""A transcript as a request brings it: JSON or WebVTT, made on a version that was seen."""

import re
from typing import Annotated

from msgspec import Meta, field

from atrium.kit.errors import FieldError, InvalidRequest, invalid_parameter
from atrium.kit.web import Body, Incoming
from atrium.transcripts.model import Language, Segment, Unsound, sound
from atrium.transcripts.vtt import MEDIA_TYPE, NotVtt, read_vtt

SeenVersion = Annotated[
    Annotated[int, Meta(ge=0, lt=2**31)] | None,
    Meta(description="the version that this is made on, 0 for none; null for whichever"),
]


class InvalidTranscript(InvalidRequest):
    """The transcript cannot be: `detail` names the segment or cue and what is wrong with it."""

    code = "invalid_transcript"
    title = "The transcript is not sound"


class TranscriptPut(Body):
    """A transcript: at most 50,000 segments, their starts in order; those without a word are left out."""

    segments: list[Segment]
    language: Language | None = None
    version: SeenVersion = None


class PostedVtt(TranscriptPut):
    """A transcript that came as WebVTT; `cues` are the numbers of the cues that its segments stand in."""

    cues: list[int] = field(default_factory=list)


def posted_vtt(body: bytes) -> PostedVtt:
    """Read a WebVTT body. Raises InvalidTranscript."""
    try:
        segments, cues = read_vtt(body.decode())
    except UnicodeDecodeError:
        raise InvalidTranscript("The body is not UTF-8.") from None
    except NotVtt as error:
        raise InvalidTranscript(f"The body is not WebVTT: {error}.") from None
    return PostedVtt(segments=segments, cues=cues)


def sound_segments(body: TranscriptPut) -> list[Segment]:
    """The segments as they are kept. Raises InvalidTranscript that names the segment or cue."""
    try:
        kept = sound(body.segments)
    except Unsound as error:
        if isinstance(body, PostedVtt):
            raise InvalidTranscript(f"cue {body.cues[error.nr - 1]} {error.why}.") from None
        pointer = f"/segments/{error.nr - 1}/{error.field}"
        raise InvalidTranscript(f"{pointer}: {error.why}", errors=[FieldError(error.why, pointer=pointer)]) from None
    if not kept:
        raise InvalidTranscript("The transcript holds no segment with a word in it.")
    return kept


def seen_version(body: TranscriptPut, request: Incoming) -> int | None:
    """The version that the transcript is made on, as the body or `If-Match` says. Raises InvalidRequest."""
    said = request.headers.get(b"if-match", b"*").decode("latin-1").strip()
    if said == "*" or body.version is not None:
        return body.version
    tag = re.fullmatch(r'"(\d{1,9})"', said)
    if tag is None:
        raise invalid_parameter("If-Match", 'has to be the ETag of a transcript, such as "3"')
    return int(tag[1])


def wants_vtt(request: Incoming) -> bool:
    """Whether the header Accept prefers WebVTT to JSON."""
    liked = dict(_liked(request.headers.get(b"accept", b"").decode("latin-1")))
    return liked.get(MEDIA_TYPE, liked.get("text/*", 0.0)) > liked.get("application/json", 0.0)


def _liked(accept: str) -> list[tuple[str, float]]:
    """Each media type in an Accept header with its weight."""
    found = []
    for each in accept.lower().split(","):
        media_type, _, parameters = each.partition(";")
        weight = re.search(r"\bq=([01](?:\.\d{0,3})?)", parameters)
        found.append((media_type.strip(), float(weight[1]) if weight else 1.0))
    return found

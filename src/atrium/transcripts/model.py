"""The segments of a transcript and their validation. Pure. Times are in seconds, rounded to the millisecond."""

import unicodedata
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import NO_NUL

MAX_SEGMENTS = 50_000
MAX_TEXT_LENGTH, MAX_SPEAKER_LENGTH = 5_000, 200
MAX_TIME = 360_000.0  # 100 hours
WHITESPACE_CONTROLS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85"  # whitespace and line ends
CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in WHITESPACE_CONTROLS}

Language = Annotated[
    str,
    Meta(
        max_length=35,
        pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$(?!\n)",
        examples=["en"],
        description="the language spoken, a BCP 47 tag",
    ),
]
Seconds = Annotated[float, Meta(description="from the start of the recording, rounded to the millisecond")]


class Segment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A spoken passage: its times, speaker and text. Segments may overlap."""

    start: Annotated[Seconds, Meta(examples=[1.5])]
    end: Annotated[Seconds, Meta(examples=[4.25])]
    speaker: Annotated[str, Meta(pattern=NO_NUL, examples=["Ada"], description="at most 200 characters")] | None = None
    text: Annotated[
        str, Meta(pattern=NO_NUL, examples=["Let us begin."], description="plain text, at most 5,000 characters")
    ]


class InvalidSegment(ValueError):
    """An invalid segment. `nr` counts from 1; `field` is the invalid field."""

    def __init__(self, nr: int, field: str, reason: str) -> None:
        super().__init__(reason)
        self.nr, self.field, self.reason = nr, field, reason


def validated(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments to store: texts normalized, empty segments removed. Raise InvalidSegment.

    Starts must not decrease, and an end must be after its start. Segments may overlap and may start together.
    """
    if len(segments) > MAX_SEGMENTS:
        raise InvalidSegment(MAX_SEGMENTS + 1, "start", f"a transcript has at most {MAX_SEGMENTS:,} segments")
    valid, before = [], 0.0
    for nr, segment in enumerate(segments, 1):
        checked = _validated(nr, segment, before)
        before = checked.start
        if checked.text:
            valid.append(checked)
    return valid


def _validated(nr: int, segment: Segment, before: float) -> Segment:
    start, end = round(segment.start, 3), round(segment.end, 3)
    if not 0 <= start <= MAX_TIME or not 0 <= end <= MAX_TIME:
        raise InvalidSegment(
            nr, "start" if not 0 <= start <= MAX_TIME else "end", "is not between 0 and 360,000 seconds"
        )
    if start < before:
        raise InvalidSegment(
            nr, "start", f"starts at {start:g} s, before the previous segment, which starts at {before:g} s"
        )
    if end <= start:
        raise InvalidSegment(nr, "end", f"ends at {end:g} s, not after its start at {start:g} s")
    text, speaker = normalized(segment.text), normalized(segment.speaker or "").replace("\n", " ")
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidSegment(nr, "text", f"is longer than {MAX_TEXT_LENGTH:,} characters")
    if len(speaker) > MAX_SPEAKER_LENGTH:
        raise InvalidSegment(nr, "speaker", f"is longer than {MAX_SPEAKER_LENGTH} characters")
    return Segment(start=start, end=end, speaker=speaker or None, text=text)


def normalized(text: str) -> str:
    """Return the text to store: NFC, without control characters, empty lines and whitespace around lines."""
    lines = (" ".join(line.split()) for line in text.translate(CONTROLS).splitlines())
    return unicodedata.normalize("NFC", "\n".join(line for line in lines if line))

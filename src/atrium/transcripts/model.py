"""What a transcript is made of, and what makes one sound. Pure rules; times are in seconds, kept to the millisecond."""

import unicodedata
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.texts import NO_NUL

MOST_SEGMENTS = 50_000
LONGEST_TEXT, LONGEST_SPEAKER = 5_000, 200
LATEST = 360_000.0  # 100 hours
KEPT_CONTROLS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85"  # those that are space or end a line
CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in KEPT_CONTROLS}

Language = Annotated[
    str,
    Meta(
        max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$(?!\n)", examples=["en"],
        description="of what is said, as BCP 47 names it",
    ),
]  # fmt: skip
Seconds = Annotated[float, Meta(description="from the beginning of the recording, kept to the millisecond")]


class Segment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that was said: from when to when, by whom, and what. Segments may overlap, as people do."""

    start: Annotated[Seconds, Meta(examples=[1.5])]
    end: Annotated[Seconds, Meta(examples=[4.25])]
    speaker: Annotated[str, Meta(pattern=NO_NUL, examples=["Ada"], description="at most 200 characters")] | None = None
    text: Annotated[
        str, Meta(pattern=NO_NUL, examples=["Let us begin."], description="plain text, at most 5,000 characters")
    ]


class Unsound(ValueError):
    """A segment that cannot be. `nr` counts from 1; `field` is the one to look at."""

    def __init__(self, nr: int, field: str, why: str) -> None:
        super().__init__(why)
        self.nr, self.field, self.why = nr, field, why


def sound(segments: Sequence[Segment]) -> list[Segment]:
    """The segments as they are kept: texts tidied, those without a word left out. Raises Unsound.

    Starts never go back, an end comes after its start; segments may overlap and may start together.
    """
    if len(segments) > MOST_SEGMENTS:
        raise Unsound(MOST_SEGMENTS + 1, "start", f"a transcript has at most {MOST_SEGMENTS:,} segments")
    kept, before = [], 0.0
    for nr, segment in enumerate(segments, 1):
        tidied = _sound(nr, segment, before)
        before = tidied.start
        if tidied.text:
            kept.append(tidied)
    return kept


def _sound(nr: int, segment: Segment, before: float) -> Segment:
    start, end = round(segment.start, 3), round(segment.end, 3)
    if not 0 <= start <= LATEST or not 0 <= end <= LATEST:
        raise Unsound(nr, "start" if not 0 <= start <= LATEST else "end", "is not between 0 and 360,000 seconds")
    if start < before:
        raise Unsound(nr, "start", f"starts at {start:g} s, before the one ahead of it, which starts at {before:g} s")
    if end <= start:
        raise Unsound(nr, "end", f"ends at {end:g} s, not after its start at {start:g} s")
    text, speaker = tidy(segment.text), tidy(segment.speaker or "").replace("\n", " ")
    if len(text) > LONGEST_TEXT:
        raise Unsound(nr, "text", f"is longer than {LONGEST_TEXT:,} characters")
    if len(speaker) > LONGEST_SPEAKER:
        raise Unsound(nr, "speaker", f"is longer than {LONGEST_SPEAKER} characters")
    return Segment(start=start, end=end, speaker=speaker or None, text=text)


def tidy(text: str) -> str:
    """Text as it is kept: composed (NFC), lines without space around them, no empty line, no control character."""
    lines = (" ".join(line.split()) for line in text.translate(CONTROLS).splitlines())
    return unicodedata.normalize("NFC", "\n".join(line for line in lines if line))

"""Read and write WebVTT (https://www.w3.org/TR/webvtt1/).

It reads what players read: cues in any order, without a length, or without an empty line between them. A cue becomes
one segment per voice. Tags are dropped except `<v Name>`, which names the speaker; everything else is
text, which is escaped again when it is written.
"""

import html
import re
from collections.abc import Iterable, Iterator

from atrium.transcripts.model import Segment, normalized

MEDIA_TYPE = "text/vtt"
_TIME = r"(?:(\d{1,4}):)?([0-5]\d):([0-5]\d)[.,](\d{3})"  # with a comma, as in SubRip
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?")
_TAG = re.compile(r"(<[^>]*>?)")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?(?:\s+([^>]*))?>?")
_NO_CUES = re.compile(r"(NOTE|STYLE|REGION)(?:[ \t]|$)")
ARROW = "-->"
SHORTEST = 0.001  # seconds; the length of a cue that ends where it starts


class InvalidVtt(ValueError):
    """The text is not a WebVTT file; the message names the cue."""


def read_vtt(text: str) -> tuple[list[Segment], list[int]]:
    """Return the segments of a WebVTT file by their starts, and the number of the cue of each. Raise InvalidVtt."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    if not re.match(r"WEBVTT(?:[ \t]|$)", lines[0]):
        raise InvalidVtt("a WebVTT file starts with the line WEBVTT")
    _, *blocks = _blocks(lines[1:])
    cues = [block for block in blocks if block and not _NO_CUES.match(block[0])]
    found = [(segment, nr) for nr, cue in enumerate(cues, 1) for segment in _segments(nr, cue)]
    found.sort(key=lambda each: each[0].start)
    return [segment for segment, _ in found], [nr for _, nr in found]


def _blocks(lines: Iterable[str]) -> list[list[str]]:
    """Split a file at its empty lines, and before the times of a cue if the empty line before it is missing. The first
    block is the header."""
    blocks: list[list[str]] = [[]]
    ends_at_times = True  # as the header does
    for line in lines:
        if line == "" or (ARROW in line and ends_at_times):
            blocks.append([])
            ends_at_times = False
        if line:
            blocks[-1].append(line)
            ends_at_times = ends_at_times or ARROW in line
    return blocks


def _segments(nr: int, lines: list[str]) -> Iterator[Segment]:
    at = 0 if ARROW in lines[0] else 1
    times = _TIMES.fullmatch(lines[at]) if at < len(lines) else None
    if times is None:
        raise InvalidVtt(f"cue {nr} has no times such as 00:01.000 --> 00:02.500 after its name: {lines[0][:60]!r}")
    parts = times.groups()
    start, end = _seconds(parts[:4]), _seconds(parts[4:])
    for speaker, text in _voices("\n".join(lines[at + 1 :])):
        yield Segment(start=start, end=start + SHORTEST if end == start else end, speaker=speaker, text=text)


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, ms = (int(part or 0) for part in parts)
    return ((hours * 60 + minutes) * 60_000 + seconds * 1000 + ms) / 1000


def _voices(payload: str) -> list[tuple[str | None, str]]:
    """Return the speakers and texts of a cue. An empty cue keeps one entry, so that its times are validated."""
    voices: list[tuple[str | None, str]] = []
    speaker, text = None, ""
    for nr, part in enumerate(_TAG.split(payload)):
        if nr % 2 == 0:
            text += html.unescape(part)
        elif part.startswith("</v") or _VOICE.fullmatch(part):
            voices.append((speaker, text))
            speaker, text = _speaker(part), ""
    voices.append((speaker, text))
    return [voice for voice in voices if normalized(voice[1])] or voices[-1:]


def _speaker(tag: str) -> str | None:
    voice = _VOICE.fullmatch(tag)
    return html.unescape(voice[1] or "") if voice else None


def write_vtt(segments: Iterable[Segment]) -> str:
    """Return a WebVTT file with one numbered cue per segment."""
    return "\n".join(["WEBVTT\n", *(_cue(nr, segment) for nr, segment in enumerate(segments, 1))])


def _cue(nr: int, segment: Segment) -> str:
    voice = f"<v {html.escape(segment.speaker, quote=False)}>" if segment.speaker else ""
    text = html.escape(segment.text, quote=False)
    return f"{nr}\n{_time(segment.start)} {ARROW} {_time(segment.end)}\n{voice}{text}\n"


def _time(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"

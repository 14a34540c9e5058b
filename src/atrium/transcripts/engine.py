"""What an engine is: it hears audio and says what was said in it."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from atrium.transcripts.model import Segment

RATE = 16_000  # samples a second
BYTES_A_SECOND = 2 * RATE
Progress = Callable[[float], None]


class CannotTranscribe(Exception):
    """No attempt will ever hear anything here; the text says why, to people."""


class TryAgain(Exception):
    """It did not work this time; the text says why, to people."""


class Audio(Protocol):
    """Sound as engines take it: mono, 16,000 samples a second of 16 bits, little-endian."""

    def chunks(self) -> AsyncIterator[bytes]:
        """The sound, a little at a time. Raises CannotTranscribe, TryAgain."""

    @property
    def seconds(self) -> float | None:
        """How long it is, where that is known by now."""


@dataclass(frozen=True)
class Heard:
    """What an engine heard, and in which language."""

    segments: Sequence[Segment]
    language: str | None


class Engine(Protocol):
    """Something that transcribes."""

    async def transcribe(self, audio: Audio, language: str | None, progress: Progress) -> Heard:
        """What is said in `audio`; `progress` is told the seconds that are done. Raises CannotTranscribe, TryAgain."""

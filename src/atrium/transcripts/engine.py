"""What a transcription takes and returns, and how it fails."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from atrium.transcripts.model import Segment

RATE = 16_000  # samples per second
BYTES_PER_SECOND = 2 * RATE
Progress = Callable[[float], None]


class PermanentError(Exception):
    """The recording cannot be transcribed, and a retry would not help. The message is shown to users."""


class TemporaryError(Exception):
    """The attempt failed, and a retry may succeed. The message is shown to users."""


class Audio(Protocol):
    """Audio to transcribe: mono, 16,000 samples per second of 16 bits, little-endian."""

    def chunks(self) -> AsyncIterator[bytes]:
        """Yield the audio in chunks. Raise PermanentError, TemporaryError."""

    @property
    def seconds(self) -> float | None:
        """Return the duration, or None if it is not known yet."""


@dataclass(frozen=True)
class TranscriptionResult:
    """The segments that were recognized, and the language."""

    segments: Sequence[Segment]
    language: str | None

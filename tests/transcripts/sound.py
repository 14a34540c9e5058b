"""Audio for tests: a tone, and audio in memory."""

from collections.abc import AsyncIterator
from pathlib import Path

from atrium.transcripts.remote import as_wav

SECOND = b"\x10\x00" * 16_000


def tone(folder: Path, seconds: int = 3) -> Path:
    """Return a WAV file."""
    path = folder / "speech.wav"
    path.write_bytes(as_wav(SECOND * seconds))
    return path


class Sound:
    """Audio in memory."""

    def __init__(self, *chunks: bytes) -> None:
        self._chunks = chunks
        self.seconds = sum(map(len, chunks)) / 32_000

    async def chunks(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk

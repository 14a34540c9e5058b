"""Synthesize speech with espeak-ng."""

import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

SENTENCE = "Thank you very much for coming. We will meet again tomorrow."
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def speak(folder: Path, sentence: str = SENTENCE) -> Path:
    """Return a WAV file of the spoken sentence."""
    path = folder / "speech.wav"
    subprocess.run(["espeak-ng", "-v", "en-us+f2", "-s", "130", "-w", path, sentence], check=True)
    return path


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


def share_of_words(spoken: str, recognized: str) -> float:
    """Return the share of the spoken words that were recognized."""
    found = set(words(recognized))
    return sum(word in found for word in words(spoken)) / len(words(spoken))


class Sound:
    """Audio in memory, for engines."""

    def __init__(self, *chunks: bytes) -> None:
        self._chunks = chunks
        self.seconds = sum(map(len, chunks)) / 32_000

    async def chunks(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk

"""Speech: espeak-ng says a sentence into a file, as a person would into a microphone."""

import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

SENTENCE = "Thank you very much for coming. We will meet again tomorrow."
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def speak(folder: Path, sentence: str = SENTENCE) -> Path:
    """A WAV file in which the sentence is said."""
    path = folder / "speech.wav"
    subprocess.run(["espeak-ng", "-v", "en-us+f2", "-s", "130", "-w", path, sentence], check=True)
    return path


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


def share_of_words(said: str, heard: str) -> float:
    """How many of the words that were said were heard."""
    found = set(words(heard))
    return sum(word in found for word in words(said)) / len(words(said))


class Sound:
    """Sound that is there already, for engines to hear."""

    def __init__(self, *chunks: bytes) -> None:
        self._chunks = chunks
        self.seconds = sum(map(len, chunks)) / 32_000

    async def chunks(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk

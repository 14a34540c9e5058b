"""The local engine, with real speech and with invalid media."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from atrium.transcripts.audio import audio_of, ffmpeg
from atrium.transcripts.engine import PermanentError, TemporaryError, TranscriptionResult
from atrium.transcripts.local import LocalEngine
from atrium.transcripts.model import Segment, validated
from atrium.transcripts.recognizer import segments, words
from tests.transcripts.speech import SENTENCE, Sound, needs_espeak, share_of_words, speak


def transcribe(
    path: Path, engine: LocalEngine | None = None, language: str | None = None
) -> tuple[TranscriptionResult, list[float]]:
    async def example() -> tuple[TranscriptionResult, list[float]]:
        done: list[float] = []
        with path.open("rb") as media:
            async with audio_of(media) as audio:
                result = await (engine or LocalEngine()).transcribe(audio, language, done.append)
                assert audio.seconds is not None
        return result, done

    return asyncio.run(example())


def samples(path: Path) -> bytes:
    async def read() -> bytes:
        with path.open("rb") as media:
            async with audio_of(media) as audio:
                return b"".join([chunk async for chunk in audio.chunks()])

    return asyncio.run(read())


@needs_espeak
def test_speech_is_transcribed_with_its_times(tmp_path: Path) -> None:
    result, done = transcribe(speak(tmp_path), language="en-US")
    spoken = " ".join(each.text for each in result.segments)
    assert share_of_words(SENTENCE, spoken) > 0.5, spoken
    assert validated(result.segments) == result.segments
    assert result.language == "en"
    assert done == sorted(done)
    assert result.segments[-1].end <= done[-1] + 0.5


@needs_espeak
def test_the_audio_of_every_container_has_the_same_length(tmp_path: Path) -> None:
    wav = speak(tmp_path)
    length = len(samples(wav)) / 32_000
    for name in ("speech.mp3", "speech.mp4", "speech.webm", "speech.ogg", "speech.flac"):
        subprocess.run([ffmpeg(), "-v", "error", "-i", wav, tmp_path / name], check=True)
        assert len(samples(tmp_path / name)) / 32_000 == pytest.approx(length, abs=0.2), name


def test_only_english_is_supported() -> None:
    with pytest.raises(PermanentError, match="English only"):
        asyncio.run(LocalEngine().transcribe(Sound(b""), "de", lambda _: None))


def test_silence_has_no_segments() -> None:
    result = asyncio.run(LocalEngine().transcribe(Sound(bytes(64_000)), None, lambda _: None))
    assert result.segments == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("text.mp4", b"this is no film\n" * 100),
        ("empty.mp4", b""),
        ("playlist.m3u8", b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"),
        ("list.ffconcat", b"ffconcat version 1.0\nfile /etc/passwd\n"),
        ("cut.wav", b"RIFF\x24\x00\x00\x00WAVE"),
    ],
    ids=["text", "empty", "playlist", "concat", "cut"],
)
def test_invalid_media_is_rejected_with_a_reason(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(PermanentError, match=r"cannot be decoded|has no audio"):
        samples(path)


def test_a_picture_has_no_sound(tmp_path: Path) -> None:
    film = tmp_path / "mute.mp4"
    command = [ffmpeg(), "-v", "error", "-f", "lavfi", "-i", "color=size=64x64:duration=1", "-pix_fmt", "yuv420p", film]
    subprocess.run(command, check=True)
    with pytest.raises(PermanentError, match="has no audio"):
        samples(film)


@pytest.mark.parametrize(
    "script", ["raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)"], ids=["ends", "killed"]
)
def test_an_engine_that_dies_is_retried(script: str) -> None:
    engine = LocalEngine([sys.executable, "-c", script])
    with pytest.raises(TemporaryError, match="stopped unexpectedly"):
        asyncio.run(engine.transcribe(Sound(*[bytes(32_000)] * 30), None, lambda _: None))


def test_words_become_segments_at_pauses() -> None:
    found: list[tuple[str, int, int]] = [
        ("<s>", 0, 9), ("let's", 10, 29), ("read(2)", 30, 59), ("<sil>", 60, 129), ("[NOISE]", 130, 139), ("on", 140, 160)
    ]  # fmt: skip
    assert list(segments(words(found), 2.0)) == [
        Segment(start=2.1, end=2.6, text="let's read"), Segment(start=3.4, end=3.61, text="on")
    ]  # fmt: skip


def test_long_speech_is_split_even_without_a_pause() -> None:
    spoken: Any = [(f"w{nr}", nr / 2, nr / 2 + 0.5) for nr in range(60)]
    made = list(segments(spoken, 0.0))
    assert [each.end - each.start for each in made] == [12.0, 12.0, 6.0]

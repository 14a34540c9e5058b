"""The audio of recordings, and of invalid media."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from atrium.transcripts.audio import audio_of, ffmpeg
from atrium.transcripts.engine import PermanentError
from tests.transcripts.sound import tone


def samples(path: Path) -> bytes:
    async def read() -> bytes:
        with path.open("rb") as media:
            async with audio_of(media) as audio:
                return b"".join([chunk async for chunk in audio.chunks()])

    return asyncio.run(read())


@pytest.mark.contract("Transcripts 8")
def test_the_audio_of_every_container_has_the_same_length(tmp_path: Path) -> None:
    wav = tone(tmp_path)
    length = len(samples(wav)) / 32_000
    for name in ("speech.mp3", "speech.mp4", "speech.webm", "speech.ogg", "speech.flac"):
        subprocess.run([ffmpeg(), "-v", "error", "-i", wav, tmp_path / name], check=True)
        assert len(samples(tmp_path / name)) / 32_000 == pytest.approx(length, abs=0.2), name


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

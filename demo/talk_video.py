"""The recorded talk: slides by Pillow, speech by espeak-ng if it is installed, combined by ffmpeg."""

import shutil
import subprocess
import wave
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from demo.drawings import slide
from demo.organization import Line

RATE = 22_050  # samples per second, as espeak-ng writes them
VOICES = ("en-gb+f3", "en-gb+m3", "en-us+f2")
PAUSE = 0.6  # seconds after each line
READING = 0.065  # seconds per character of a line without speech


class CannotRecord(Exception):
    """The recording cannot be made; the text says why."""


class Segment(NamedTuple):
    """A line of the transcript, with its begin and end in seconds."""

    start: float
    end: float
    speaker: str
    text: str


def render_video(folder: Path, lines: Sequence[Line]) -> tuple[bytes, list[Segment]]:
    """Return the talk as WebM, and its transcript; `folder` is for intermediate files. Raise CannotRecord."""
    if shutil.which("ffmpeg") is None:
        raise CannotRecord("ffmpeg is not installed, so there is no recording in #talks")
    segments = _write_speech(folder / "speech.wav", lines)
    _write_slides(folder, lines, segments)
    command = [
        "ffmpeg", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", "slides.txt", "-i", "speech.wav",
        "-r", "5", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "400k", "-pix_fmt", "yuv420p",
        "-c:a", "libopus", "-b:a", "32k", "talk.webm",
    ]  # fmt: skip
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        raise CannotRecord(f"ffmpeg failed, so there is no recording in #talks: {result.stderr.strip()}")
    return (folder / "talk.webm").read_bytes(), segments


def has_speech() -> bool:
    """Return whether the recording has speech."""
    return shutil.which("espeak-ng") is not None


def _write_speech(path: Path, lines: Sequence[Line]) -> list[Segment]:
    """Write the audio of all lines and return their segments."""
    voices = dict(zip(dict.fromkeys(line.speaker for line in lines), VOICES, strict=False))
    segments, now = list[Segment](), 0.0
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", ""))
        for line in lines:
            samples = _samples(path.with_name("line.wav"), line.text, voices[line.speaker])
            end = now + len(samples) / 2 / RATE
            segments.append(Segment(round(now, 2), round(end, 2), line.speaker, line.text))
            sound.writeframes(samples + bytes(2 * int(PAUSE * RATE)))
            now = end + PAUSE
    return segments


def _samples(path: Path, text: str, voice: str) -> bytes:
    if not has_speech():
        return bytes(2 * int(len(text) * READING * RATE))
    subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", str(path), text], check=True, capture_output=True)
    with wave.open(str(path)) as sound:
        samples: bytes = sound.readframes(sound.getnframes())
    return samples


def _write_slides(folder: Path, lines: Sequence[Line], segments: Sequence[Segment]) -> None:
    """Write a picture of each slide, and the list by which ffmpeg shows each during its lines."""
    titles, listed = list[str](), list[str]()
    for line, segment in zip(lines, segments, strict=True):
        if line.slide is not None:
            titles.append(line.slide)
            (folder / f"slide-{len(titles)}.png").write_bytes(slide(line.slide, len(titles)))
        listed += [f"file slide-{len(titles)}.png", f"duration {segment.end - segment.start + PAUSE:.3f}"]
    (folder / "slides.txt").write_text("\n".join([*listed, f"file slide-{len(titles)}.png"]))

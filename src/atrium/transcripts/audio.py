"""Decode the audio of a media file with ffmpeg: the system's if there is one, otherwise the one in a wheel.

The file is untrusted. Therefore ffmpeg may open only this file, accepts only formats that contain the media themselves
(a playlist names other files), runs at the lowest priority and is killed when it makes no progress.
"""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import IO

import imageio_ffmpeg
import structlog

from atrium.kit.process.commands import minimal_environment
from atrium.transcripts.engine import BYTES_PER_SECOND, RATE, PermanentError, TemporaryError

log = structlog.get_logger()
FORMATS = "aac,ac3,aiff,amr,asf,avi,caf,flac,flv,matroska,mov,mp3,mp4,mpeg,mpegts,ogg,wav,webm"
MEMORY = 2 * 1024**3  # bytes of address space; an image in a video can be of any size
MAX_DURATION = 24 * 3600  # seconds of audio; the rest is ignored
MAX_IDLE = 120.0  # seconds without output
CHUNK = BYTES_PER_SECOND
MAX_LOG = 64 * 1024
DURATION = re.compile(rb"Duration: (\d+):(\d\d):(\d\d\.\d+)")
NO_SOUND = re.compile(rb"matches no streams|does not contain any stream")


@cache
def ffmpeg() -> str:
    """Return the path of ffmpeg."""
    return shutil.which("ffmpeg") or str(imageio_ffmpeg.get_ffmpeg_exe())


def with_low_priority(*command: str) -> Sequence[str]:
    """Return the command with the lowest CPU priority."""
    nice = shutil.which("nice")
    return [nice, "-n", "15", *command] if nice else command


def _bounded() -> Sequence[str]:
    """Return the command that limits memory, if the system has it."""
    prlimit = shutil.which("prlimit")
    return [prlimit, f"--as={MEMORY}"] if prlimit else []


class MediaAudio:
    """The audio of a media file, while ffmpeg runs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process, self._log = process, b""
        self._reading_log = asyncio.create_task(self._read_log())

    @property
    def seconds(self) -> float | None:
        """Return the duration in the file's metadata, or None."""
        found = DURATION.search(self._log)
        return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the audio in chunks of a second. Raise PermanentError if there is none, TemporaryError if ffmpeg
        stalls."""
        size = 0
        while chunk := await self._next():
            size += len(chunk)
            yield chunk
        await self._reading_log
        code = await self._process.wait()
        if not size:
            log.info("ffmpeg found no audio", code=code, output=self._log[-500:].decode(errors="replace"))
            silent = NO_SOUND.search(self._log) or code == 0
            raise PermanentError("The recording has no audio." if silent else "The media cannot be decoded.")

    async def _next(self) -> bytes:
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            async with asyncio.timeout(MAX_IDLE):
                return await self._process.stdout.readexactly(CHUNK)
        except asyncio.IncompleteReadError as end:
            return end.partial
        except TimeoutError:
            raise TemporaryError("Decoding the media stalled.") from None

    async def _read_log(self) -> None:
        """Collect the start of ffmpeg's log, which has the duration, and the end, which has the errors."""
        assert self._process.stderr is not None  # noqa: S101 - it is a pipe
        while part := await self._process.stderr.read(4096):
            self._log += part
            if len(self._log) > MAX_LOG:
                self._log = self._log[: MAX_LOG // 2] + self._log[-MAX_LOG // 4 :]

    async def close(self) -> None:
        """Stop ffmpeg if it is still running."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await asyncio.gather(self._reading_log, return_exceptions=True)


@asynccontextmanager
async def audio_of(media: IO[bytes]) -> AsyncIterator[MediaAudio]:
    """Yield the audio of an open media file."""
    command = with_low_priority(
        *_bounded(), ffmpeg(), "-nostdin", "-hide_banner", "-nostats", "-threads", "1", "-protocol_whitelist", "file",
        "-format_whitelist", FORMATS, "-vn", "-i", f"/dev/fd/{media.fileno()}", "-map", "0:a:0",
        "-t", str(MAX_DURATION), "-ac", "1", "-ar", str(RATE), "-f", "s16le", "pipe:1",
    )  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        pass_fds=(media.fileno(),), limit=2 * CHUNK, env=minimal_environment(),
    )  # fmt: skip
    audio = MediaAudio(process)
    try:
        yield audio
    finally:
        await audio.close()

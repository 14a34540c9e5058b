"""The sound of a media file, by ffmpeg: Debian's where there is one, else the one that a wheel carries.

The file is anyone's. So ffmpeg may open nothing but it, takes only formats that hold media themselves (a playlist would
name other files), runs at the lowest priority and is stopped when it stands still.
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

from atrium.kit.commands import small_environment
from atrium.transcripts.engine import BYTES_A_SECOND, RATE, CannotTranscribe, TryAgain

log = structlog.get_logger()
FORMATS = "aac,ac3,aiff,amr,asf,avi,caf,flac,flv,matroska,mov,mp3,mp4,mpeg,mpegts,ogg,wav,webm"
MEMORY = 2 * 1024**3  # bytes of address space; a picture in a film can be of any size
LONGEST = 24 * 3600  # seconds of sound; what follows is left out
STANDS_STILL = 120.0  # seconds without a byte
CHUNK = BYTES_A_SECOND
KEPT_WORDS = 64 * 1024
DURATION = re.compile(rb"Duration: (\d+):(\d\d):(\d\d\.\d+)")
NO_SOUND = re.compile(rb"matches no streams|does not contain any stream")


@cache
def ffmpeg() -> str:
    """The ffmpeg to run."""
    return shutil.which("ffmpeg") or str(imageio_ffmpeg.get_ffmpeg_exe())


def patiently(*command: str) -> Sequence[str]:
    """A command that lets everything else go first."""
    nice = shutil.which("nice")
    return [nice, "-n", "15", *command] if nice else command


def _bounded() -> Sequence[str]:
    """What keeps a command within its memory, where the system has it."""
    prlimit = shutil.which("prlimit")
    return [prlimit, f"--as={MEMORY}"] if prlimit else []


class MediaAudio:
    """The sound of a media file, while ffmpeg runs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process, self._said = process, b""
        self._listening = asyncio.create_task(self._listen())

    @property
    def seconds(self) -> float | None:
        """How long the file says that it is."""
        found = DURATION.search(self._said)
        return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None

    async def chunks(self) -> AsyncIterator[bytes]:
        """The sound, a second at a time. Raises CannotTranscribe where there is none, TryAgain if it stands still."""
        heard = 0
        while chunk := await self._next():
            heard += len(chunk)
            yield chunk
        await self._listening
        code = await self._process.wait()
        if not heard:
            log.info("ffmpeg found no sound", code=code, said=self._said[-500:].decode(errors="replace"))
            silent = NO_SOUND.search(self._said) or code == 0
            raise CannotTranscribe("The recording has no sound." if silent else "The media cannot be decoded.")

    async def _next(self) -> bytes:
        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        try:
            async with asyncio.timeout(STANDS_STILL):
                return await self._process.stdout.readexactly(CHUNK)
        except asyncio.IncompleteReadError as end:
            return end.partial
        except TimeoutError:
            raise TryAgain("Decoding the media stood still.") from None

    async def _listen(self) -> None:
        """What ffmpeg says: the beginning, where the duration stands, and the end, where it says what went wrong."""
        assert self._process.stderr is not None  # noqa: S101 - a pipe was asked for
        while words := await self._process.stderr.read(4096):
            self._said += words
            if len(self._said) > KEPT_WORDS:
                self._said = self._said[: KEPT_WORDS // 2] + self._said[-KEPT_WORDS // 4 :]

    async def close(self) -> None:
        """Stop ffmpeg, where it still runs."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await asyncio.gather(self._listening, return_exceptions=True)


@asynccontextmanager
async def audio_of(media: IO[bytes]) -> AsyncIterator[MediaAudio]:
    """The sound of an open media file."""
    command = patiently(
        *_bounded(), ffmpeg(), "-nostdin", "-hide_banner", "-nostats", "-threads", "1", "-protocol_whitelist", "file",
        "-format_whitelist", FORMATS, "-vn", "-i", f"/dev/fd/{media.fileno()}", "-map", "0:a:0", "-t", str(LONGEST),
        "-ac", "1", "-ar", str(RATE), "-f", "s16le", "pipe:1",
    )  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        pass_fds=(media.fileno(),), limit=2 * CHUNK, env=small_environment(),
    )  # fmt: skip
    audio = MediaAudio(process)
    try:
        yield audio
    finally:
        await audio.close()

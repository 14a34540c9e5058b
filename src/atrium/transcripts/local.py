"""The engine that needs nothing but this machine: PocketSphinx, with the English model that its package carries.

It runs in a process of its own (`heard.py`), which ends by itself when the worker that feeds it is gone.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence

import msgspec
import structlog

from atrium.kit.commands import small_environment
from atrium.transcripts.audio import patiently
from atrium.transcripts.engine import BYTES_A_SECOND, Audio, CannotTranscribe, Heard, Progress, TryAgain
from atrium.transcripts.model import Segment

log = structlog.get_logger()
COMMAND = (sys.executable, "-m", "atrium.transcripts.heard")
STANDS_STILL = 600.0  # seconds in which no second of sound is taken


class LocalEngine:
    """Hears English, roughly, at about the speed of speech."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command

    async def transcribe(self, audio: Audio, language: str | None, progress: Progress) -> Heard:
        """What is said in `audio`. Raises CannotTranscribe for another language than English."""
        if language and language.lower().partition("-")[0] != "en":
            raise CannotTranscribe("The local transcriber understands English only.")
        process = await asyncio.create_subprocess_exec(
            *patiently(*self._command), stdin=PIPE, stdout=PIPE, env=small_environment()
        )
        try:
            (said, _) = await asyncio.gather(_hear(process), _feed(process, audio, progress))
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if code:
            log.warning("the local transcriber ended unexpectedly", code=code)
            raise TryAgain("The transcriber ended unexpectedly.")
        return Heard(msgspec.json.decode(b"[" + b",".join(said) + b"]", type=list[Segment]), "en")


async def _feed(process: asyncio.subprocess.Process, audio: Audio, progress: Progress) -> None:
    """Give the sound as fast as it is taken; one that ended early is told by how it ended."""
    assert process.stdin is not None  # noqa: S101 - a pipe was asked for
    fed = 0
    try:
        async for chunk in audio.chunks():
            process.stdin.write(chunk)
            async with asyncio.timeout(STANDS_STILL):
                await process.stdin.drain()
            fed += len(chunk)
            progress(fed / BYTES_A_SECOND)
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):
        return
    except TimeoutError:
        raise TryAgain("The transcriber stood still.") from None


async def _hear(process: asyncio.subprocess.Process) -> list[bytes]:
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    return [line async for line in process.stdout]

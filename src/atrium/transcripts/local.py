"""The engine that runs on this machine: PocketSphinx, with the English model in its package.

It runs in its own process (`recognizer.py`), which exits when its worker exits.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence

import msgspec
import structlog

from atrium.kit.process.commands import minimal_environment
from atrium.transcripts.audio import with_low_priority
from atrium.transcripts.engine import (
    BYTES_PER_SECOND,
    Audio,
    PermanentError,
    Progress,
    TemporaryError,
    TranscriptionResult,
)
from atrium.transcripts.model import Segment

log = structlog.get_logger()
COMMAND = (sys.executable, "-m", "atrium.transcripts.recognizer")
MAX_IDLE = 600.0  # seconds in which the process reads nothing


class LocalEngine:
    """Transcribe English with moderate accuracy, at about the speed of speech."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command

    async def transcribe(self, audio: Audio, language: str | None, progress: Progress) -> TranscriptionResult:
        """Transcribe `audio`. Raise TemporaryError; raise PermanentError for any language but English."""
        if language and language.lower().partition("-")[0] != "en":
            raise PermanentError("The local transcriber supports English only.")
        process = await asyncio.create_subprocess_exec(
            *with_low_priority(*self._command), stdin=PIPE, stdout=PIPE, env=minimal_environment()
        )
        try:
            (lines, _) = await asyncio.gather(_read_lines(process), _feed(process, audio, progress))
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if code:
            log.warning("the local transcriber stopped unexpectedly", code=code)
            raise TemporaryError("The transcriber stopped unexpectedly.")
        return TranscriptionResult(msgspec.json.decode(b"[" + b",".join(lines) + b"]", type=list[Segment]), "en")


async def _feed(process: asyncio.subprocess.Process, audio: Audio, progress: Progress) -> None:
    """Write the audio as fast as the process reads it. If the process exits early, its exit code shows it."""
    assert process.stdin is not None  # noqa: S101 - it is a pipe
    fed = 0
    try:
        async for chunk in audio.chunks():
            process.stdin.write(chunk)
            async with asyncio.timeout(MAX_IDLE):
                await process.stdin.drain()
            fed += len(chunk)
            progress(fed / BYTES_PER_SECOND)
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):
        return
    except TimeoutError:
        raise TemporaryError("The transcriber stalled.") from None


async def _read_lines(process: asyncio.subprocess.Process) -> list[bytes]:
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    return [line async for line in process.stdout]

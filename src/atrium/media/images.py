"""Thumbnails, made in a separate process, so that a malicious image cannot harm the server."""

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

import structlog

from atrium.media.fair_semaphore import FairSemaphore
from atrium.media.limits import MAX_PIXELS, TOO_LARGE

log = structlog.get_logger()
THUMBNAIL_TYPE = "image/webp"
MAX_SECONDS = 30.0
CONCURRENCY = 2  # in each process, for different people; each may take as much memory as MAX_MEMORY allows
_semaphores: dict[asyncio.AbstractEventLoop, FairSemaphore] = {}


class TooManyPixels(Exception):
    """The image declares more than MAX_PIXELS."""


class Thumbnail(NamedTuple):
    """A thumbnail (WebP), and the width and height of the original as it is displayed."""

    width: int
    height: int
    content: bytes


async def make_thumbnail(owner: UUID, *image: AsyncIterator[bytes]) -> Thumbnail | None:
    """Return the thumbnail of an image that `owner` uploaded; None if it cannot be decoded. Raise TooManyPixels."""
    with tempfile.TemporaryFile() as file:
        for piece in image:
            async for chunk in piece:
                await asyncio.to_thread(file.write, chunk)
        file.seek(0)
        async with _semaphores.setdefault(asyncio.get_running_loop(), FairSemaphore(CONCURRENCY)).slot(owner):
            output, status = await _run(file.fileno())
    if status == TOO_LARGE:
        raise TooManyPixels(f"{MAX_PIXELS:,}")
    if status != 0:
        log.info("could not create a thumbnail", status=status)
        return None
    line, _, content = output.partition(b"\n")
    return Thumbnail(**json.loads(line), content=content)


async def _run(image: int) -> tuple[bytes, int]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "atrium.media.thumbnail", stdin=image, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, env={},
    )  # fmt: skip
    try:
        async with asyncio.timeout(MAX_SECONDS):
            output, _ = await child.communicate()
    except TimeoutError:
        return b"", -1
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    return output, child.returncode if child.returncode is not None else -1

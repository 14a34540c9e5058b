"""Thumbnails, made in a separate process, so that a malicious image cannot harm the server."""

import asyncio
import contextlib
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

import structlog

from atrium.kit.process.fair_semaphore import FairSemaphore
from atrium.media.limits import MAX_PIXELS, TOO_LARGE

log = structlog.get_logger()
THUMBNAIL_TYPE = "image/webp"
MAX_SECONDS = 30.0
# In each process, and of each organization, for different people; each may take as much memory as MAX_MEMORY allows.
CONCURRENCY, CONCURRENCY_EACH = 3, 2
_people = defaultdict[asyncio.AbstractEventLoop, FairSemaphore](lambda: FairSemaphore(sys.maxsize))
_organizations = defaultdict[asyncio.AbstractEventLoop, FairSemaphore](
    lambda: FairSemaphore(CONCURRENCY, CONCURRENCY_EACH)
)


class TooManyPixels(Exception):
    """The image declares more than MAX_PIXELS."""


class Thumbnail(NamedTuple):
    """A thumbnail (WebP), and the width and height of the original as it is displayed."""

    width: int
    height: int
    content: bytes


async def make_thumbnail(organization_id: UUID, owner: UUID, *image: AsyncIterator[bytes]) -> Thumbnail | None:
    """Return the thumbnail of an image that `owner` uploaded to an organization; None if it cannot be decoded. Raise
    TooManyPixels."""
    with tempfile.TemporaryFile() as file:
        for piece in image:
            async for chunk in piece:
                await asyncio.to_thread(file.write, chunk)
        file.seek(0)
        loop = asyncio.get_running_loop()
        async with _people[loop].place(owner), _organizations[loop].place(organization_id):
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
        sys.executable,
        "-I",
        "-m",
        "atrium.media.thumbnail",
        stdin=image,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
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

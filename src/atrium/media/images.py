"""Thumbnails, made in a process of their own: what an image does to its decoder, it does not do to the server."""

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

import structlog

from atrium.media.thumbnail import MOST_PIXELS, REFUSED
from atrium.media.turns import Turns

log = structlog.get_logger()
THUMBNAIL_TYPE = "image/webp"
MOST_SECONDS = 30.0
AT_ONCE = 2  # in each process, of different people; each may take as much memory as the limit of one allows
_turns: dict[asyncio.AbstractEventLoop, Turns] = {}


class TooManyPixels(Exception):
    """The image's header announces more pixels than are decoded here."""


class Picture(NamedTuple):
    """A thumbnail, and the size of the image that it is of, as that is shown."""

    width: int
    height: int
    content: bytes


async def make_thumbnail(owner: UUID, *image: AsyncIterator[bytes]) -> Picture | None:
    """The thumbnail of an image of `owner`, given in pieces; None for what cannot be decoded. Raises TooManyPixels."""
    with tempfile.TemporaryFile() as file:
        for piece in image:
            async for chunk in piece:
                await asyncio.to_thread(file.write, chunk)
        file.seek(0)
        async with _turns.setdefault(asyncio.get_running_loop(), Turns(AT_ONCE)).turn(owner):
            said, status = await _run(file.fileno())
    if status == REFUSED:
        raise TooManyPixels(f"{MOST_PIXELS:,}")
    if status != 0:
        log.info("an image could not be made small", status=status)
        return None
    line, _, content = said.partition(b"\n")
    return Picture(**json.loads(line), content=content)


async def _run(image: int) -> tuple[bytes, int]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "atrium.media.thumbnail", stdin=image, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, env={},
    )  # fmt: skip
    try:
        async with asyncio.timeout(MOST_SECONDS):
            said, _ = await child.communicate()
    except TimeoutError:
        return b"", -1
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    return said, child.returncode if child.returncode is not None else -1

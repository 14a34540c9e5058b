"""Bodies that stream in, as ASGI hands them over."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from atrium.kit.errors import BodyCut

STALLED_AFTER = 60.0  # seconds without a byte: the client is gone, or does not mean it


async def streamed_body(receive: Callable[[], Awaitable[Any]]) -> AsyncIterator[bytes]:
    """The body as it comes. Raises BodyCut where it ends before its end."""
    while True:
        try:
            async with asyncio.timeout(STALLED_AFTER):
                message = await receive()
        except TimeoutError:
            raise BodyCut from None
        if message["type"] == "http.disconnect":
            raise BodyCut
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body"):
            return

"""Bodies as ASGI hands them over: read whole, or streamed in."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from atrium.kit.errors import BodyCut, TooLarge
from atrium.kit.web import MAX_BODY

Receive = Callable[[], Awaitable[Any]]
STALLED_AFTER = 60.0  # seconds without a byte: the client is gone, or does not mean it


async def read_body(receive: Receive, sent: Mapping[bytes, bytes]) -> bytes:
    """The whole body of a request with the headers `sent`.

    Raises TooLarge above 1 MiB, without reading on, and BodyCut where it ends before its end or stalls.
    """
    parts: list[bytes] = []
    declared, size, more = _declared_length(sent), 0, True
    while more and size != declared:  # to ask the server whether there is more costs as much as to ask for the body
        message = await _next(receive)
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > MAX_BODY:
            raise TooLarge
    return b"".join(parts)


def _declared_length(sent: Mapping[bytes, bytes]) -> int | None:
    """The length that was declared, to which the server holds a body, but for one in chunks."""
    length = None if b"transfer-encoding" in sent else sent.get(b"content-length")
    return None if length is None else int(length)


async def _next(receive: Receive) -> Any:
    try:
        async with asyncio.timeout(STALLED_AFTER):
            message = await receive()
    except TimeoutError:
        raise BodyCut from None
    if message["type"] == "http.disconnect":
        raise BodyCut
    return message


async def streamed_body(receive: Receive) -> AsyncIterator[bytes]:
    """The body as it comes. Raises BodyCut where it ends before its end or stalls."""
    while True:
        message = await _next(receive)
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body"):
            return

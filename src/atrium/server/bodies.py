"""Request bodies from ASGI: read as a whole, or streamed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, cast

from atrium.kit.errors import CLOSE, BodyCut, Problem, TooLarge
from atrium.kit.http.request import MAX_BODY
from atrium.server.asgi import Receive

BODY_TIMEOUT = 60.0  # seconds for a complete JSON body, or between two chunks of a streamed one
UNAUTHENTICATED_LIMIT = 1 << 16  # bytes to read before the caller is identified
DISCARD_TIMEOUT = 5.0  # seconds for the rest of a rejected body, so that the client reads the response


async def read_body(
    receive: Receive, headers: Mapping[bytes, bytes], require_sender: Callable[[], Awaitable[None]]
) -> bytes:
    """Return the body of a request.

    Call `require_sender` before reading more than 64 KiB.

    Raises:
        TooLarge: above 1 MiB; the rest is not read
        BodyCut: if the connection closes or the body takes longer than a minute
        Problem: the errors of `require_sender`
    """
    declared = _declared_length(headers)
    if declared is not None and declared <= UNAUTHENTICATED_LIMIT:
        return await _read_small(receive, declared)
    body = _Body(receive, declared)
    if declared is not None or not await body.read_up_to(UNAUTHENTICATED_LIMIT):
        try:
            await require_sender()
        except Problem as error:
            if b"expect" in headers or not await body.discard():
                error.headers += CLOSE
            raise
        if not await body.read_up_to(MAX_BODY):
            raise TooLarge
    return b"".join(body.parts)


async def _read_small(receive: Receive, declared: int) -> bytes:
    """Return a body of a declared length, which the HTTP server enforces. Most come in one piece."""
    until, body, more = asyncio.get_running_loop().time() + BODY_TIMEOUT, b"", True
    while more and len(body) != declared:  # another message costs as much as the first
        message = await _next(receive, until)
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


class _Body:
    """A body that is being read."""

    def __init__(self, receive: Receive, declared: int | None) -> None:
        self.declared, self.parts = declared, list[bytes]()
        self._receive, self._size, self._more = receive, 0, True
        self._until = asyncio.get_running_loop().time() + BODY_TIMEOUT

    @property
    def _is_complete(self) -> bool:
        return not self._more or self._size == self.declared

    async def read_up_to(self, max_bytes: int) -> bool:
        """Read on; return False as soon as there are more than `max_bytes`."""
        while not self._is_complete and self._size <= max_bytes:
            message = await _next(self._receive, self._until)
            part, self._more = message.get("body", b""), message.get("more_body", False)
            self.parts.append(part)
            self._size += len(part)
        return self._size <= max_bytes

    async def discard(self) -> bool:
        """Read the rest without storing it; return False if there is still more."""
        self._until = asyncio.get_running_loop().time() + DISCARD_TIMEOUT
        with suppress(BodyCut):
            while not self._is_complete and self._size <= MAX_BODY:
                self.parts.clear()
                await self.read_up_to(self._size)
        return self._is_complete


def _declared_length(headers: Mapping[bytes, bytes]) -> int | None:
    """Return the declared length, which the HTTP server enforces; None for a chunked body."""
    length = None if b"transfer-encoding" in headers else headers.get(b"content-length")
    return None if length is None else int(length)


async def _next(receive: Receive, until: float) -> Any:
    """Return the next message of a request. For a send, a timer of the loop costs a third of `asyncio.timeout_at`."""
    reader, loop = cast("asyncio.Task[None]", asyncio.current_task()), asyncio.get_running_loop()
    limit = loop.call_at(until, reader.cancel)
    try:
        message = await receive()
    except asyncio.CancelledError:
        if loop.time() < until or reader.uncancel():
            raise  # something else canceled the reading
        raise BodyCut from None
    finally:
        limit.cancel()
    if message["type"] == "http.disconnect":
        raise BodyCut
    return message


async def streamed_body(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the body as it arrives. Raise BodyCut if the connection closes or stalls."""
    while True:
        message = await _next(receive, asyncio.get_running_loop().time() + BODY_TIMEOUT)
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body"):
            return

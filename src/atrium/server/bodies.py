"""Bodies as ASGI hands them over: read whole, or streamed in."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, cast

from atrium.kit.errors import CLOSE, BodyCut, Problem, TooLarge
from atrium.kit.web import MAX_BODY
from atrium.server.asgi import Receive

STALLED_AFTER = 60.0  # seconds for a whole JSON body, and without a byte of a streamed one
FROM_STRANGERS = 1 << 16  # bytes that are kept before anybody has looked up who sends them
DISCARDED_WITHIN = 5.0  # seconds in which the rest of a refused body may come, so that its sender reads the answer


async def read_body(
    receive: Receive, sent: Mapping[bytes, bytes], require_sender: Callable[[], Awaitable[None]]
) -> bytes:
    """Return the whole body of a request with the headers `sent`.

    Before more than 64 KiB are kept, `require_sender` is asked whether the sender may send that much.

    Raises:
        TooLarge: above 1 MiB, without reading on
        BodyCut: where it ends before its end, or takes longer than a minute
        Problem: what `require_sender` raises
    """
    declared = _declared_length(sent)
    if declared is not None and declared <= FROM_STRANGERS:
        return await _read_small(receive, declared)
    body = _Body(receive, declared)
    if declared is not None or not await body.is_read_within(FROM_STRANGERS):
        try:
            await require_sender()
        except Problem as refused:
            if b"expect" in sent or not await body.is_discarded():
                refused.headers += CLOSE
            raise
        if not await body.is_read_within(MAX_BODY):
            raise TooLarge
    return b"".join(body.parts)


async def _read_small(receive: Receive, declared: int) -> bytes:
    """Return a body to whose declared length the server holds it; most come in one piece."""
    until, body, more = asyncio.get_running_loop().time() + STALLED_AFTER, b"", True
    while more and len(body) != declared:  # to ask whether there is more costs as much as to ask for the body
        message = await _next(receive, until)
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


class _Body:
    """A body that is being read."""

    def __init__(self, receive: Receive, declared: int | None) -> None:
        self.declared, self.parts = declared, list[bytes]()
        self._receive, self._size, self._more = receive, 0, True
        self._until = asyncio.get_running_loop().time() + STALLED_AFTER

    @property
    def _is_whole(self) -> bool:
        return not self._more or self._size == self.declared

    async def is_read_within(self, most: int) -> bool:
        """Read on; return False as soon as there are more than `most` bytes."""
        while not self._is_whole and self._size <= most:
            message = await _next(self._receive, self._until)
            part, self._more = message.get("body", b""), message.get("more_body", False)
            self.parts.append(part)
            self._size += len(part)
        return self._size <= most

    async def is_discarded(self) -> bool:
        """Let what may follow go by without keeping it; return False where there is still more."""
        self._until = asyncio.get_running_loop().time() + DISCARDED_WITHIN
        with suppress(BodyCut):
            while not self._is_whole and self._size <= MAX_BODY:
                self.parts.clear()
                await self.is_read_within(self._size)
        return self._is_whole


def _declared_length(sent: Mapping[bytes, bytes]) -> int | None:
    """The length that was declared, to which the server holds a body, but for one in chunks."""
    length = None if b"transfer-encoding" in sent else sent.get(b"content-length")
    return None if length is None else int(length)


async def _next(receive: Receive, until: float) -> Any:
    """The next message of a request. A timer of the loop costs a send a third of what `asyncio.timeout_at` does."""
    reader, loop = cast("asyncio.Task[None]", asyncio.current_task()), asyncio.get_running_loop()
    limit = loop.call_at(until, reader.cancel)
    try:
        message = await receive()
    except asyncio.CancelledError:
        if loop.time() < until or reader.uncancel():
            raise  # somebody else ends the reading
        raise BodyCut from None
    finally:
        limit.cancel()
    if message["type"] == "http.disconnect":
        raise BodyCut
    return message


async def streamed_body(receive: Receive) -> AsyncIterator[bytes]:
    """The body as it comes. Raises BodyCut where it ends before its end or stalls."""
    while True:
        message = await _next(receive, asyncio.get_running_loop().time() + STALLED_AFTER)
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body"):
            return

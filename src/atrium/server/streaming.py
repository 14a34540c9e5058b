"""An answer that goes on: server-sent events over ASGI, until the client goes, falls behind, or its key stops."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog

from atrium.live.hub import Hub
from atrium.live.listener import Listener
from atrium.live.model import Position, Wanted
from atrium.live.stream import told

log = structlog.get_logger()
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
HEADERS = [
    (b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"),
]  # fmt: skip


class EventStream:
    """A stream that was let in, as an ASGI application of one answer."""

    def __init__(self, hub: Hub, listener: Listener, present: Position) -> None:
        self._hub, self._listener, self._present = hub, listener, present

    async def __call__(self, _scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Send until it is over. The client may go, or the stream end, while a slow client holds a chunk up."""
        over = [asyncio.ensure_future(self._send_all(send)), asyncio.ensure_future(_gone(receive))]
        try:
            await asyncio.wait([*over, self._listener.ended], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.leave(self._listener)
            for each in over:
                each.cancel()
        sent, _ = await asyncio.gather(*over, return_exceptions=True)
        if isinstance(sent, Exception):
            log.warning("a stream ended early; its client will come back", error=repr(sent))
        await send({"type": "http.response.body", "body": b""})

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        async for chunk in told(self._hub, self._listener, self._present):
            if chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})


async def open_stream(hub: Hub, wanted: Wanted) -> EventStream:
    """A stream that is about to begin. Raises TooManyStreams, Unavailable, Unauthenticated."""
    return EventStream(hub, *await hub.join(wanted))


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

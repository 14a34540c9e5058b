"""Server-sent events over ASGI, until the client disconnects or falls behind, or its key stops working."""

import asyncio

import structlog

from atrium.live.hub import Hub
from atrium.live.listener import Listener
from atrium.live.model import StreamPosition, Subscription
from atrium.live.stream import chunks_of
from atrium.server.asgi import Receive, Send, wait_for_disconnect

log = structlog.get_logger()
HEADERS = [
    (b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"),
]  # fmt: skip


class EventStream:
    """A stream of events to one client."""

    def __init__(self, hub: Hub, listener: Listener, present: StreamPosition) -> None:
        self._hub, self._listener, self._present = hub, listener, present

    async def send_head(self, send: Send) -> None:
        """Send the headers alone."""
        self._hub.leave(self._listener)
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await send({"type": "http.response.body", "body": b""})

    async def send(self, receive: Receive, send: Send) -> None:
        """Send until the stream ends or the client disconnects, also while a slow client blocks a chunk."""
        tasks = [asyncio.ensure_future(self._send_all(send)), asyncio.ensure_future(wait_for_disconnect(receive))]
        try:
            await asyncio.wait([*tasks, self._listener.ended], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.leave(self._listener)
            for each in tasks:
                each.cancel()
        sent, _ = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(sent, Exception):
            log.warning("a stream ended early; its client will reconnect", error=repr(sent))
        await send({"type": "http.response.body", "body": b""})

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        async for chunk in chunks_of(self._hub, self._listener, self._present):
            if chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})


async def open_stream(hub: Hub, subscription: Subscription) -> EventStream:
    """Open a stream. Raise TooManyStreams, Unavailable, Unauthenticated."""
    return EventStream(hub, *await hub.join(subscription))

"""Responses as ASGI messages."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeAlias

from atrium.kit.http.responses import Headers, Response
from atrium.server.asgi import Receive, Send, wait_for_disconnect
from atrium.server.service import Service

Header: TypeAlias = tuple[bytes, bytes]
JSON = b"application/json"
WITHOUT_BODY = (204, 304)


async def send_complete(
    send: Send, status: int, media_type: bytes, body: bytes, headers: Iterable[Header] = (), *, is_head: bool = False
) -> None:
    """Send a response that is in memory; without its body for HEAD."""
    headers = [(b"content-type", media_type), (b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if is_head else body})


async def send_reply(reply: Response, service: Service, receive: Receive, send: Send, *, is_head: bool) -> None:
    """Send a response, part by part if it is streamed; without its body for HEAD. A body needs a `media_type`."""
    headers = encode(reply.headers)
    may_have_body = reply.status not in WITHOUT_BODY
    if may_have_body:
        _add_defaults(headers, reply)
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if is_head or not may_have_body:
        await send({"type": "http.response.body", "body": b""})
    elif reply.streamed:
        await _send_parts(reply.streamed.parts(service.pool, service.clock), receive, send)
    else:
        await send({"type": "http.response.body", "body": reply.body})


def encode(headers: Headers) -> list[Header]:
    """Return headers in the format of ASGI."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _add_defaults(headers: list[Header], reply: Response) -> None:
    own = {name for name, _ in headers}
    media_type = reply.streamed.media_type if reply.streamed else reply.media_type or ""
    if b"content-type" not in own:
        charset = "; charset=utf-8" if media_type.startswith("text/") else ""
        headers.append((b"content-type", f"{media_type}{charset}".encode()))
    if not reply.streamed and b"content-length" not in own:
        headers.append((b"content-length", b"%d" % len(reply.body)))


async def _send_parts(parts: AsyncIterator[bytes], receive: Receive, send: Send) -> None:
    """Send the parts, until the client disconnects."""
    sending = asyncio.ensure_future(_send_all(parts, send))
    disconnected = asyncio.ensure_future(wait_for_disconnect(receive))
    try:
        await asyncio.wait((sending, disconnected), return_when=asyncio.FIRST_COMPLETED)
    finally:
        sending.cancel()
        disconnected.cancel()
    sent, _ = await asyncio.gather(sending, disconnected, return_exceptions=True)
    if isinstance(sent, Exception):
        raise sent


async def _send_all(parts: AsyncIterator[bytes], send: Send) -> None:
    async for part in parts:
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})

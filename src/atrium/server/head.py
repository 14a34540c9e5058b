"""HEAD wherever GET works: the request is answered as a GET, whose body stays here."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


def as_get(scope: Scope, send: Send) -> tuple[Scope, Receive, Send]:
    """Return a GET in place of a HEAD. Once its headers are sent the client counts as gone, so that streams end."""
    begun = asyncio.Event()

    async def receive() -> Any:
        await begun.wait()
        return {"type": "http.disconnect"}

    async def send_head(message: Any) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b""})
            begun.set()

    return {**scope, "method": "GET"}, receive, send_head

"""ASGI: its types, and its lifespan protocol."""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]


async def run_lifespan(lifespan: AbstractAsyncContextManager[None], receive: Receive, send: Send) -> None:
    """Enter `lifespan` when the HTTP server starts, and exit it when it stops."""
    await receive()
    try:
        await lifespan.__aenter__()
    except BaseException as error:
        await send({"type": "lifespan.startup.failed", "message": repr(error)})
        raise
    await send({"type": "lifespan.startup.complete"})
    await receive()
    try:
        await lifespan.__aexit__(None, None, None)
    except BaseException as error:
        await send({"type": "lifespan.shutdown.failed", "message": repr(error)})
        raise
    await send({"type": "lifespan.shutdown.complete"})


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass

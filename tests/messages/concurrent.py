"""Many concurrent callers, each with its own connection to the running server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.conftest import Api


@asynccontextmanager
async def callers(api: Api, count: int, *, key: str | None = None) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Open `count` clients with a connection each, which the kernel distributes over `--workers`; they act as super_admin."""
    headers = {"authorization": f"Bearer {key or api.personal_key}"}
    limits = httpx.Limits(max_connections=1)
    transports = [httpx.AsyncHTTPTransport(limits=limits, verify=False) for _ in range(count)]
    clients = [
        httpx.AsyncClient(base_url=api.url, headers=headers, timeout=60, transport=transport)
        for transport in transports
    ]
    try:
        yield clients
    finally:
        await asyncio.gather(*(client.aclose() for client in clients))


async def send(client: httpx.AsyncClient, room_id: str, text: str = "m", **fields: Any) -> dict[str, Any]:
    """Send a message; return it once acknowledged."""
    answer = await client.post(f"/v2/rooms/{room_id}/messages", json={"text": text, **fields})
    assert answer.status_code == 201, answer.text
    message: dict[str, Any] = answer.json()
    return message

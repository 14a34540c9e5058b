"""Following the log of a webhook, for whom its deliveries cannot reach."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import msgspec

from atrium.cli.forwarder import Forwarder
from atrium.cli.server import Away, Server
from atrium.kit.clock import from_ms, rfc3339, utc_now
from atrium.webhooks.headers import signed_headers

POLL_EVERY = 1.0  # seconds
OVERLAP_MS = 10_000  # ids are given out before their transactions commit: one may appear so much behind a newer one


class Entry(msgspec.Struct):
    """A delivery in a webhook's log."""

    delivery_id: UUID
    event_type: str
    request_body: str


class Logs(msgspec.Struct):
    """A page of the log, newest first."""

    logs: list[Entry]
    next_cursor: str | None


async def follow(server: Server, path: str, forwarder: Forwarder, secret: str | None) -> None:
    """Forward what the log gets from now on: each once, in order."""
    newest = await server.ask("GET", f"{path}/logs", Logs, params={"limit": 1})
    since = _before(newest.logs)
    seen = {entry.delivery_id for entry in await _newer(server, path, since)}
    forwarder.begin(webhook_id=path.rpartition("/")[2])
    while True:
        await asyncio.sleep(POLL_EVERY)
        try:
            found = await _newer(server, path, since)
        except Away as away:
            forwarder.note(f"{away}; asking again.")
            continue
        for entry in found:
            if entry.delivery_id not in seen:
                await forwarder.forward(_headers(entry, secret), entry.request_body.encode())
        seen, since = {entry.delivery_id for entry in found}, _before(found[-1:]) or since


def _before(newest: Sequence[Entry]) -> str | None:
    """From when on to ask, by the server's clock alone: an id begins with its time in milliseconds."""
    return rfc3339(from_ms((newest[0].delivery_id.int >> 80) - OVERLAP_MS)) if newest else None


async def _newer(server: Server, path: str, since: str | None) -> list[Entry]:
    """What the log has since then, oldest first."""
    found, query = list[Entry](), {"limit": "200"} | ({"since": since} if since else {})
    while True:
        page = await server.ask("GET", f"{path}/logs", Logs, params=query)
        found += page.logs
        if page.next_cursor is None:
            return found[::-1]
        query["cursor"] = page.next_cursor


def _headers(entry: Entry, secret: str | None) -> dict[str, str]:
    if secret is not None:
        body = entry.request_body.encode()
        return signed_headers(entry.event_type, entry.delivery_id, body, secrets=[secret], now=utc_now())
    return {
        "Content-Type": "application/json", "X-Service-Event": entry.event_type,
        "X-Service-Delivery": str(entry.delivery_id),
    }  # fmt: skip

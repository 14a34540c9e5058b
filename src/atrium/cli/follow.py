"""Follow the log of a webhook whose deliveries cannot reach this machine."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from uuid import UUID

from atrium.cli.client_errors import TEMPORARY_ERRORS
from atrium.cli.forwarder import Forwarder
from atrium.client import AsyncWebhooks
from atrium.client.webhook_types import Delivery
from atrium.kit.clock import from_ms, utc_now
from atrium.webhooks.delivery.headers import signed_headers

POLL_INTERVAL = 1.0  # seconds
OVERLAP_MS = (
    10_000  # ids are assigned before commit, so an older id can become visible up to this much after a newer one
)


async def follow(
    webhooks: AsyncWebhooks, webhook_id: UUID, forwarder: Forwarder, secret: str | None, patterns: Sequence[str]
) -> None:
    """Forward new log entries whose type fits a pattern, each once, in order."""
    since = _before([await anext(webhooks.deliveries(webhook_id), None)])
    seen = {entry.delivery_id for entry in await _newer(webhooks, webhook_id, since)}
    forwarder.printer.begin(webhook_id=str(webhook_id), forward_to=forwarder.url)
    while True:
        await asyncio.sleep(POLL_INTERVAL)
        try:
            found = await _newer(webhooks, webhook_id, since)
        except TEMPORARY_ERRORS as error:
            forwarder.printer.note(f"{error}; retrying.")
            continue
        for entry in found:
            if entry.delivery_id not in seen and any(fnmatchcase(entry.event_type, each) for each in patterns):
                await forwarder.forward(_headers(entry, secret), entry.request_body.encode())
        seen, since = {entry.delivery_id for entry in found}, _before(found[-1:]) or since


def _before(newest: Sequence[Delivery | None]) -> datetime | None:
    """Return where to start, by the server's clock: an id begins with its time in milliseconds."""
    known = [each for each in newest if each is not None]
    return from_ms((known[0].delivery_id.int >> 80) - OVERLAP_MS) if known else None


async def _newer(webhooks: AsyncWebhooks, webhook_id: UUID, since: datetime | None) -> list[Delivery]:
    """Return the log entries since then, oldest first."""
    return [each async for each in webhooks.deliveries(webhook_id, since=since)][::-1]


def _headers(entry: Delivery, secret: str | None) -> dict[str, str]:
    if secret is not None:
        body = entry.request_body.encode()
        return signed_headers(entry.event_type, entry.delivery_id, body, secrets=[secret], now=utc_now())
    return {
        "Content-Type": "application/json",
        "X-Service-Event": entry.event_type,
        "X-Service-Delivery": str(entry.delivery_id),
    }

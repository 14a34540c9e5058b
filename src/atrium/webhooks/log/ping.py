"""The `ping` event, with which an admin tests an endpoint."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import cast

import msgspec

from atrium.events import WebhookEventKind
from atrium.keys.caller import Call
from atrium.kit.clock import Clock, rfc3339
from atrium.kit.encryption import SecretCipher, WrongKey, installation_cipher
from atrium.kit.errors import Conflict
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Pool, Record
from atrium.kit.process.fair_semaphore import FairSemaphore
from atrium.webhooks.authentication.access_tokens import AccessTokens
from atrium.webhooks.delivery.attempt import ClaimedDelivery, attempt, require_readable
from atrium.webhooks.log import queries
from atrium.webhooks.log.reach import as_delivery
from atrium.webhooks.manage.actions import webhook_change
from atrium.webhooks.manage.reach import WebhookNotFound
from atrium.webhooks.model import Delivery, DeliveryStatus, Webhook

# Tests under way in a process, which wait for receivers, and those of each organization.
TESTS, TESTS_EACH = 1000, 16
_tests = defaultdict[asyncio.AbstractEventLoop, FairSemaphore](lambda: FairSemaphore(TESTS, TESTS_EACH))


class SecretsUnreadable(Conflict):
    """The webhook's secret, headers or credentials were encrypted with another key than this server's, as after
    `atrium restore --any-key`. Rotate the secret, and set the headers and the authentication again."""

    code = "secrets_unreadable"
    title = "The webhook's secrets cannot be decrypted"


def ping_body(webhook: Webhook, at: str) -> bytes:
    """Return the body of a ping."""
    return msgspec.json.encode({
        "event_type": WebhookEventKind.PING, "subject": {"type": "webhook", "id": webhook.id}, "timestamp": at,
        "data": {"webhook_id": webhook.id, "name": webhook.name},
    })  # fmt: skip


async def ping(call: Call, webhook: Webhook) -> Callable[[Pool, Clock], Awaitable[Delivery]]:
    """Add a ping to the log; the returned function sends it, after the transaction, and records the result.

    It is attempted once, outside the queue, and never counts towards pausing. Raise WebhookNotFound if
    it was deleted meanwhile, SecretsUnreadable.
    """
    vault = installation_cipher(call.settings)
    delivery_id, body = new_id(call.now), ping_body(webhook, rfc3339(call.now))
    await call.db.execute(queries.PING, webhook.id, delivery_id, body, call.now)
    row = await call.db.fetchrow(queries.SEALED, webhook.id)  # with the URL: `webhook` may be older than the secrets
    if row is None:
        raise WebhookNotFound
    await call.record(webhook_change("webhook.tested", webhook))
    claimed = ClaimedDelivery(
        webhook_id=webhook.id, delivery_id=delivery_id, attempts_made=0, logged=0, manual=True, due_at=call.now,
        event_type=WebhookEventKind.PING, body=body, **dict(row),
    )  # fmt: skip
    _require_readable(claimed, vault)

    async def send(pool: Pool, clock: Clock) -> Delivery:
        async with _turn_of(webhook):
            tokens = AccessTokens(call.outbound, clock)  # tests the token too
            result = await attempt(claimed, vault=vault, outbound=call.outbound, tokens=tokens, clock=clock)
        status = DeliveryStatus.SUCCEEDED if result.exchange.succeeded else DeliveryStatus.FAILED
        row = await pool.fetchrow(queries.PINGED, webhook.id, delivery_id, status, f"[{result.as_json}]")
        return as_delivery(cast("Record", row))

    return send


def _turn_of(webhook: Webhook) -> AbstractAsyncContextManager[None]:
    return _tests[asyncio.get_running_loop()].place(webhook.organization_id)


def _require_readable(claimed: ClaimedDelivery, vault: SecretCipher) -> None:
    try:
        require_readable(claimed, vault)
    except WrongKey:
        raise SecretsUnreadable from None

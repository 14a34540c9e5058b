"""Send deliveries again: one of them now, or gradually those that were missed."""

import math
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.clock import parse_time, to_ms
from atrium.kit.errors import Conflict, invalid_field
from atrium.organizations.reach import Organization
from atrium.webhooks.log import queries
from atrium.webhooks.log.reach import find_delivery, require_may_send
from atrium.webhooks.manage.actions import REPLAY_INTERVAL, queue_gradually, webhook_change
from atrium.webhooks.manage.reach import find_webhook, lock_webhook
from atrium.webhooks.model import Delivery, DeliveryStatus, Webhook, WebhookStatus
from atrium.webhooks.queue.events import queue_earlier_events


class WebhookNotActive(Conflict):
    """A webhook that is not ACTIVE gets no deliveries."""

    code = "webhook_not_active"
    title = "The webhook is not active"


class ReplayPreview(Struct, frozen=True):
    """What a replay of a period would send."""

    status: Annotated[DeliveryStatus, Meta(description="MISSED or FAILED")]
    deliveries: Annotated[int, Meta(description="the number of deliveries")]
    seconds: Annotated[int, Meta(description="how long it takes until the last of them is due")]


async def resend_delivery(call: Call, organization: Organization, webhook_id: UUID, delivery_id: UUID) -> Delivery:
    """Send a delivery again, once and immediately. Raise WebhookNotFound, WebhookNotActive, DeliveryNotFound,
    Forbidden."""
    webhook = await _lock_active(call, organization, webhook_id)
    await find_delivery(call, organization, webhook_id, delivery_id)
    await call.db.execute(queries.RESEND, webhook_id, delivery_id, call.now)
    await call.record(webhook_change("webhook.delivery_resent", webhook, after={"delivery_id": str(delivery_id)}))
    return await find_delivery(call, organization, webhook_id, delivery_id)


async def replay_deliveries(
    call: Call, organization: Organization, webhook_id: UUID, *, since: str, until: str, status: DeliveryStatus
) -> int:
    """Queue the deliveries between two times that are MISSED or FAILED; they go out gradually. Return how many.

    Raise WebhookNotFound, WebhookNotActive, InvalidRequest, Forbidden.
    """
    webhook = await _lock_active(call, organization, webhook_id)
    if status not in (DeliveryStatus.MISSED, DeliveryStatus.FAILED):
        raise invalid_field("/status", "only MISSED and FAILED deliveries can be replayed")
    between = _moment("/since", since), _moment("/until", until)
    await require_may_send(call, organization, webhook_id, status=status, since_ms=between[0], until_ms=between[1])
    replayed = await queue_gradually(call, queries.REPLAY, webhook_id, status, *between)
    after = {"since": since, "until": until, "status": status, "replayed": replayed}
    await call.record(webhook_change("webhook.replayed", webhook, after=after))
    return replayed


async def preview_replay(
    call: Call, organization: Organization, webhook_id: UUID, *, since_ms: int, until_ms: int
) -> list[ReplayPreview]:
    """Return how many deliveries a replay of a period would send, and how long that takes. Raise WebhookNotFound."""
    webhook = await find_webhook(call, organization, webhook_id)
    counts = await call.db.fetchrow(queries.PREVIEW_REPLAY, webhook.id, since_ms, until_ms)
    statuses = (DeliveryStatus.MISSED, DeliveryStatus.FAILED)
    return [_preview_of(status, count) for status, count in zip(statuses, counts or (), strict=True)]


def _preview_of(status: DeliveryStatus, deliveries: int) -> ReplayPreview:
    seconds = math.ceil(deliveries * REPLAY_INTERVAL.total_seconds())
    return ReplayPreview(status, deliveries, seconds)


def _moment(pointer: str, text: str) -> int:
    try:
        return max(0, to_ms(parse_time(text)))
    except ValueError:
        raise invalid_field(pointer, "is not an ISO 8601 time") from None


async def _lock_active(call: Call, organization: Organization, webhook_id: UUID) -> Webhook:
    await lock_webhook(call, organization, webhook_id)
    await queue_earlier_events(call)
    webhook = await find_webhook(call, organization, webhook_id)
    if webhook.status is not WebhookStatus.ACTIVE:
        raise WebhookNotActive
    return webhook

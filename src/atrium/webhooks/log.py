"""The log of a webhook's deliveries, newest first (contract, Webhook log entry)."""

from typing import Any
from uuid import UUID

import msgspec

from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.errors import NotFound
from atrium.kit.rows import as_struct
from atrium.webhooks import queries
from atrium.webhooks.model import Attempt, Delivery, DeliveryStatus, EventSubject

WAITING = (DeliveryStatus.PENDING, DeliveryStatus.RETRYING)


class DeliveryNotFound(NotFound):
    """The webhook has no such delivery, or it is older than 30 days."""

    code = "delivery_not_found"
    title = "There is no such delivery"


async def find_delivery(call: Call, webhook_id: UUID, delivery_id: UUID) -> Delivery:
    """A log entry. Raises DeliveryNotFound."""
    row = await call.db.fetchrow(queries.LOG_ENTRY, webhook_id, delivery_id)
    if row is None:
        raise DeliveryNotFound
    return as_delivery(row)


def as_delivery(row: Record) -> Delivery:
    """A row of the log."""
    attempts = msgspec.json.decode(row["attempts"], type=list[Attempt])
    shown: dict[str, Any] = {name: row[name] for name in ("delivery_id", "event_type", "status", "created_at")}
    shown |= {
        "subject": EventSubject(row["subject_type"], UUID(str(row["subject_id"]))),
        "response_code": attempts[-1].response_code if attempts else None,
        "retry_count": max(0, len(attempts) - 1),
        "attempts": attempts,
        "next_retry_at": row["next_attempt_at"] if row["status"] in WAITING else None,
        "request_body": bytes(row["body"]).decode(),
    }
    return as_struct(shown, Delivery)

"""Mails to admins about their webhooks, queued in the transaction of the event."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.events import WebhookEventKind
from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.settings import Settings
from atrium.webhooks import queries


class LastAttempt(NamedTuple):
    """The last attempt of a delivery."""

    delivery_id: UUID
    event_type: str
    number: int
    error: str | None


EVENTS: dict[str, str] = {
    WebhookEventKind.MESSAGE_SENT: "Message sent",
    WebhookEventKind.TRANSCRIPT_PUBLISHED: "Transcript published",
    WebhookEventKind.MESSAGE_EDITED: "Message edited",
    WebhookEventKind.MESSAGE_DELETED: "Message deleted",
    WebhookEventKind.REACTION_ADDED: "Reaction added",
    WebhookEventKind.REACTION_REMOVED: "Reaction removed",
    WebhookEventKind.RECORDING_READY: "Recording ready",
    WebhookEventKind.ROOM_CREATED: "Room created",
    WebhookEventKind.ROOM_UPDATED: "Room updated",
    WebhookEventKind.ROOM_ARCHIVED: "Room archived",
    WebhookEventKind.ROOM_DELETED: "Room deleted",
    WebhookEventKind.SPACE_MEMBER_ADDED: "Space member added",
    WebhookEventKind.SPACE_MEMBER_UPDATED: "Space member updated",
    WebhookEventKind.SPACE_MEMBER_REMOVED: "Space member removed",
    WebhookEventKind.PERSON_JOINED: "Person joined",
    WebhookEventKind.PERSON_DEACTIVATED: "Person deactivated",
    WebhookEventKind.PERSON_REACTIVATED: "Person reactivated",
    WebhookEventKind.PERSON_REMOVED: "Person removed",
    WebhookEventKind.AUDIT_ENTRY: "Audit entry",
    WebhookEventKind.PING: "Test",
}

PAUSED = """Atrium paused the webhook "{name}" on {at}. {reason}

Endpoint: {endpoint}

While the webhook is paused, nothing is sent. Its log keeps missed events for 30 days, and you can replay them from
there. When the endpoint works again, enable the webhook on its page:
{link}
"""

EXHAUSTED = """Atrium could not deliver an event to the webhook "{name}" after {attempts} attempts.

Event:      {event}, {created}
Endpoint:   {endpoint}
Last error: {error}
Delivery:   {delivery}

The delivery stays in the webhook's log for 30 days. You can resend it there:
{link}
"""


async def notify_of_pause(db: Connection, webhook: Record, reason: str, now: datetime, settings: Settings) -> None:
    """Mail the pause and its reason to each admin and super_admin."""
    text = PAUSED.format(
        name=webhook["name"], at=_in_words(now), reason=reason, endpoint=webhook["endpoint_url"],
        link=_link(webhook, settings),
    )  # fmt: skip
    await _notify_admins(db, webhook["organization_id"], f"Webhook paused: {webhook['name']}", text, now)


async def notify_of_exhausted(
    db: Connection, webhook: Record, last: LastAttempt, now: datetime, settings: Settings
) -> None:
    """Mail to each admin and super_admin that no retry of an event is left."""
    text = EXHAUSTED.format(
        attempts=last.number, name=webhook["name"], event=EVENTS.get(last.event_type, last.event_type),
        error=last.error, delivery=last.delivery_id, created=_in_words(webhook["created_at"]),
        endpoint=webhook["endpoint_url"], link=_link(webhook, settings),
    )  # fmt: skip
    await _notify_admins(db, webhook["organization_id"], f"Webhook delivery failed: {webhook['name']}", text, now)


def _in_words(at: datetime) -> str:
    return f"{at:%Y-%m-%d at %H:%M} UTC"


def _link(webhook: Record, settings: Settings) -> str:
    organization = f"{settings.base_url}/o/{webhook['organization_id']}"
    return f"{organization}/administration/webhooks/{webhook['webhook_id']}"


async def _notify_admins(db: Connection, organization_id: UUID, subject: str, text: str, now: datetime) -> None:
    for admin in await db.fetch(queries.ADMINS, organization_id):
        await enqueue_mail(db, to=admin["email"], subject=subject, text=text, now=now)

"""What admins are told by mail of their webhooks; written in the transaction of what they tell."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.kit.clock import rfc3339
from atrium.kit.database import Connection, Record
from atrium.kit.mail import put_mail
from atrium.kit.settings import Settings
from atrium.webhooks import queries


class LastAttempt(NamedTuple):
    """The attempt after which none follows."""

    delivery_id: UUID
    event_type: str
    number: int
    error: str | None


PAUSED = """The webhook "{name}" was paused at {at}, because {reason}

Its endpoint is {endpoint}.

No attempt is made while it is paused. Events are kept in its log as missed for 30 days and can be replayed from there.
When the endpoint works again, set the webhook ACTIVE on its page:
{link}
"""

EXHAUSTED = """An event was given up after {attempts} failed attempts to deliver it to the webhook "{name}".

Delivery: {delivery}
Event:    {event} of {created}
Endpoint: {endpoint}
Last try: {error}

It stays in the log of the webhook for 30 days and can be sent again from there:
{link}
"""


async def tell_of_pause(db: Connection, webhook: Record, reason: str, now: datetime, settings: Settings) -> None:
    """The pause and its reason, to each admin and super_admin."""
    text = PAUSED.format(
        name=webhook["name"], at=rfc3339(now), reason=reason, endpoint=webhook["endpoint_url"],
        link=_link(webhook, settings),
    )  # fmt: skip
    await _tell_admins(db, webhook["organization_id"], f"Webhook paused: {webhook['name']}", text, now)


async def tell_of_exhausted(
    db: Connection, webhook: Record, last: LastAttempt, now: datetime, settings: Settings
) -> None:
    """That no retry of an event is left, to each admin and super_admin."""
    text = EXHAUSTED.format(
        attempts=last.number, name=webhook["name"], delivery=last.delivery_id, event=last.event_type, error=last.error,
        created=rfc3339(webhook["created_at"]), endpoint=webhook["endpoint_url"], link=_link(webhook, settings),
    )  # fmt: skip
    await _tell_admins(db, webhook["organization_id"], f"Webhook delivery failed: {webhook['name']}", text, now)


def _link(webhook: Record, settings: Settings) -> str:
    organization = f"{settings.base_url}/o/{webhook['organization_id']}"
    return f"{organization}/administration/webhooks/{webhook['webhook_id']}"


async def _tell_admins(db: Connection, organization_id: UUID, subject: str, text: str, now: datetime) -> None:
    for admin in await db.fetch(queries.ADMINS, organization_id):
        await put_mail(db, to=admin["email"], subject=subject, text=text, now=now)

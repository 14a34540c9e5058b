"""Mails to admins about their webhooks, queued in the transaction of the event, and about client certificates."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.events import label_of
from atrium.kit.mail.expiry import ExpiryMail, in_words, mail_about_expiring
from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.postgres.database import Connection, Pool, Record
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import queries
from atrium.webhooks.delivery.pause_rules import CountedAttempt


class LastAttempt(NamedTuple):
    """The last attempt of a delivery."""

    delivery_id: UUID
    event_type: str
    number: int
    error: str | None


PAUSED = """Atrium paused the webhook "{name}" on {at}. {reason}

Endpoint: {endpoint}

{rule} Ten such events in a row, within 3 days of the first, pause a webhook. Any delivered event resets the count.

While the webhook is paused, nothing is sent. Its log keeps missed events for 30 days, and you can replay them from
there. When the endpoint works again, enable the webhook on its page:
{link}
"""

RULES = {
    CountedAttempt.FIRST_ATTEMPT: (
        "An event counts when its first attempt fails, even if a retry succeeds. If the endpoint fails for moments, "
        "set ATRIUM_PAUSE_COUNTS=first_retry on the server: then an event counts when its first retry fails too."
    ),
    CountedAttempt.FIRST_RETRY: (
        "An event counts when its first attempt and its first retry fail "
        "(ATRIUM_PAUSE_COUNTS=first_retry on the server)."
    ),
    CountedAttempt.EXHAUSTED: (
        "An event counts when all of its attempts fail (ATRIUM_PAUSE_COUNTS=exhausted on the server)."
    ),
}

EXHAUSTED = """Atrium could not deliver an event to the webhook "{name}" after {attempts} attempts.

Event:      {event}, {created}
Endpoint:   {endpoint}
Last error: {error}
Delivery:   {delivery}

The delivery stays in the webhook's log for 30 days. You can resend it there:
{link}
"""

ENDING = """The client certificate of the webhook "{name}" ends on {at}.

Endpoint: {endpoint}

After that, the endpoint refuses connections, and deliveries fail. To avoid this, give the webhook a new certificate:
{link}
"""


async def notify_of_pause(db: Connection, webhook: Record, reason: str, now: datetime, settings: Settings) -> None:
    """Mail the pause and its reason to each admin and super_admin."""
    text = PAUSED.format(
        name=webhook["name"],
        at=in_words(now),
        reason=reason,
        endpoint=webhook["endpoint_url"],
        rule=RULES[CountedAttempt(settings.pause_counts)],
        link=_link(webhook, settings.base_url),
    )
    await _notify_admins(db, webhook["organization_id"], f"Webhook paused: {webhook['name']}", text, now)


async def notify_of_exhausted(
    db: Connection, webhook: Record, last: LastAttempt, now: datetime, settings: Settings
) -> None:
    """Mail to each admin and super_admin that no retry of an event is left."""
    text = EXHAUSTED.format(
        attempts=last.number,
        name=webhook["name"],
        event=label_of(last.event_type),
        error=last.error,
        delivery=last.delivery_id,
        created=in_words(webhook["created_at"]),
        endpoint=webhook["endpoint_url"],
        link=_link(webhook, settings.base_url),
    )
    await _notify_admins(db, webhook["organization_id"], f"Webhook delivery failed: {webhook['name']}", text, now)


async def mail_about_ending_certificates(pool: Pool, now: datetime, *, base_url: str) -> None:
    """Mail each admin and super_admin about client certificates that have begun their last week or their last day."""

    def mail(webhook: Record) -> ExpiryMail:
        text = ENDING.format(
            name=webhook["name"],
            at=in_words(webhook["certificate_ends_at"]),
            endpoint=webhook["endpoint_url"],
            link=_link(webhook, base_url),
        )
        return ExpiryMail(f"Certificate ends soon: {webhook['name']}", text)

    await mail_about_expiring(pool, now, queries.CLAIM_ENDING_CERTIFICATES, mail)


def _link(webhook: Record, base_url: str) -> str:
    return f"{base_url}/o/{webhook['organization_id']}/administration/webhooks/{webhook['webhook_id']}"


async def _notify_admins(db: Connection, organization_id: UUID, subject: str, text: str, now: datetime) -> None:
    for admin in await db.fetch(queries.ADMINS, organization_id):
        await enqueue_mail(db, to=admin["email"], subject=subject, text=text, now=now)

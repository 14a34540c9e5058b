"""The log of a webhook's deliveries, newest first (docs/contract.md#webhooks-and-subscriptions)."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Raw, Struct, structs

from atrium.keys.caller import ActorKind, Call
from atrium.kit.errors import Forbidden, NotFound
from atrium.kit.http.paging import ListPage, decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import END_OF_TIME
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole
from atrium.webhooks.log import queries
from atrium.webhooks.manage.scopes import scopes_of_content
from atrium.webhooks.model import Attempt, Delivery, DeliveryStatus, EventSubject, Webhook

RETENTION_DAYS = 30
LAST = UUID(int=(1 << 128) - 1)
PLACES = ("room", "space")
WAITING = (DeliveryStatus.PENDING, DeliveryStatus.RETRYING)


class DeliveryFilter(NamedTuple):
    """The filter of a delivery list; times are in milliseconds, `until_ms` is exclusive."""

    status: DeliveryStatus | None
    event_type: str | None
    since_ms: int
    until_ms: int


class _Body(Struct):
    data: dict[str, Raw]


class DeliveryNotFound(NotFound):
    """The delivery does not exist or is older than 30 days."""

    code = "delivery_not_found"
    title = "Delivery not found"


async def find_delivery(call: Call, organization: Organization, webhook_id: UUID, delivery_id: UUID) -> Delivery:
    """Return a log entry that the caller may read. Raise DeliveryNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.LOG_ENTRY, webhook_id, delivery_id)
    if row is None:
        raise DeliveryNotFound
    delivery = as_delivery(row)
    if not all(await may_read(call, organization, [_content_of(delivery)])):
        raise Forbidden("You may not read what this delivery contains, so you cannot resend it.")
    return delivery


async def list_deliveries(
    call: Call, organization: Organization, webhook: Webhook, chosen: DeliveryFilter, paging: Paging
) -> ListPage[Delivery]:
    """Return a page of a webhook's log, newest first."""
    before = LAST if paging.cursor is None else decode_cursor(paging.cursor, UUID)
    rows = await call.db.fetch(queries.LOGS, webhook.id, before, *chosen, paging.limit + 1)
    deliveries = await as_deliveries(call, organization, rows)
    page, cursor = paginate(deliveries, paging.limit, lambda delivery: delivery.delivery_id)
    return list(page), cursor


async def as_deliveries(call: Call, organization: Organization, rows: Sequence[Record]) -> list[Delivery]:
    """Read rows of the log as the caller may see them, without the contents that the caller may not read elsewhere."""
    deliveries = [as_delivery(row) for row in rows]
    readable = await may_read(call, organization, [_content_of(each) for each in deliveries])
    return [each if is_shown else _without_subject(each) for each, is_shown in zip(deliveries, readable, strict=True)]


class Content(NamedTuple):
    """What a delivery is about."""

    event_type: str
    subject_type: str
    subject_id: UUID | None
    has_message: bool


async def may_read(call: Call, organization: Organization, contents: Sequence[Content]) -> list[bool]:
    """Return of each content whether the caller could read it elsewhere, such as a message or the audit log."""
    places = {each.subject_id for each in contents if each.subject_type in PLACES}
    hidden = places - await _reached(call, organization, places)
    return [each.subject_id not in hidden and _is_in_scope(call, each) for each in contents]


def _is_in_scope(call: Call, content: Content) -> bool:
    return all(map(call.caller.has_scope, scopes_of_content(content.event_type, has_message=content.has_message)))


async def require_may_send(
    call: Call,
    organization: Organization,
    webhook_id: UUID,
    *,
    waiting: bool = False,
    status: DeliveryStatus | None = None,
    since_ms: int = 0,
    until_ms: int = END_OF_TIME,
) -> None:
    """Raise Forbidden unless the caller may read every delivery that waits, or that has a status in a period: who sends
    it again, or to another endpoint, could read it there."""
    if is_unlimited(call, organization):
        return
    rows = await call.db.fetch(queries.CONTENTS, webhook_id, waiting, status, since_ms, until_ms)
    if not all(await may_read(call, organization, [Content(*row) for row in rows])):
        raise Forbidden("The webhook has deliveries that you may not read.")


def is_unlimited(call: Call, organization: Organization) -> bool:
    """Return whether the caller may read everything that a webhook of the organization is sent."""
    return call.caller.scopes is None and _reaches_all(call, organization)


def _reaches_all(call: Call, organization: Organization) -> bool:
    return call.caller.kind is ActorKind.PERSON and organization.role.holds(OrganizationRole.ADMIN)


async def _reached(call: Call, organization: Organization, places: set[UUID | None]) -> set[UUID | None]:
    """Return those of the rooms and spaces that the caller has access to."""
    if _reaches_all(call, organization):
        return places  # an admin has access to every space
    rows = await call.db.fetch(queries.SUBJECTS_REACHED, call.caller.actor_id, call.caller.kind, list(places))
    return {row["subject_id"] for row in rows}


def _content_of(delivery: Delivery) -> Content:
    has_message = "message" in msgspec.json.decode(delivery.request_body, type=_Body).data
    return Content(delivery.event_type, delivery.subject.type, delivery.subject.id, has_message)


def _without_subject(delivery: Delivery) -> Delivery:
    """Return the entry without its contents; the endpoint may have echoed what it received."""
    attempts = [structs.replace(each, response_excerpt="") for each in delivery.attempts]
    subject = EventSubject(delivery.subject.type, None)
    return structs.replace(delivery, subject=subject, request_body="", attempts=attempts)


def as_delivery(row: Record) -> Delivery:
    """Read a row of the log."""
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

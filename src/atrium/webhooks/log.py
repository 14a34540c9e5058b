"""The log of a webhook's deliveries, newest first (docs/contract.md#webhooks-and-subscriptions)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Raw, Struct, structs

from atrium.keys.caller import ActorKind, Call
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole, Scope
from atrium.webhooks import queries
from atrium.webhooks.event_scopes import scope_of_event
from atrium.webhooks.model import Attempt, Delivery, DeliveryStatus, EventSubject, Webhook

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
    """Return a log entry as the caller may see it. Raise DeliveryNotFound."""
    row = await call.db.fetchrow(queries.LOG_ENTRY, webhook_id, delivery_id)
    if row is None:
        raise DeliveryNotFound
    [delivery] = await as_deliveries(call, organization, [row])
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
    places = {each.subject.id for each in deliveries if each.subject.type in PLACES}
    hidden = places - await _reached(call, organization, places)
    return [_without_subject(each) if _is_hidden(call, each, hidden) else each for each in deliveries]


async def _reached(call: Call, organization: Organization, places: set[UUID | None]) -> set[UUID | None]:
    """Return those of the rooms and spaces that the caller has access to."""
    if call.caller.kind is ActorKind.PERSON and organization.role.holds(OrganizationRole.ADMIN):
        return places  # an admin has access to every space
    rows = await call.db.fetch(queries.SUBJECTS_REACHED, call.caller.actor_id, call.caller.kind, list(places))
    return {row["subject_id"] for row in rows}


def _is_hidden(call: Call, delivery: Delivery, hidden: set[UUID | None]) -> bool:
    """Return whether the caller could not read the contents elsewhere, such as the audit log or a message."""
    return delivery.subject.id in hidden or not all(map(call.caller.has_scope, _scopes_of(delivery)))


def _scopes_of(delivery: Delivery) -> Iterator[Scope]:
    scope = scope_of_event(delivery.event_type)
    if scope is not None:
        yield scope
    if "message" in msgspec.json.decode(delivery.request_body, type=_Body).data:
        yield Scope.MESSAGES_READ


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

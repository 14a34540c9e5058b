"""Create, change and delete webhooks, and rotate their secrets."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from atrium.audit.trail import AuditedFields, Change, Target
from atrium.keys.caller import Call
from atrium.kit.encryption import installation_cipher
from atrium.kit.errors import Forbidden, NotFound, invalid_field
from atrium.kit.ids import new_id
from atrium.organizations.reach import Organization
from atrium.webhooks.authentication.model import Credentials, Destination
from atrium.webhooks.delivery.headers import require_headers, require_headers_again
from atrium.webhooks.delivery.signing import new_secret
from atrium.webhooks.log.reach import require_may_send
from atrium.webhooks.manage import queries
from atrium.webhooks.manage.destinations import add_authentication, change_authentication, require_destinations
from atrium.webhooks.manage.limits import (
    lock_subscriptions,
    require_below_subscription_limit,
    require_below_webhook_limit,
)
from atrium.webhooks.manage.reach import find_webhook, lock_webhook
from atrium.webhooks.manage.subscriptions import as_row, as_rows, require_fits, require_may_subscribe
from atrium.webhooks.model import Ordering, Subscription, Webhook, WebhookStatus
from atrium.webhooks.queue.events import queue_earlier_events

NOT_YOURS = "This webhook subscribes to a room or space that you have no access to, so you cannot change its endpoint."
REPLAY_INTERVAL = timedelta(milliseconds=100)


class DeliveryOptions(NamedTuple):
    """How a webhook's deliveries go out: the times in seconds, None for those of the server; the attempts per second,
    None for no limit."""

    retry_schedule: Sequence[int] | None = None
    time_limit: int | None = None
    ordering: Ordering = Ordering.NONE
    rate_limit: int | None = None


DEFAULT_OPTIONS = DeliveryOptions()


async def create_webhook(
    call: Call, organization: Organization, *, name: str, description: str, endpoint_url: str,
    headers: Mapping[str, str], subscriptions: Sequence[Subscription], options: DeliveryOptions = DEFAULT_OPTIONS,
    authentication: Credentials | None = None,
) -> tuple[Webhook, str]:  # fmt: skip
    """Create a webhook; returns it and its secret, which nothing else shows. Raise ForbiddenEndpoint, InvalidRequest,
    RoomNotFound, SpaceNotFound, Forbidden, TooManyWebhooks, TooManySubscriptions."""
    require_headers(headers)
    await require_destinations(call, endpoint_url, authentication)
    await require_below_webhook_limit(call, organization)
    await queue_earlier_events(call)
    webhook_id, secret = await _add_webhook(
        call, organization, name=name, description=description, endpoint_url=endpoint_url, headers=headers
    )
    await call.db.execute(queries.SET_OPTIONS, webhook_id, *options)
    await add_authentication(call, webhook_id, Destination(endpoint_url, headers, authentication))
    await _subscribe(call, organization, webhook_id, subscriptions, current=())
    created = await find_webhook(call, organization, webhook_id)
    await call.record(webhook_change("webhook.created", created, after=created))
    return created, secret


async def update_webhook(
    call: Call, organization: Organization, webhook_id: UUID, *, name: str | None, description: str | None,
    endpoint_url: str | None, headers: Mapping[str, str] | None, status: WebhookStatus | None,
    subscriptions: Sequence[Subscription] | None, options: Mapping[str, Any],
    authentication: Credentials | UnsetType | None = UNSET,
) -> Webhook:  # fmt: skip
    """Change what is not None, and of `options` what is there. Raise WebhookNotFound, ForbiddenEndpoint,
    InvalidRequest, RoomNotFound, SpaceNotFound, Forbidden, TooManySubscriptions."""
    await _require_may_move(
        call, organization, webhook_id, endpoint_url=endpoint_url, headers=headers, authentication=authentication
    )
    await _lock_with_subscriptions(call, organization, webhook_id)
    found = await find_webhook(call, organization, webhook_id)
    if endpoint_url not in (None, found.endpoint_url):
        await _require_may_change_endpoint(call, organization, found, headers)
    await change_authentication(call, found, endpoint_url=endpoint_url, headers=headers, requested=authentication)
    if subscriptions is not None:
        await _subscribe(call, organization, webhook_id, subscriptions, current=found.subscriptions)
    await _change_webhook(call, found, name=name, description=description, endpoint_url=endpoint_url, headers=headers)
    if options:
        known = DeliveryOptions(found.retry_schedule, found.time_limit, found.ordering, found.rate_limit)
        await call.db.execute(queries.SET_OPTIONS, webhook_id, *known._replace(**options))
    if status not in (None, found.status):
        await _set_status(call, webhook_id, status)
    updated = await find_webhook(call, organization, webhook_id)
    await call.record(webhook_change("webhook.updated", found, before=found, after=updated))
    return updated


async def delete_webhook(call: Call, organization: Organization, webhook_id: UUID) -> None:
    """Delete a webhook with its log; nothing more is delivered to it. Raise WebhookNotFound."""
    await _lock_with_subscriptions(call, organization, webhook_id)
    found = await find_webhook(call, organization, webhook_id)
    await call.db.execute(queries.FORGET_DUE, webhook_id)
    await call.db.execute(queries.DELETE, webhook_id)
    await call.record(webhook_change("webhook.deleted", found, before=found))


async def rotate_secret(
    call: Call, organization: Organization, webhook_id: UUID, overlap: timedelta
) -> tuple[Webhook, str]:
    """Replace the secret; for as long as `overlap`, deliveries are signed with the old one too. Raise
    WebhookNotFound."""
    await lock_webhook(call, organization, webhook_id)
    secret, until = new_secret(), call.now + overlap if overlap else None
    await call.db.execute(
        queries.ROTATE, webhook_id, installation_cipher(call.settings).encrypt(secret.encode()), until
    )
    webhook = await find_webhook(call, organization, webhook_id)
    rotated = {"overlap_hours": overlap // timedelta(hours=1)}
    await call.record(webhook_change("webhook.secret_rotated", webhook, after=rotated))
    return webhook, secret


async def queue_gradually(call: Call, statement: str, *parameters: object) -> int:
    """Run a statement that makes deliveries due one after the other, an interval apart. Return how many there are."""
    made: int = await call.db.fetchval(statement, *parameters, call.now, REPLAY_INTERVAL)
    return made


def webhook_change(
    action: str, webhook: Webhook, *, before: AuditedFields | None = None, after: AuditedFields | None = None
) -> Change:
    """Describe a change of a webhook for the audit log."""
    return Change(action, Target("webhook", webhook.id, webhook.name), webhook.organization_id, before, after)


async def _add_webhook(
    call: Call,
    organization: Organization,
    *,
    name: str,
    description: str,
    endpoint_url: str,
    headers: Mapping[str, str],
) -> tuple[UUID, str]:
    """Add a webhook without subscriptions; returns its id and its secret."""
    vault, webhook_id, secret = installation_cipher(call.settings), new_id(call.now), new_secret()
    await call.db.execute(
        queries.ADD, webhook_id, organization.organization_id, name, description, endpoint_url,
        vault.encrypt(msgspec.json.encode(headers)), vault.encrypt(secret.encode()), call.caller.actor_id, call.now,
    )  # fmt: skip
    return webhook_id, secret


async def _lock_with_subscriptions(call: Call, organization: Organization, webhook_id: UUID) -> None:
    """Lock a webhook and, before it, what all webhooks of the organization are subscribed to; after it, the queue of
    events. Raise WebhookNotFound."""
    await lock_subscriptions(call, organization)
    await lock_webhook(call, organization, webhook_id)
    await queue_earlier_events(call)


async def _subscribe(
    call: Call,
    organization: Organization,
    webhook_id: UUID,
    requested: Sequence[Subscription],
    current: Sequence[Subscription],
) -> None:
    """Replace the subscriptions of a webhook. Raise TooManySubscriptions; RoomNotFound, SpaceNotFound, Forbidden for a
    new one that the caller may not create (docs/contract.md#webhooks-and-subscriptions)."""
    rows = [as_row(each) for each in requested]
    if len(set(rows)) < len(requested):  # an empty filter is none
        raise invalid_field("/content/subscriptions", "contains a duplicate subscription")
    known = set(map(as_row, current))
    for nr, (subscription, row) in enumerate(zip(requested, rows, strict=True)):
        require_fits(subscription, f"/content/subscriptions/{nr}")
        if row not in known:
            await require_may_subscribe(call, organization, subscription)
    await call.db.execute(queries.UNSUBSCRIBE_ALL, webhook_id)
    await call.db.execute(queries.SUBSCRIBE, webhook_id, as_rows(rows))
    await require_below_subscription_limit(call, webhook_id, current)


async def _require_may_move(
    call: Call, organization: Organization, webhook_id: UUID, *, endpoint_url: str | None,
    headers: Mapping[str, str] | None, authentication: object,
) -> None:  # fmt: skip
    """Raise WebhookNotFound, and what a change of the destinations raises, before anything is locked."""
    require_headers(headers or {})
    found = await find_webhook(call, organization, webhook_id)
    moved_to = endpoint_url if endpoint_url != found.endpoint_url else None
    if moved_to is not None:
        await _require_may_change_endpoint(call, organization, found, headers)
    await require_destinations(call, moved_to, authentication)


async def _require_may_change_endpoint(
    call: Call, organization: Organization, webhook: Webhook, headers: Mapping[str, str] | None
) -> None:
    """Raise Forbidden unless the caller could create the webhook's subscriptions and read what waits: a changed
    endpoint receives both (docs/contract.md#webhooks-and-subscriptions). The caller may see the subscriptions.
    Raise InvalidRequest unless the values of the custom headers are entered again."""
    require_headers_again(webhook.header_names, headers)
    for subscription in webhook.subscriptions:
        if subscription.subject_id not in webhook.deleted_subjects:
            try:
                await require_may_subscribe(call, organization, subscription)
            except NotFound:
                raise Forbidden(NOT_YOURS) from None
    await require_may_send(call, organization, webhook.id, waiting=True)


async def _change_webhook(
    call: Call, webhook: Webhook, *, name: str | None, description: str | None, endpoint_url: str | None,
    headers: Mapping[str, str] | None,
) -> None:  # fmt: skip
    sealed = None if headers is None else installation_cipher(call.settings).encrypt(msgspec.json.encode(headers))
    await call.db.execute(queries.CHANGE, webhook.id, name, description, endpoint_url, sealed)


async def _set_status(call: Call, webhook_id: UUID, status: WebhookStatus | None) -> None:
    """Enable or disable a webhook; once enabled, its waiting deliveries go out gradually. Raise InvalidRequest for
    PAUSED."""
    if status is WebhookStatus.PAUSED:
        raise invalid_field("/content/status", "only sustained failures pause a webhook; set INACTIVE to disable it")
    changed = await call.db.fetchval(queries.SET_STATUS, webhook_id, status)
    if changed and status is WebhookStatus.ACTIVE:
        await queue_gradually(call, queries.SPREAD_OVERDUE, webhook_id)

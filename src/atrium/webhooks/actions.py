"""Webhooks are created, changed, given new secrets and deleted; what they missed is replayed."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec

from atrium import permissions as may
from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.errors import InvalidRequest, NotFound, invalid_field
from atrium.kit.ids import new_id
from atrium.kit.outbound import ForbiddenAddress
from atrium.kit.rows import as_struct
from atrium.kit.sealing import open_vault
from atrium.organizations.reach import Organization
from atrium.rooms.reach import RoomNotFound, reach_room
from atrium.spaces.reach import SpaceNotFound, reach_space
from atrium.webhooks import queries
from atrium.webhooks.model import DeliveryStatus, SubjectType, Subscription, Webhook, WebhookStatus
from atrium.webhooks.pausing import expired_before
from atrium.webhooks.signing import new_secret

KEPT_DAYS = 30
RESUMED_EVERY = timedelta(milliseconds=100)
FIRST, LAST = UUID(int=0), UUID(int=(1 << 128) - 1)


class WebhookNotFound(NotFound):
    """The organization has no such webhook."""

    code = "webhook_not_found"
    title = "There is no such webhook"


class ForbiddenEndpoint(InvalidRequest):
    """Deliveries go to public http and https addresses only."""

    code = "forbidden_endpoint"
    title = "The endpoint is not one that deliveries may go to"


async def find_webhook(call: Call, organization: Organization, webhook_id: UUID) -> Webhook:
    """The organization's webhook of that id. Raises WebhookNotFound."""
    found = await _read_webhooks(call, organization, FIRST, webhook_id, 1)
    if not found:
        raise WebhookNotFound
    return found[0]


async def list_webhooks(call: Call, organization: Organization, after: UUID, limit: int) -> list[Webhook]:
    """Return at most `limit` of the organization's webhooks, oldest first, from behind `after`."""
    return await _read_webhooks(call, organization, after, None, limit)


async def _read_webhooks(
    call: Call, organization: Organization, after: UUID, webhook_id: UUID | None, limit: int
) -> list[Webhook]:
    rows = await call.db.fetch(
        queries.WEBHOOKS, organization.organization_id, after, webhook_id, limit, expired_before(call.now)
    )  # fmt: skip
    return [_as_webhook(call, row) for row in rows]


async def lock_webhook(call: Call, organization: Organization, webhook_id: UUID) -> None:
    """Let changes of a webhook come one after the other. Raises WebhookNotFound."""
    if await call.db.fetchrow(queries.LOCK, organization.organization_id, webhook_id) is None:
        raise WebhookNotFound


def _as_webhook(call: Call, row: Record) -> Webhook:
    """A row of WEBHOOKS, without what is secret in it."""
    headers: Mapping[str, str] = msgspec.json.decode(open_vault(call.settings).unseal(row["headers"]))
    shown: dict[str, Any] = {
        **row, "header_names": sorted(headers), "subscriptions": msgspec.json.decode(row["subscriptions"])
    }  # fmt: skip
    del shown["headers"]
    return as_struct(shown, Webhook)


async def create_webhook(
    call: Call, organization: Organization, *, name: str, description: str, endpoint_url: str,
    headers: Mapping[str, str],
) -> tuple[UUID, str]:  # fmt: skip
    """A new webhook without subscriptions: its id, and its secret, which is not to be had again."""
    vault, webhook_id, secret = open_vault(call.settings), new_id(call.now), new_secret()
    await require_endpoint(call, endpoint_url)
    await call.db.execute(
        queries.ADD, webhook_id, organization.organization_id, name, description, endpoint_url,
        vault.seal(msgspec.json.encode(headers)), vault.seal(secret.encode()), call.caller.actor_id, call.now,
    )  # fmt: skip
    return webhook_id, secret


async def require_endpoint(call: Call, endpoint_url: str) -> None:
    """Raises ForbiddenEndpoint where no delivery may go there."""
    try:
        await call.outbound.check(endpoint_url)
    except ForbiddenAddress as refused:
        raise ForbiddenEndpoint(
            str(refused), errors=invalid_field("/content/endpoint_url", str(refused)).errors
        ) from None


async def subscribe(
    call: Call,
    organization: Organization,
    webhook_id: UUID,
    wanted: Sequence[Subscription],
    held: Sequence[Subscription],
) -> None:
    """Replace what a webhook subscribes to. Raises RoomNotFound, SpaceNotFound, Forbidden for what is new and not the
    caller's to subscribe to (docs/contract.md#webhooks-and-subscriptions)."""
    if len({_columns(each) for each in wanted}) < len(wanted):  # an empty filter is none
        raise invalid_field("/content/subscriptions", "names a subscription twice")
    known = {_columns(each) for each in held}
    for subscription in wanted:
        if _columns(subscription) not in known:
            await _require_may_subscribe(call, organization, subscription)
    await call.db.execute(queries.UNSUBSCRIBE_ALL, webhook_id)
    columns = zip(*map(_columns, wanted), strict=True)
    await call.db.execute(queries.SUBSCRIBE, webhook_id, *(list(column) for column in columns))


async def require_may_redirect(call: Call, organization: Organization, webhook: Webhook) -> None:
    """Raise RoomNotFound, SpaceNotFound or Forbidden where the caller could not have made the webhook's subscriptions:
    whoever says where events go receives them (docs/contract.md#webhooks-and-subscriptions)."""
    for subscription in webhook.subscriptions:
        if subscription.subject_id not in webhook.deleted_subjects:
            await _require_may_subscribe(call, organization, subscription)


async def _require_may_subscribe(call: Call, organization: Organization, subscription: Subscription) -> None:
    if subscription.subject_type is SubjectType.SPACE:
        space = await reach_space(call, subscription.subject_id, may.MANAGE_SPACE)
        if space.organization_id != organization.organization_id:
            raise SpaceNotFound
    else:
        room = await reach_room(call, subscription.subject_id, may.MANAGE_ROOM)
        if room.organization_id != organization.organization_id:
            raise RoomNotFound


def _columns(subscription: Subscription) -> tuple[str, UUID, str, str | None]:
    room_type = subscription.filter.room_type if subscription.filter else None
    return subscription.subject_type, subscription.subject_id, subscription.subscription_type, room_type


async def change_webhook(
    call: Call, webhook_id: UUID, *, name: str | None, description: str | None, endpoint_url: str | None,
    headers: Mapping[str, str] | None,
) -> None:  # fmt: skip
    """Change what is given."""
    if endpoint_url is not None:
        await require_endpoint(call, endpoint_url)
    sealed = None if headers is None else open_vault(call.settings).seal(msgspec.json.encode(headers))
    await call.db.execute(queries.CHANGE, webhook_id, name, description, endpoint_url, sealed)


async def set_status(call: Call, webhook_id: UUID, status: WebhookStatus) -> None:
    """Switch a webhook on or off; switched on, what waited goes gradually. Raises InvalidRequest for PAUSED."""
    if status is WebhookStatus.PAUSED:
        raise invalid_field("/content/status", "only sustained failures pause a webhook; set INACTIVE to switch it off")
    changed = await call.db.fetchval(queries.SET_STATUS, webhook_id, status)
    if changed and status is WebhookStatus.ACTIVE:
        await call.db.execute(queries.SPREAD_OVERDUE, webhook_id, call.now, RESUMED_EVERY)


async def delete_webhook(call: Call, webhook_id: UUID) -> None:
    """Delete a webhook; nothing more is delivered to it."""
    await call.db.execute(queries.FORGET_DUE, webhook_id)
    await call.db.execute(queries.DELETE, webhook_id)


async def rotate_secret(call: Call, webhook_id: UUID, overlap: timedelta) -> str:
    """A new secret; for as long as `overlap`, the old one signs beside it."""
    secret = new_secret()
    until = call.now + overlap if overlap else None
    await call.db.execute(
        queries.ROTATE, webhook_id, open_vault(call.settings).seal(secret.encode()), until
    )  # fmt: skip
    return secret


async def replay(call: Call, webhook_id: UUID, since_ms: int, until_ms: int, status: DeliveryStatus) -> int:
    """Deliver anew, gradually, what of a time was missed or given up; how many these are."""
    count: int = await call.db.fetchval(queries.REPLAY, webhook_id, status, since_ms, until_ms, call.now, RESUMED_EVERY)
    return count

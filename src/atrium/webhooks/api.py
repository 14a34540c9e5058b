"""Webhooks of an organization: where its events go, what was delivered, and what to do about what was not."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from atrium.audit.trail import Change, Shown, Target
from atrium.keys.caller import Call
from atrium.kit.answers import Afterwards
from atrium.kit.clock import Clock, parse_time, to_ms
from atrium.kit.database import Pool
from atrium.kit.errors import Conflict, invalid_field
from atrium.kit.paging import after, cut, decode_cursor
from atrium.kit.texts import END_OF_TIME, Description, Moment, Name, WebLink, moment_parameter
from atrium.kit.web import Body, Content, Paging, raises, shows_once
from atrium.organizations.reach import Organization
from atrium.rooms.reach import RoomNotFound
from atrium.spaces.reach import SpaceNotFound
from atrium.webhooks import actions, queries
from atrium.webhooks.actions import LAST, ForbiddenEndpoint, WebhookNotFound
from atrium.webhooks.headers import require_headers
from atrium.webhooks.log import DeliveryNotFound, as_deliveries, find_delivery
from atrium.webhooks.model import Delivery, DeliveryStatus, Subscription, Webhook, WebhookStatus
from atrium.webhooks.ping import ping

Subscriptions = Annotated[list[Subscription], Meta(min_length=1, max_length=100)]
Headers = Annotated[dict[str, str], Meta(description="custom headers to send along, at most 10; kept sealed")]


class WebhookCreate(Body):
    """A webhook to create."""

    name: Name
    endpoint_url: WebLink
    subscriptions: Subscriptions
    description: Description = ""
    headers: Headers = field(default_factory=dict)


class WebhookUpdate(Body):
    """What can change of a webhook."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    endpoint_url: WebLink | UnsetType = UNSET
    status: Annotated[WebhookStatus, Meta(description="ACTIVE or INACTIVE")] | UnsetType = UNSET
    subscriptions: Subscriptions | UnsetType = UNSET
    headers: Headers | UnsetType = UNSET


class SecretRotation(Body):
    """How long the old secret signs beside the new one."""

    overlap_hours: Annotated[int, Meta(ge=0, le=168, description="hours; 0: the old one ends at once")] = 0


class Replay(Body):
    """What to deliver anew: the deliveries of a time that have the status."""

    since: Moment
    until: Moment
    status: Annotated[DeliveryStatus, Meta(description="MISSED or FAILED", examples=["DELIVERY_STATUS_MISSED"])] = (
        DeliveryStatus.MISSED
    )


class Replayed(Struct, frozen=True):
    """How many deliveries were put in line again."""

    replayed: int


class LogsPage(Paging, kw_only=True):
    """The query parameters of the delivery log."""

    status: Annotated[DeliveryStatus | UnsetType, Meta(description="only deliveries of this status")] = UNSET
    event_type: Annotated[str | None, Meta(description="only events of this type, such as message_sent")] = None
    since: Annotated[Moment | None, Meta(description="only deliveries created at this time or later")] = None
    until: Annotated[Moment | None, Meta(description="only deliveries created before this time")] = None


class WebhookAnswer(Struct, frozen=True):
    """A webhook."""

    webhook: Webhook


class ShownSecret(Struct, frozen=True):
    """A webhook with its secret, which is shown this once."""

    webhook: Webhook
    secret: Annotated[str, Meta(description="verifies signatures", examples=["whsec_c2VjcmV0"])]


class Webhooks(Struct, frozen=True):
    """The webhooks of an organization, oldest first."""

    webhooks: list[Webhook]
    next_cursor: str | None


class Logs(Struct, frozen=True):
    """Deliveries of a webhook, newest first."""

    logs: list[Delivery]
    next_cursor: str | None


class DeliveryAnswer(Struct, frozen=True):
    """A log entry."""

    delivery: Delivery


class WebhookNotActive(Conflict):
    """Nothing is delivered to a webhook that is not ACTIVE."""

    code = "webhook_not_active"
    title = "The webhook is not active"


@shows_once("webhook", "webhook", "id")
@raises(ForbiddenEndpoint, RoomNotFound, SpaceNotFound)
async def create_webhook(call: Call, organization: Organization, body: Content[WebhookCreate]) -> ShownSecret:
    """Create a webhook. Its secret is in this answer and nowhere else."""
    content = body.content
    require_headers(content.headers)
    webhook_id, secret = await actions.create_webhook(
        call, organization, name=content.name, description=content.description, endpoint_url=content.endpoint_url,
        headers=content.headers,
    )  # fmt: skip
    await actions.subscribe(call, organization, webhook_id, content.subscriptions, held=())
    made = await actions.find_webhook(call, organization, webhook_id)
    await call.record(_change("webhook.created", made, after=made))
    return ShownSecret(made, secret)


async def list_webhooks(call: Call, organization: Organization, query: Paging) -> Webhooks:
    """List the webhooks of an organization."""
    found = await actions.list_webhooks(call, organization, after(query.cursor), query.limit + 1)
    page, next_cursor = cut(found, query.limit, lambda each: each.id)
    return Webhooks(list(page), next_cursor)


@raises(WebhookNotFound)
async def read_webhook(call: Call, organization: Organization, webhook_id: UUID) -> WebhookAnswer:
    """Read a webhook."""
    return WebhookAnswer(await actions.find_webhook(call, organization, webhook_id))


@raises(WebhookNotFound, ForbiddenEndpoint, RoomNotFound, SpaceNotFound)
async def update_webhook(
    call: Call, organization: Organization, webhook_id: UUID, body: Content[WebhookUpdate]
) -> WebhookAnswer:
    """Change a webhook; setting it ACTIVE again lets what waits go, gradually."""
    content = body.content
    await actions.lock_webhook(call, organization, webhook_id)
    found = await actions.find_webhook(call, organization, webhook_id)
    if content.headers is not UNSET:
        require_headers(content.headers)
    if content.endpoint_url not in (UNSET, found.endpoint_url):
        await actions.require_may_redirect(call, organization, found)
    if content.subscriptions is not UNSET:
        await actions.subscribe(call, organization, webhook_id, content.subscriptions, held=found.subscriptions)
    await actions.change_webhook(
        call, webhook_id, name=_given(content.name), description=_given(content.description),
        endpoint_url=_given(content.endpoint_url), headers=None if content.headers is UNSET else content.headers,
    )  # fmt: skip
    if content.status not in (UNSET, found.status):
        await actions.set_status(call, webhook_id, content.status)
    changed = await actions.find_webhook(call, organization, webhook_id)
    await call.record(_change("webhook.updated", found, before=found, after=changed))
    return WebhookAnswer(changed)


def _change(action: str, webhook: Webhook, *, before: Shown | None = None, after: Shown | None = None) -> Change:
    return Change(action, Target("webhook", webhook.id, webhook.name), webhook.organization_id, before, after)


def _given(text: str | UnsetType) -> str | None:
    return None if text is UNSET else text


@raises(WebhookNotFound)
async def delete_webhook(call: Call, organization: Organization, webhook_id: UUID) -> None:
    """Delete a webhook with its log; what was not delivered yet is not delivered any more."""
    await actions.lock_webhook(call, organization, webhook_id)
    found = await actions.find_webhook(call, organization, webhook_id)
    await actions.delete_webhook(call, webhook_id)
    await call.record(_change("webhook.deleted", found, before=found))


@raises(WebhookNotFound)
async def list_webhook_logs(call: Call, organization: Organization, webhook_id: UUID, query: LogsPage) -> Logs:
    """List the deliveries of a webhook, newest first, each with its attempts; they are kept 30 days."""
    await actions.find_webhook(call, organization, webhook_id)
    before = LAST if query.cursor is None else decode_cursor(query.cursor, UUID)
    since = moment_parameter("since", query.since, 0)
    until = moment_parameter("until", query.until, END_OF_TIME)
    rows = await call.db.fetch(
        queries.LOGS, webhook_id, before, query.status or None, query.event_type, since, until, query.limit + 1
    )
    page, next_cursor = cut(await as_deliveries(call, organization, rows), query.limit, lambda each: each.delivery_id)
    return Logs(list(page), next_cursor)


@raises(WebhookNotFound)
async def test_webhook(call: Call, organization: Organization, webhook_id: UUID) -> Afterwards[DeliveryAnswer]:
    """Send a `ping` event now, whatever the status of the webhook, and show what the endpoint answered."""
    found = await actions.find_webhook(call, organization, webhook_id)
    send = await ping(call, found)
    await call.record(_change("webhook.tested", found))

    async def answer(pool: Pool, clock: Clock) -> DeliveryAnswer:
        return DeliveryAnswer(await send(pool, clock))

    return Afterwards(answer)


@raises(WebhookNotFound, DeliveryNotFound, WebhookNotActive)
async def resend_delivery(
    call: Call, organization: Organization, webhook_id: UUID, delivery_id: UUID
) -> DeliveryAnswer:
    """Send a delivery again, once and at once; it keeps its id and its bytes."""
    webhook = await _require_active(call, organization, webhook_id)
    await find_delivery(call, organization, webhook_id, delivery_id)
    await call.db.execute(queries.RESEND, webhook_id, delivery_id, call.now)
    told = {"delivery_id": str(delivery_id)}
    await call.record(_change("webhook.delivery_resent", webhook, after=told))
    return DeliveryAnswer(await find_delivery(call, organization, webhook_id, delivery_id))


@raises(WebhookNotFound, WebhookNotActive)
async def replay_deliveries(call: Call, organization: Organization, webhook_id: UUID, body: Replay) -> Replayed:
    """Deliver anew what was missed, or given up, between two times; gradually, with the usual retries."""
    webhook = await _require_active(call, organization, webhook_id)
    if body.status not in (DeliveryStatus.MISSED, DeliveryStatus.FAILED):
        raise invalid_field("/status", "only MISSED and FAILED deliveries can be replayed")
    since, until = _moment("/since", body.since), _moment("/until", body.until)
    replayed = Replayed(await actions.replay(call, webhook_id, since, until, body.status))
    told = {"since": body.since, "until": body.until, "status": body.status, "replayed": replayed.replayed}
    await call.record(_change("webhook.replayed", webhook, after=told))
    return replayed


def _moment(pointer: str, text: str) -> int:
    try:
        return max(0, to_ms(parse_time(text)))
    except ValueError:
        raise invalid_field(pointer, "is not an ISO 8601 time") from None


async def _require_active(call: Call, organization: Organization, webhook_id: UUID) -> Webhook:
    await actions.lock_webhook(call, organization, webhook_id)
    webhook = await actions.find_webhook(call, organization, webhook_id)
    if webhook.status is not WebhookStatus.ACTIVE:
        raise WebhookNotActive
    return webhook


@shows_once("webhook", "webhook", "id")
@raises(WebhookNotFound)
async def rotate_webhook_secret(
    call: Call, organization: Organization, webhook_id: UUID, body: SecretRotation
) -> ShownSecret:
    """Replace the secret; the new one is shown once. During the overlap `X-Service-Signature` stays with the old one
    and `webhook-signature` carries both."""
    await actions.lock_webhook(call, organization, webhook_id)
    secret = await actions.rotate_secret(call, webhook_id, timedelta(hours=body.overlap_hours))
    webhook = await actions.find_webhook(call, organization, webhook_id)
    told = {"overlap_hours": body.overlap_hours}
    await call.record(_change("webhook.secret_rotated", webhook, after=told))
    return ShownSecret(webhook, secret)

"""The types of the webhook endpoints."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

ROOM, SPACE = "WEBHOOK_SUBJECT_TYPE_ROOM", "WEBHOOK_SUBJECT_TYPE_SPACE"
ORGANIZATION = "WEBHOOK_SUBJECT_TYPE_ORGANIZATION"
ACTIVE, INACTIVE = "WEBHOOK_STATUS_ACTIVE", "WEBHOOK_STATUS_INACTIVE"
PAUSED = "WEBHOOK_STATUS_PAUSED"
SUCCEEDED = "DELIVERY_STATUS_SUCCEEDED"


class Filter(Struct, frozen=True, omit_defaults=True):
    """Limits a subscription to events that fit every field. All but `room_type` are for messages sent or edited."""

    room_type: str | None = None
    sender_ids: Sequence[UUID] | None = None
    not_sender_ids: Sequence[UUID] | None = None
    sender_type: str | None = None
    thread: str | None = None
    mentions: Sequence[UUID] | None = None
    words: Sequence[str] | None = None


class Subscription(Struct, frozen=True, omit_defaults=True):
    """A subscription to the events of a room, of a space and its rooms, or of the organization."""

    subject_type: str
    subject_id: UUID
    subscription_type: str = ""
    filter: Filter | None = None
    include: Sequence[str] = ()


class OAuth2(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="oauth2"):
    """Deliveries have an access token, by OAuth 2 client credentials. The secret is never returned."""

    token_url: str
    client_id: str
    client_secret: str = ""
    scope: str | None = None
    audience: str | None = None
    client_authentication: str = "basic"


class MutualTls(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="mutual_tls"):
    """Deliveries have a client certificate, in PEM. The private key is never returned.

    The fields after it are what Atrium returns about the certificate; leave them out of a request.
    """

    certificate: str
    private_key: str = ""
    subject: str = ""
    issuer: str = ""
    fingerprint: str = ""
    ends_at: datetime | None = None


class Webhook(Struct, frozen=True):
    """A webhook. Its secret is returned only once, when the webhook is created.

    `retry_schedule` has the seconds before each retry and `time_limit` the seconds for an attempt; None for the
    server's. `ordering` is "room" or "none", and `rate_limit` the attempts per second, None for no limit.
    `header_names` are the names of the custom headers that it sends.
    """

    id: UUID
    organization_id: UUID
    name: str
    endpoint_url: str
    status: str
    subscriptions: list[Subscription]
    description: str = ""
    failure_count: int = 0
    missed_count: int = 0
    pause_reason: str | None = None
    retry_schedule: list[int] | None = None
    time_limit: int | None = None
    ordering: str = "none"
    rate_limit: int | None = None
    header_names: list[str] = []
    authentication: OAuth2 | MutualTls | None = None


class NewWebhook(Struct, frozen=True):
    """A webhook that was just created, with its secret."""

    webhook: Webhook
    secret: str


class WebhookResponse(Struct, frozen=True):
    """The response body that holds a webhook."""

    webhook: Webhook


class Delivery(Struct, frozen=True):
    """A delivery in a webhook's log. Every attempt sends the same `request_body`."""

    delivery_id: UUID
    event_type: str
    status: str
    request_body: str
    created_at: datetime
    retry_count: int = 0
    response_code: int | None = None
    next_retry_at: datetime | None = None


class DeliveryResponse(Struct, frozen=True):
    """The response body that holds a delivery."""

    delivery: Delivery


class IncomingWebhook(Struct, frozen=True):
    """An incoming webhook of a room, without its URL. Its messages are sent by `integration_id`."""

    incoming_webhook_id: UUID
    room_id: UUID
    name: str
    integration_id: UUID
    last_four: str
    created_at: datetime
    created_by: UUID | None = None
    last_used_at: datetime | None = None


class NewIncomingWebhook(IncomingWebhook, frozen=True, kw_only=True):
    """An incoming webhook that was just created, with its URL."""

    url: str


def subscription_type(event_type: str) -> str:
    """Return the type of subscriptions to an event, such as `message_sent`. `GET /v1/event-types` lists the events."""
    return f"WEBHOOK_SUBSCRIPTION_TYPE_{event_type.upper()}"


def messages_in(*, rooms: Sequence[UUID] = (), spaces: Sequence[UUID] = ()) -> list[Subscription]:
    """Return subscriptions to the messages sent in these rooms and spaces."""
    wanted = subscription_type("message_sent")
    in_rooms = [Subscription(ROOM, room_id, wanted) for room_id in rooms]
    return in_rooms + [Subscription(SPACE, space_id, wanted) for space_id in spaces]

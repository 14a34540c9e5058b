"""Webhooks as they are managed, typed."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

ROOM, SPACE = "WEBHOOK_SUBJECT_TYPE_ROOM", "WEBHOOK_SUBJECT_TYPE_SPACE"
MESSAGE_SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"
TRANSCRIPT_PUBLISHED = "WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_TRANSCRIPT_PUBLISHED"
ACTIVE, INACTIVE = "WEBHOOK_STATUS_ACTIVE", "WEBHOOK_STATUS_INACTIVE"
PAUSED = "WEBHOOK_STATUS_PAUSED"
SUCCEEDED = "DELIVERY_STATUS_SUCCEEDED"


class Filter(Struct, frozen=True, omit_defaults=True):
    """Only events of rooms of this type: chat, post or video."""

    room_type: str | None = None


class Subscription(Struct, frozen=True, omit_defaults=True):
    """The events of a room, or of all rooms of a space."""

    subject_type: str
    subject_id: UUID
    subscription_type: str = ""
    filter: Filter | None = None


class Webhook(Struct, frozen=True):
    """A webhook. Its secret is shown once, when it is made."""

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


class NewWebhook(Struct, frozen=True):
    """A webhook just made, with its secret."""

    webhook: Webhook
    secret: str


class WebhookAnswer(Struct, frozen=True):
    """A webhook, as it is answered."""

    webhook: Webhook


class Delivery(Struct, frozen=True):
    """A delivery in a webhook's log. `request_body` is what every attempt sends."""

    delivery_id: UUID
    event_type: str
    status: str
    request_body: str
    created_at: datetime
    retry_count: int = 0
    response_code: int | None = None
    next_retry_at: datetime | None = None


class DeliveryAnswer(Struct, frozen=True):
    """A delivery, as it is answered."""

    delivery: Delivery


class IncomingWebhook(Struct, frozen=True):
    """A URL by which tools post to a room, without the URL. Its messages are from `integration_id`."""

    incoming_webhook_id: UUID
    room_id: UUID
    name: str
    integration_id: UUID
    last_four: str
    created_at: datetime
    created_by: UUID | None = None
    last_used_at: datetime | None = None


class NewIncomingWebhook(IncomingWebhook, frozen=True, kw_only=True):
    """An incoming webhook just made, with its URL."""

    url: str


def messages_in(*, rooms: Sequence[UUID] = (), spaces: Sequence[UUID] = ()) -> list[Subscription]:
    """Subscriptions to the messages sent in these rooms and spaces."""
    in_rooms = [Subscription(ROOM, each, MESSAGE_SENT) for each in rooms]
    return in_rooms + [Subscription(SPACE, each, MESSAGE_SENT) for each in spaces]

"""The types of webhooks, subscriptions and deliveries (docs/contract.md#webhooks-and-subscriptions)."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.text.types import ActorId, OrganizationId, Timestamp
from atrium.rooms.model import RoomType


class WebhookStatus(StrEnum):
    """ACTIVE gets deliveries; INACTIVE was disabled by an admin; PAUSED after ten failed events in a row."""

    ACTIVE = "WEBHOOK_STATUS_ACTIVE"
    INACTIVE = "WEBHOOK_STATUS_INACTIVE"
    PAUSED = "WEBHOOK_STATUS_PAUSED"


class SubjectType(StrEnum):
    """Events of one room, or of all rooms in a space."""

    ROOM = "WEBHOOK_SUBJECT_TYPE_ROOM"
    SPACE = "WEBHOOK_SUBJECT_TYPE_SPACE"


class SubscriptionType(StrEnum):
    """The type of event to send."""

    MESSAGE_SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"
    TRANSCRIPT_PUBLISHED = "WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_TRANSCRIPT_PUBLISHED"


class DeliveryStatus(StrEnum):
    """PENDING waits for its first attempt, RETRYING for another; FAILED has no attempt left; MISSED was not attempted,
    because the webhook was not ACTIVE."""

    PENDING = "DELIVERY_STATUS_PENDING"
    RETRYING = "DELIVERY_STATUS_RETRYING"
    SUCCEEDED = "DELIVERY_STATUS_SUCCEEDED"
    FAILED = "DELIVERY_STATUS_FAILED"
    MISSED = "DELIVERY_STATUS_MISSED"


class Filter(Struct, frozen=True, forbid_unknown_fields=True):
    """Narrows a subscription."""

    room_type: Annotated[RoomType | None, Meta(description="only events of rooms of this type")] = None


class Subscription(Struct, frozen=True, forbid_unknown_fields=True):
    """The events that a webhook gets."""

    subject_type: SubjectType
    subject_id: Annotated[UUID, Meta(description="id of the room or space")]
    subscription_type: SubscriptionType
    filter: Filter | None = None


class Webhook(Struct, frozen=True):
    """A webhook, without its secret, which is shown when it is created or rotated, and without header values."""

    id: UUID
    organization_id: OrganizationId
    name: str
    description: str
    endpoint_url: str
    status: WebhookStatus
    subscriptions: list[Subscription]
    deleted_subjects: Annotated[
        list[UUID],
        Meta(description="the deleted rooms and spaces among its subscriptions, which send no events"),
    ]
    header_names: Annotated[list[str], Meta(description="the names of its custom headers")]
    failure_count: Annotated[
        int,
        Meta(
            description="events in a row that failed; cleared three days after the first; at ten the webhook is paused"
        ),
    ]
    missed_count: Annotated[int, Meta(description="events of the last 30 days that can be replayed")]
    paused_at: Timestamp | None
    pause_reason: str | None
    created_by: ActorId | None
    created_at: Timestamp


class Attempt(Struct, frozen=True):
    """An attempt to deliver an event."""

    attempt: Annotated[int, Meta(description="1 for the first")]
    attempted_at: Timestamp
    duration_ms: int
    response_code: int | None
    error: Annotated[str | None, Meta(description="what went wrong; null if it succeeded")]
    response_excerpt: Annotated[str, Meta(description="the first 4 KiB of the response body")]
    request_headers: Annotated[dict[str, str], Meta(description="the headers sent, without custom ones")]


class EventSubject(Struct, frozen=True):
    """What an event is about."""

    type: Annotated[str, Meta(examples=["room"])]
    id: Annotated[UUID | None, Meta(description="null in a webhook's log if you do not reach the room")]


class Delivery(Struct, frozen=True):
    """A log entry: an event for a webhook, with every attempt. Kept for 30 days."""

    delivery_id: Annotated[UUID, Meta(description="`X-Service-Delivery`, the same on every attempt")]
    event_type: Annotated[str, Meta(examples=["message_sent"])]
    subject: EventSubject
    status: DeliveryStatus
    response_code: Annotated[int | None, Meta(description="of the last attempt; null if there was no response")]
    retry_count: int
    attempts: list[Attempt]
    next_retry_at: Timestamp | None
    request_body: Annotated[
        str, Meta(description="the bytes that every attempt sends; empty if you have no access to the room")
    ]
    created_at: Timestamp

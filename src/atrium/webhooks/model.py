"""The types of webhooks, subscriptions and deliveries (docs/contract.md#webhooks-and-subscriptions)."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.events import Audience, WebhookEventKind
from atrium.kit.network.timing import Timing
from atrium.kit.text.types import ActorId, OrganizationId, Timestamp
from atrium.rooms.model import RoomType
from atrium.webhooks.authentication.model import Authentication


class WebhookStatus(StrEnum):
    """ACTIVE gets deliveries; INACTIVE was disabled by an admin; PAUSED after ten failed events in a row."""

    ACTIVE = "WEBHOOK_STATUS_ACTIVE"
    INACTIVE = "WEBHOOK_STATUS_INACTIVE"
    PAUSED = "WEBHOOK_STATUS_PAUSED"


class SubjectType(StrEnum):
    """Events of one room, of a space with all its rooms, or of the organization itself."""

    ROOM = "WEBHOOK_SUBJECT_TYPE_ROOM"
    SPACE = "WEBHOOK_SUBJECT_TYPE_SPACE"
    ORGANIZATION = "WEBHOOK_SUBJECT_TYPE_ORGANIZATION"


class SubscriptionType(StrEnum):
    """The type of event to send. `GET /v1/event-types` lists them with the subjects that have such events."""

    _ignore_ = "kind"  # a member for each event that webhooks can subscribe to
    for kind in WebhookEventKind:
        if kind.audience is not Audience.TESTED:
            vars()[kind.name] = f"WEBHOOK_SUBSCRIPTION_TYPE_{kind.upper()}"

    @property
    def event_type(self) -> WebhookEventKind:
        """The `event_type` of such events."""
        return WebhookEventKind[self.name]

    @property
    def subjects(self) -> tuple[SubjectType, ...]:
        """The types of subjects that have such events: a room's reach the subscribers of its space too."""
        match self.event_type.audience:
            case Audience.ROOM_SUBSCRIBERS:
                return (SubjectType.ROOM, SubjectType.SPACE)
            case Audience.SPACE_SUBSCRIBERS:
                return (SubjectType.SPACE,)
        return (SubjectType.ORGANIZATION,)

    @property
    def filters(self) -> tuple[str, ...]:
        """The fields that a filter of such events may have."""
        if self.has_text:
            return MESSAGE_FILTERS
        of_room = SubjectType.SPACE in self.subjects and not self.name.startswith("SPACE_")
        return ROOM_FILTERS if of_room else ()

    @property
    def has_text(self) -> bool:
        """Whether such events are about the text of a message, which they may include."""
        return self.event_type in (WebhookEventKind.MESSAGE_SENT, WebhookEventKind.MESSAGE_EDITED)


class DeliveryStatus(StrEnum):
    """PENDING waits for its first attempt, RETRYING for another; FAILED has no attempt left; MISSED was not attempted,
    because the webhook was not ACTIVE."""

    PENDING = "DELIVERY_STATUS_PENDING"
    RETRYING = "DELIVERY_STATUS_RETRYING"
    SUCCEEDED = "DELIVERY_STATUS_SUCCEEDED"
    FAILED = "DELIVERY_STATUS_FAILED"
    MISSED = "DELIVERY_STATUS_MISSED"


class SenderType(StrEnum):
    """Who sent a message."""

    PERSON = "person"
    INTEGRATION = "integration"


class ThreadPlace(StrEnum):
    """Where a message is: at the top level of its room, or in a thread."""

    ROOT = "root"
    REPLY = "reply"


Actors = Annotated[list[ActorId], Meta(min_length=1, max_length=10)]
FilterWord = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[^\s\x00-\x1f\x7f]+$(?!\n)")]
FilterWords = Annotated[list[FilterWord], Meta(min_length=1, max_length=10)]


class Filter(Struct, frozen=True, forbid_unknown_fields=True):
    """Narrows a subscription to events that fit every field. All but `room_type` are for messages sent or edited."""

    room_type: Annotated[RoomType | None, Meta(description="only events of rooms of this type")] = None
    sender_ids: Annotated[Actors | UnsetType, Meta(description="only messages of these actors")] = UNSET
    not_sender_ids: Annotated[Actors | UnsetType, Meta(description="no messages of these actors")] = UNSET
    sender_type: Annotated[SenderType | UnsetType, Meta(description="only messages of people, or of integrations")] = (
        UNSET
    )
    thread: Annotated[ThreadPlace | UnsetType, Meta(description="only messages outside threads, or only replies")] = (
        UNSET
    )
    mentions: Annotated[Actors | UnsetType, Meta(description="only messages that mention one of these actors")] = UNSET
    words: Annotated[
        FilterWords | UnsetType,
        Meta(description="only messages with one of these as a whole word, as the search finds it; punctuation counts"),
    ] = UNSET


ROOM_FILTERS = ("room_type",)
MESSAGE_FILTERS = Filter.__struct_fields__


class Included(StrEnum):
    """What an event contains in addition."""

    MESSAGE = "message"


Inclusions = Annotated[list[Included], Meta(max_length=1)]


class Subscription(Struct, frozen=True, forbid_unknown_fields=True):
    """The events that a webhook gets."""

    subject_type: SubjectType
    subject_id: Annotated[UUID, Meta(description="id of the room, space or organization")]
    subscription_type: SubscriptionType
    filter: Filter | None = None
    include: Annotated[
        Inclusions | UnsetType,
        Meta(description="`message`: `data` has the message, as the API shows it, in `message`"),
    ] = UNSET


class Ordering(StrEnum):
    """How deliveries are ordered: NONE in any order; ROOM one after the other in each room, in the order of events."""

    NONE = "none"
    ROOM = "room"


LONGEST_PAUSE = 86_400  # seconds
RetrySchedule = Annotated[list[Annotated[int, Meta(ge=1, le=LONGEST_PAUSE)]], Meta(max_length=10)]
TimeLimit = Annotated[int, Meta(ge=1, le=15)]
RateLimit = Annotated[int, Meta(ge=1, le=1000)]


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
    retry_schedule: Annotated[
        RetrySchedule | None, Meta(description="seconds before each retry; null for the schedule of the server")
    ]
    time_limit: Annotated[TimeLimit | None, Meta(description="seconds for an attempt; null for 15")]
    ordering: Annotated[
        Ordering,
        Meta(
            description="`room`: in each room one delivery at a time, in the order of events; a failing one waits for "
            "its retries, and only its own room waits with it"
        ),
    ]
    rate_limit: Annotated[RateLimit | None, Meta(description="attempts per second, at most; null for no limit")]
    authentication: Annotated[
        Authentication | None, Meta(description="how it authenticates to the endpoint, without secrets; null for none")
    ]


class Attempt(Struct, frozen=True):
    """An attempt to deliver an event."""

    attempt: Annotated[int, Meta(description="1 for the first")]
    attempted_at: Timestamp
    duration_ms: int
    response_code: int | None
    error: Annotated[str | None, Meta(description="what went wrong; null if it succeeded")]
    response_excerpt: Annotated[str, Meta(description="the first 4 KiB of the response body")]
    request_headers: Annotated[dict[str, str], Meta(description="the headers sent, without custom ones")]
    timing: Annotated[Timing | UnsetType, Meta(description="absent in the log of older releases")] = UNSET


class EventSubject(Struct, frozen=True):
    """What an event is about: a room, a space, the organization, or the webhook that is tested."""

    type: Annotated[str, Meta(examples=["room"])]
    id: Annotated[UUID | None, Meta(description="null in a webhook's log if you may not read what it is about")]


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
        str, Meta(description="the bytes that every attempt sends, without deleted messages; empty without access")
    ]
    created_at: Timestamp

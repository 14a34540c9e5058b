"""`/v1/event-types`: the webhook events, each with its JSON Schema and an example."""

from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from atrium.event_payloads import WEBHOOK, CataloguedEvent, webhook_struct
from atrium.keys.caller import Call
from atrium.kit.http.examples import example_of
from atrium.webhooks.model import SubjectType, SubscriptionType

SUBJECT_NAMES = {SubjectType.ROOM: "room", SubjectType.SPACE: "space", SubjectType.ORGANIZATION: "organization"}


class EventType(Struct, frozen=True):
    """An event that webhooks receive, and how to subscribe to it."""

    event_type: Annotated[str, Meta(examples=["message_sent"])]
    description: Annotated[str, Meta(examples=["a message was sent"])]
    subscription_type: Annotated[SubscriptionType | None, Meta(description="null for `ping`, which tests a webhook")]
    subject_types: Annotated[list[SubjectType], Meta(description="the subjects that a subscription may have")]
    filters: Annotated[list[str], Meta(description="the fields that a subscription's filter may have")]
    schema: Annotated[dict[str, Any], Meta(description="the JSON Schema (2020-12) of the body")]
    example: Annotated[dict[str, Any], Meta(description="a body, with the fields that are always there")]


class EventTypes(Struct, frozen=True):
    """All webhook events."""

    event_types: list[EventType]


async def list_event_types(call: Call) -> EventTypes:
    """List the webhook events, each with the JSON Schema of its body and an example."""
    return catalogue()


@cache
def catalogue() -> EventTypes:
    """Return the webhook events of this release."""
    return EventTypes([_entry(each) for each in WEBHOOK])


def _entry(event: CataloguedEvent) -> EventType:
    wanted = next((each for each in SubscriptionType if each.event_type == event.kind), None)
    body = webhook_struct(event)
    example = example_of(body)
    subjects = list(wanted.subjects) if wanted else []
    example["subject"]["type"] = _subject(event, subjects)
    always = [each.encode_name for each in msgspec.structs.fields(event.payload) if each.required]
    example["data"] = {name: example["data"][name] for name in always}
    filters = list(wanted.filters) if wanted else []
    return EventType(str(event.kind), event.meaning, wanted, subjects, filters, msgspec.json.schema(body), example)


def _subject(event: CataloguedEvent, subscribed: list[SubjectType]) -> str:
    """Return the type of subject that the events name: a room, even if only its space can be subscribed to."""
    if not subscribed:
        return "webhook"
    return SUBJECT_NAMES[SubjectType.ROOM if "room_id" in event.payload.__struct_fields__ else subscribed[0]]

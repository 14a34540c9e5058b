"""The types of the overview."""

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]


class Counts(Struct, frozen=True):
    """The current counts. Deactivated and invited people are counted separately."""

    active_people: Count
    deactivated_people: Count
    invited_people: Count
    integrations: Annotated[Count, Meta(description="with a valid key")]
    spaces: Count
    rooms: Count
    paused_webhooks: Count


class Day(Struct, frozen=True):
    """A day in UTC. Deliveries count on the day of their event, with their current state."""

    date: Annotated[str, Meta(examples=["2026-11-21"], extra_json_schema={"format": "date"})]
    people: Annotated[Count, Meta(description="active at the end of the day, of the current members")]
    messages: Annotated[Count, Meta(description="sent on this day, including deleted ones")]
    deliveries_succeeded: Count
    deliveries_failed: Count
    deliveries_under_way: Annotated[Count, Meta(description="pending another attempt")]
    deliveries_missed: Annotated[Count, Meta(description="not attempted, because the webhook was not active")]


class FirstSteps(Struct, frozen=True):
    """The completed setup steps of an organization."""

    has_invited: Annotated[bool, Meta(description="whether anyone was invited or provisioned")]
    has_rooms: Annotated[bool, Meta(description="whether there is more than the first room")]
    has_imported: Annotated[bool, Meta(description="whether history was imported")]
    has_webhook: Annotated[bool, Meta(description="whether there is a webhook")]


class Overview(Struct, frozen=True):
    """The activity across all spaces of an organization. `days` end today, oldest first."""

    counts: Counts
    days: list[Day]

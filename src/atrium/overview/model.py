"""The types of the overview."""

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]


class Counts(Struct, frozen=True):
    """How many there are now; people whose membership is deactivated count apart, as do those invited."""

    active_people: Count
    deactivated_people: Count
    invited_people: Count
    integrations: Annotated[Count, Meta(description="with a key that works")]
    spaces: Count
    rooms: Count
    paused_webhooks: Count


class Day(Struct, frozen=True):
    """A day, by UTC. Deliveries stand on the day of their event, with the state that they are in now."""

    date: Annotated[str, Meta(examples=["2026-11-21"], extra_json_schema={"format": "date"})]
    people: Annotated[Count, Meta(description="active members at its end, of those who belong to it now")]
    messages: Annotated[Count, Meta(description="sent on it, deleted ones too")]
    deliveries_succeeded: Count
    deliveries_failed: Count
    deliveries_under_way: Annotated[Count, Meta(description="with an attempt to come")]
    deliveries_missed: Annotated[Count, Meta(description="not attempted, because the webhook was not active")]


class Overview(Struct, frozen=True):
    """An organization in figures, of all its spaces; the days are the last ones up to today, oldest first."""

    counts: Counts
    days: list[Day]

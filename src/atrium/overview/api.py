"""`/v1/organizations/{organization_id}/overview`: how many there are of what, and what went on in the last days."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.clock import to_ms
from atrium.kit.rows import as_struct, as_structs
from atrium.organizations.reach import Organization
from atrium.overview import queries

DAY = 86_400_000
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


class OverviewQuery(Struct, kw_only=True):
    """How far back to look."""

    days: Annotated[int, Meta(ge=1, le=30, description="how many days, today with them")] = 30


async def read_overview(call: Call, organization: Organization, query: OverviewQuery) -> Overview:
    """Read how many people, integrations, spaces and rooms there are, and how many messages and webhook deliveries each
    of the last days saw."""
    today = to_ms(call.now) // DAY
    counts = await call.db.fetchrow(queries.COUNTS, organization.organization_id, call.now)
    days = await call.db.fetch(queries.DAYS, organization.organization_id, today - query.days + 1, today)
    return Overview(as_struct(counts, Counts), as_structs(days, Day))

"""`/v1/organizations/{organization_id}/overview`: counts of an organization and its recent activity; and
`/first-steps`: its setup checklist."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.organizations.reach import Organization
from atrium.overview import reach
from atrium.overview.model import FirstSteps, Overview


class OverviewQuery(Struct, kw_only=True):
    """The period of the overview."""

    days: Annotated[int, Meta(ge=1, le=30, description="number of days, including today")] = 30


async def read_overview(call: Call, organization: Organization, query: OverviewQuery) -> Overview:
    """Read the number of people, integrations, spaces and rooms, and the number of messages and webhook deliveries
    for each of the last `days` days."""
    return await reach.read_overview(call, organization, days=query.days)


async def read_first_steps(call: Call, organization: Organization) -> FirstSteps:
    """Read the setup steps of an organization, and whether they are completed: inviting people, creating rooms,
    importing history, adding a webhook."""
    return await reach.read_first_steps(call, organization)

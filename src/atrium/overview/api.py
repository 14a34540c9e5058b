"""`/v1/organizations/{organization_id}/overview`: how many there are of what, and what went on in the last days."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.organizations.reach import Organization
from atrium.overview import reach
from atrium.overview.model import Overview


class OverviewQuery(Struct, kw_only=True):
    """How far back to look."""

    days: Annotated[int, Meta(ge=1, le=30, description="how many days, today with them")] = 30


async def read_overview(call: Call, organization: Organization, query: OverviewQuery) -> Overview:
    """Read how many people, integrations, spaces and rooms there are, and how many messages and webhook deliveries each
    of the last days saw."""
    return await reach.read_overview(call, organization, days=query.days)

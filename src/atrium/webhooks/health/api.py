"""`/v1/organizations/{organization_id}/webhooks/{webhook_id}/health`: how a webhook's attempts end, by hour or day."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.organizations.reach import Organization
from atrium.webhooks.health import reach
from atrium.webhooks.health.reach import WebhookHealth


class HealthQuery(Struct, kw_only=True):
    """The periods of the health."""

    by: Annotated[Literal["hour", "day"], Meta(description="the last 48 hours, or the last 30 days, in UTC")] = "hour"


async def read_webhook_health(
    call: Call, organization: Organization, webhook_id: UUID, query: HealthQuery
) -> WebhookHealth:
    """Read how many attempts of a webhook succeeded and how long the answers took, by hour for the last 48 hours or by
    day for the last 30 days, and how many deliveries wait."""
    return await reach.read_health(call, organization, webhook_id, reach.Period(query.by))

"""What the page of a webhook shows next to its log: its health by hour and day."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.http.route import raises
from atrium.organizations.reach import Organization
from atrium.webhooks import health
from atrium.webhooks.reach import WebhookNotFound


class HealthQuery(Struct, kw_only=True):
    """The periods of the health."""

    by: Annotated[Literal["hour", "day"], Meta(description="the last 48 hours, or the last 30 days, in UTC")] = "hour"


@raises(WebhookNotFound)
async def read_webhook_health(
    call: Call, organization: Organization, webhook_id: UUID, query: HealthQuery
) -> health.WebhookHealth:
    """Read how many attempts of a webhook succeeded and how long the answers took, by hour for the last 48 hours or by
    day for the last 30 days, and how many deliveries wait."""
    return await health.read_health(call, organization, webhook_id, health.Period(query.by))

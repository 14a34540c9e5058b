"""What the page of a webhook shows next to its log: its health by hour and day, and what a replay would send."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.text.types import END_OF_TIME, TimeParameter, time_parameter
from atrium.organizations.reach import Organization
from atrium.webhooks.health import reach as health
from atrium.webhooks.log import actions as replays


class HealthQuery(Struct, kw_only=True):
    """The periods of the health."""

    by: Annotated[Literal["hour", "day"], Meta(description="the last 48 hours, or the last 30 days, in UTC")] = "hour"


class ReplayPreviewQuery(Struct, kw_only=True):
    """The period of a replay."""

    since: Annotated[TimeParameter | None, Meta(description="only deliveries created at this time or later")] = None
    until: Annotated[TimeParameter | None, Meta(description="only deliveries created before this time")] = None


class ReplayPreviews(Struct, frozen=True):
    """What replays of a period would send, by status."""

    previews: list[replays.ReplayPreview]


async def read_webhook_health(
    call: Call, organization: Organization, webhook_id: UUID, query: HealthQuery
) -> health.WebhookHealth:
    """Read how many attempts of a webhook succeeded and how long the answers took, by hour for the last 48 hours or by
    day for the last 30 days, and how many deliveries wait."""
    return await health.read_health(call, organization, webhook_id, health.Period(query.by))


async def preview_replay(
    call: Call, organization: Organization, webhook_id: UUID, query: ReplayPreviewQuery
) -> ReplayPreviews:
    """Count the deliveries that a replay of a period would send. Changes nothing."""
    since_ms = time_parameter("since", query.since, 0)
    until_ms = time_parameter("until", query.until, END_OF_TIME)
    return ReplayPreviews(
        await replays.preview_replay(call, organization, webhook_id, since_ms=since_ms, until_ms=until_ms)
    )

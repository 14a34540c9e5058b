"""`/v1/organizations/{organization_id}/webhooks/{webhook_id}`: the log of its deliveries, tests and replays."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.keys.caller import Call
from atrium.kit.clock import Clock
from atrium.kit.http.request import Body, Paging
from atrium.kit.http.responses import AfterCommit
from atrium.kit.postgres.database import Pool
from atrium.kit.text.types import END_OF_TIME, TimeParameter, time_parameter
from atrium.organizations.reach import Organization
from atrium.webhooks.log import actions
from atrium.webhooks.log.actions import ReplayPreview
from atrium.webhooks.log.ping import ping
from atrium.webhooks.log.reach import DeliveryFilter, list_deliveries
from atrium.webhooks.manage.reach import find_webhook
from atrium.webhooks.model import Delivery, DeliveryStatus


class DeliveryLogQuery(Paging, kw_only=True):
    """The query parameters of the delivery log."""

    status: Annotated[DeliveryStatus | UnsetType, Meta(description="only deliveries of this status")] = UNSET
    event_type: Annotated[str | None, Meta(description="only events of this type, such as message_sent")] = None
    since: Annotated[TimeParameter | None, Meta(description="only deliveries created at this time or later")] = None
    until: Annotated[TimeParameter | None, Meta(description="only deliveries created before this time")] = None


class Logs(Struct, frozen=True):
    """Deliveries of a webhook, newest first."""

    logs: list[Delivery]
    next_cursor: str | None


class DeliveryAnswer(Struct, frozen=True):
    """A log entry."""

    delivery: Delivery


class Replay(Body):
    """The deliveries to replay: those of a period with the status."""

    since: TimeParameter
    until: TimeParameter
    status: Annotated[DeliveryStatus, Meta(description="MISSED or FAILED", examples=["DELIVERY_STATUS_MISSED"])] = (
        DeliveryStatus.MISSED
    )


class Replayed(Struct, frozen=True):
    """The number of deliveries that were queued again."""

    replayed: int


class ReplayPreviewQuery(Struct, kw_only=True):
    """The period of a replay."""

    since: Annotated[TimeParameter | None, Meta(description="only deliveries created at this time or later")] = None
    until: Annotated[TimeParameter | None, Meta(description="only deliveries created before this time")] = None


class ReplayPreviews(Struct, frozen=True):
    """What replays of a period would send, by status."""

    previews: list[ReplayPreview]


async def list_webhook_logs(call: Call, organization: Organization, webhook_id: UUID, query: DeliveryLogQuery) -> Logs:
    """List the deliveries of a webhook, newest first, each with its attempts. Logs are kept for 30 days."""
    webhook = await find_webhook(call, organization, webhook_id)
    since = time_parameter("since", query.since, 0)
    until = time_parameter("until", query.until, END_OF_TIME)
    chosen = DeliveryFilter(query.status or None, query.event_type, since, until)
    return Logs(*await list_deliveries(call, organization, webhook, chosen, query))


async def test_webhook(call: Call, organization: Organization, webhook_id: UUID) -> AfterCommit[DeliveryAnswer]:
    """Send a `ping` event now, even if the webhook is not ACTIVE, and return the endpoint's response."""
    send = await ping(call, await find_webhook(call, organization, webhook_id))

    async def produce(pool: Pool, clock: Clock) -> DeliveryAnswer:
        return DeliveryAnswer(await send(pool, clock))

    return AfterCommit(produce)


async def resend_delivery(
    call: Call, organization: Organization, webhook_id: UUID, delivery_id: UUID
) -> DeliveryAnswer:
    """Send a delivery again, once and immediately; its id and its bytes stay the same."""
    return DeliveryAnswer(await actions.resend_delivery(call, organization, webhook_id, delivery_id))


async def replay_deliveries(call: Call, organization: Organization, webhook_id: UUID, body: Replay) -> Replayed:
    """Replay missed or failed deliveries in a time range. They are sent gradually, with the usual retries."""
    replayed = await actions.replay_deliveries(
        call, organization, webhook_id, since=body.since, until=body.until, status=body.status
    )
    return Replayed(replayed)


async def preview_replay(
    call: Call, organization: Organization, webhook_id: UUID, query: ReplayPreviewQuery
) -> ReplayPreviews:
    """Count the deliveries that a replay of a period would send. Changes nothing."""
    since_ms = time_parameter("since", query.since, 0)
    until_ms = time_parameter("until", query.until, END_OF_TIME)
    return ReplayPreviews(
        await actions.preview_replay(call, organization, webhook_id, since_ms=since_ms, until_ms=until_ms)
    )

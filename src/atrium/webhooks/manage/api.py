"""`/v1/organizations/{organization_id}/webhooks`: webhooks and their subscriptions."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content, Paging, given
from atrium.kit.text.types import (
    Description,
    MessageId,
    Name,
    RoomId,
    WebLink,
)
from atrium.organizations.reach import Organization
from atrium.webhooks.authentication.model import Credentials
from atrium.webhooks.manage import actions, matching, reach
from atrium.webhooks.manage.matching import Match
from atrium.webhooks.model import (
    Ordering,
    RateLimit,
    RetrySchedule,
    Subscription,
    TimeLimit,
    Webhook,
    WebhookStatus,
)

Subscriptions = Annotated[list[Subscription], Meta(min_length=1, max_length=100)]
Headers = Annotated[dict[str, str], Meta(description="custom headers to send, at most 10; stored encrypted")]


class WebhookCreate(Body):
    """A webhook to create."""

    name: Name
    endpoint_url: WebLink
    subscriptions: Subscriptions
    description: Description = ""
    headers: Headers = field(default_factory=dict)
    retry_schedule: Annotated[
        RetrySchedule | None, Meta(description="seconds before each retry; null for the schedule of the server")
    ] = None
    time_limit: Annotated[TimeLimit | None, Meta(description="seconds for an attempt; null for 15")] = None
    ordering: Annotated[
        Ordering, Meta(description="`room`: in each room one delivery at a time, in the order of events")
    ] = Ordering.NONE
    rate_limit: Annotated[RateLimit | None, Meta(description="attempts per second, at most; null for no limit")] = None
    authentication: Annotated[
        Credentials | None, Meta(description="OAuth 2 or a client certificate; stored encrypted; null for none")
    ] = None


class WebhookUpdate(Body):
    """The fields of a webhook to change."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    endpoint_url: WebLink | UnsetType = UNSET
    status: Annotated[WebhookStatus, Meta(description="ACTIVE or INACTIVE")] | UnsetType = UNSET
    subscriptions: Subscriptions | UnsetType = UNSET
    headers: Headers | UnsetType = UNSET
    retry_schedule: RetrySchedule | UnsetType | None = UNSET
    time_limit: TimeLimit | UnsetType | None = UNSET
    ordering: Ordering | UnsetType = UNSET
    rate_limit: RateLimit | UnsetType | None = UNSET
    authentication: Credentials | UnsetType | None = UNSET


class SecretRotation(Body):
    """The overlap during which deliveries are signed with both secrets."""

    overlap_hours: Annotated[int, Meta(ge=0, le=168, description="hours; 0: revoke the old secret immediately")] = 0


class WebhookAnswer(Struct, frozen=True):
    """A webhook."""

    webhook: Webhook


class ShownSecret(Struct, frozen=True):
    """A webhook with its secret, which is shown only once."""

    webhook: Webhook
    secret: Annotated[str, Meta(description="to verify signatures with", examples=["whsec_c2VjcmV0"])]


class Webhooks(Struct, frozen=True):
    """The webhooks of an organization, oldest first."""

    webhooks: list[Webhook]
    next_cursor: str | None


class MatchQuery(Struct, kw_only=True):
    """The message to compare with the subscriptions of a webhook."""

    room_id: RoomId
    message_id: MessageId


class Matches(Struct, frozen=True):
    """Whether a webhook is sent a message, and what each of its subscriptions says."""

    matches: bool
    subscriptions: list[Match]


class SubscriptionsToPreview(Body):
    """Subscriptions to try."""

    subscriptions: Subscriptions


async def create_webhook(call: Call, organization: Organization, body: Content[WebhookCreate]) -> ShownSecret:
    """Create a webhook. Only this response contains its secret."""
    content = body.content
    return ShownSecret(
        *await actions.create_webhook(
            call,
            organization,
            name=content.name,
            description=content.description,
            endpoint_url=content.endpoint_url,
            headers=content.headers,
            subscriptions=content.subscriptions,
            options=actions.DeliveryOptions(
                content.retry_schedule, content.time_limit, content.ordering, content.rate_limit
            ),
            authentication=content.authentication,
        )
    )


async def list_webhooks(call: Call, organization: Organization, query: Paging) -> Webhooks:
    """List the webhooks of an organization, oldest first, 50 per page unless you set `limit`.

    While `next_cursor` is not null, pass it as `cursor` to get the next page.
    """
    return Webhooks(*await reach.list_webhooks(call, organization, query))


async def read_webhook(call: Call, organization: Organization, webhook_id: UUID) -> WebhookAnswer:
    """Read a webhook."""
    return WebhookAnswer(await reach.find_webhook(call, organization, webhook_id))


async def update_webhook(
    call: Call, organization: Organization, webhook_id: UUID, body: Content[WebhookUpdate]
) -> WebhookAnswer:
    """Change a webhook. Once it is ACTIVE again, waiting deliveries go out gradually."""
    content = body.content
    updated = await actions.update_webhook(
        call,
        organization,
        webhook_id,
        name=given(content.name),
        description=given(content.description),
        endpoint_url=given(content.endpoint_url),
        headers=given(content.headers),
        status=given(content.status),
        subscriptions=given(content.subscriptions),
        options={
            name: value for name in actions.DeliveryOptions._fields if (value := getattr(content, name)) is not UNSET
        },
        authentication=content.authentication,
    )
    return WebhookAnswer(updated)


async def delete_webhook(call: Call, organization: Organization, webhook_id: UUID) -> None:
    """Delete a webhook with its log; pending deliveries are not sent."""
    await actions.delete_webhook(call, organization, webhook_id)


async def match_webhook(call: Call, organization: Organization, webhook_id: UUID, query: MatchQuery) -> Matches:
    """Compare a message, as it is now, with the subscriptions of a webhook. For each that it does not match, the answer
    says why."""
    found = await matching.match_message(
        call, organization, webhook_id, room_id=query.room_id, message_id=query.message_id
    )
    return Matches(any(each.matches for each in found), found)


async def preview_subscriptions(
    call: Call, organization: Organization, body: Content[SubscriptionsToPreview]
) -> matching.Preview:
    """Try subscriptions to sent messages: count how many of the newest messages they would have chosen."""
    return await matching.preview_subscriptions(call, organization, body.content.subscriptions)


async def rotate_webhook_secret(
    call: Call, organization: Organization, webhook_id: UUID, body: SecretRotation
) -> ShownSecret:
    """Rotate the secret; the new one is shown once. During the overlap, `X-Service-Signature` is made with the old one
    and `webhook-signature` with both."""
    return ShownSecret(
        *await actions.rotate_secret(call, organization, webhook_id, timedelta(hours=body.overlap_hours))
    )

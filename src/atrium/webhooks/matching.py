"""Which messages subscriptions choose: one message that was sent, or the newest ones, before a webhook is created."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium import permissions as may
from atrium.keys.caller import Call
from atrium.kit.errors import Problem
from atrium.kit.text.types import MessageId, RoomId
from atrium.messages.reach import reach_message
from atrium.organizations.reach import Organization
from atrium.permissions import Scope
from atrium.rooms.reach import RoomNotFound
from atrium.webhooks import queries
from atrium.webhooks.model import Subscription
from atrium.webhooks.reach import find_webhook
from atrium.webhooks.subscriptions import as_row, as_rows, require_fits, require_may_subscribe

PREVIEWED = 200  # messages


class Match(Struct, frozen=True):
    """A subscription, and what keeps the message out of it."""

    subscription: Subscription
    matches: bool
    reason: Annotated[
        str | None,
        Meta(description="`subscription_type`, `subject_id`, or the first field of the filter that does not fit"),
    ]


class PreviewInProgress(Problem):
    """Another preview of your organization is in progress. Retry in a moment."""

    status = 429
    code = "preview_in_progress"
    title = "Another preview is in progress"
    headers = (("retry-after", "1"),)


class Preview(Struct, frozen=True):
    """The newest messages of the subscribed rooms, at most 200, and how many of them would have been sent."""

    messages: int
    chosen: int


async def match_message(
    call: Call, organization: Organization, webhook_id: UUID, *, room_id: RoomId, message_id: MessageId
) -> list[Match]:
    """Compare a message, as it is now, with each subscription of a webhook. Raise WebhookNotFound, RoomNotFound,
    MessageNotFound, Forbidden."""
    call.caller.require_scope(Scope.MESSAGES_READ)
    async with call.db.transaction(isolation="repeatable_read", readonly=True):  # a change comes before or after
        webhook = await find_webhook(call, organization, webhook_id)
        reached = await reach_message(call, room_id, message_id, may.READ_MESSAGE)
        if reached.room.organization_id != organization.organization_id:
            raise RoomNotFound
        rows = await call.db.fetch(queries.MATCH, webhook_id, room_id, message_id)
    reasons = [row["reason"] for row in rows]
    return [Match(each, why is None, why) for each, why in zip(webhook.subscriptions, reasons, strict=True)]


async def preview_subscriptions(call: Call, organization: Organization, requested: Sequence[Subscription]) -> Preview:
    """Count the newest messages that subscriptions would have chosen. Raise PreviewInProgress, and as their creation
    does."""
    for nr, subscription in enumerate(requested):
        require_fits(subscription, f"/content/subscriptions/{nr}")
        await require_may_subscribe(call, organization, subscription)
    if not await call.db.fetchval(queries.TRY_LOCK_PREVIEW, organization.organization_id):
        raise PreviewInProgress
    row = await call.db.fetchrow(queries.PREVIEW, as_rows([as_row(each) for each in requested]), PREVIEWED)
    return Preview(row["messages"], row["chosen"]) if row else Preview(0, 0)

"""Which messages subscriptions choose: one message that was sent, or the newest ones, before a webhook is created."""

from asyncio import sleep
from collections.abc import Sequence
from time import monotonic
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium import permissions as may
from atrium.keys.caller import Call
from atrium.kit.errors import Problem
from atrium.kit.postgres.database import Record
from atrium.kit.text.types import MessageId, RoomId
from atrium.messages.filter_words import FilterWords, Text
from atrium.messages.reach import reach_message
from atrium.organizations.reach import Organization
from atrium.permissions import Scope
from atrium.rooms.reach import RoomNotFound
from atrium.webhooks.manage import queries
from atrium.webhooks.manage.reach import find_webhook
from atrium.webhooks.manage.subscriptions import as_row, as_rows, require_fits, require_may_subscribe, wanted_words
from atrium.webhooks.model import Subscription

PREVIEWED = 200  # messages
PREVIEW_WITHIN = 5.0  # seconds


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


class PreviewTimedOut(Problem):
    """The newest messages of these rooms could not be compared with the subscriptions within five seconds."""

    status = 503
    code = "preview_timed_out"
    title = "The preview took too long"


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
    found = _words_of(webhook.subscriptions).found_in(Text(reached.message.text))
    reasons = [
        row["reason"] or (None if _has_words(each, found) else "words")
        for row, each in zip(rows, webhook.subscriptions, strict=True)
    ]
    return [Match(each, why is None, why) for each, why in zip(webhook.subscriptions, reasons, strict=True)]


async def preview_subscriptions(call: Call, organization: Organization, requested: Sequence[Subscription]) -> Preview:
    """Count the newest messages that subscriptions would have chosen. Raise PreviewInProgress, PreviewTimedOut, and as
    their creation does."""
    for nr, subscription in enumerate(requested):
        require_fits(subscription, f"/content/subscriptions/{nr}")
        await require_may_subscribe(call, organization, subscription)
    if not await call.db.fetchval(queries.TRY_LOCK_PREVIEW, organization.organization_id):
        raise PreviewInProgress
    ends_at = monotonic() + PREVIEW_WITHIN
    try:
        rows = await call.db.fetch(
            queries.PREVIEW, as_rows([as_row(each) for each in requested]), PREVIEWED, timeout=PREVIEW_WITHIN
        )
    except TimeoutError:
        raise PreviewTimedOut from None
    return await _chosen_of(rows, requested, ends_at)


async def _chosen_of(rows: Sequence[Record], requested: Sequence[Subscription], ends_at: float) -> Preview:
    """Compare the rows of PREVIEW with the words of the subscriptions that chose them. Raise PreviewTimedOut."""
    words, chosen = _words_of(requested), 0
    for row in rows:
        await sleep(0)  # other requests go on between two messages
        if monotonic() > ends_at:
            raise PreviewTimedOut
        candidates = [requested[nr - 1] for nr in row["chosen_by"]]
        found = words.found_in(Text(row["text"])) if all(map(wanted_words, candidates)) else set()
        chosen += any(_has_words(each, found) for each in candidates)
    return Preview(len(rows), chosen)


def _words_of(subscriptions: Sequence[Subscription]) -> FilterWords:
    return FilterWords({word for each in subscriptions for word in wanted_words(each)})


def _has_words(subscription: Subscription, found: set[str]) -> bool:
    """Return whether a subscription wants no words, or one of these."""
    wanted = wanted_words(subscription)
    return not wanted or not found.isdisjoint(wanted)

"""How many webhooks an organization has, and how many subscriptions to an event of a room or space: each message is
compared with all of these when it is sent."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.errors import Conflict
from atrium.organizations.reach import Organization
from atrium.webhooks.manage import queries
from atrium.webhooks.model import Subscription

MAX_WEBHOOKS = 500
MAX_SUBSCRIPTIONS = 1000


class TooManyWebhooks(Conflict):
    """An organization has at most 500 webhooks. Delete one that you no longer need."""

    code = "too_many_webhooks"
    title = "Too many webhooks"


class TooManySubscriptions(Conflict):
    """All webhooks together have at most 1,000 subscriptions to an event of one room, space or organization."""

    code = "too_many_subscriptions"
    title = "Too many subscriptions to one event"


async def lock_subscriptions(call: Call, organization: Organization) -> None:
    """Let nobody else change subscriptions of the organization until the end of the transaction."""
    await call.lock(queries.LOCK_ORGANIZATION, organization.organization_id)


async def require_below_webhook_limit(call: Call, organization: Organization) -> None:
    """Raise TooManyWebhooks if the organization has reached the limit. Lock its subscriptions."""
    await lock_subscriptions(call, organization)
    if await call.db.fetchval(queries.COUNT, organization.organization_id) >= MAX_WEBHOOKS:
        raise TooManyWebhooks(f"An organization has at most {MAX_WEBHOOKS} webhooks. Delete one of them.")


async def require_below_subscription_limit(call: Call, webhook_id: UUID, earlier: Sequence[Subscription]) -> None:
    """Raise TooManySubscriptions if the webhook has more subscriptions to an event than earlier, beyond the limit."""
    had = Counter((each.subject_id, each.subscription_type.value) for each in earlier)
    for row in await call.db.fetch(queries.OVER_LIMIT, webhook_id, MAX_SUBSCRIPTIONS):
        if row["own"] > had[row["subject_id"], row["subscription_type"]]:
            raise TooManySubscriptions(
                f"There would be {row['total']} subscriptions to this event of {row['subject_id']}; at most "
                f"{MAX_SUBSCRIPTIONS} are possible."
            )

"""Connect the team's tools: integrations, incoming webhooks and webhooks."""

import time
from uuid import UUID

import httpx
from msgspec import Struct

from atrium.client import webhook_types
from atrium.client.webhook_types import Delivery
from demo.receiver import Receiver
from demo.team import Team

UNREACHABLE_URL = "http://127.0.0.1:9/bridge"
# Deliveries and how many of their attempts fail: the ping, an event that its first retry delivers, and one that waits.
FAILURES = {0: 1, 28: 1, 31: 3}
SETTLES_WITHIN = 30.0  # seconds


class ConnectedWebhook(Struct, frozen=True):
    """The webhook whose endpoint is the demo's receiver, with its secret."""

    webhook_id: UUID
    secret: str


def create_integrations(team: Team) -> None:
    """Create the integrations, each with a key of its own."""
    for integration in team.content.integrations:
        spaces = [{"space_id": team.spaces[name], "role": role} for name, role in integration.spaces.items()]
        team.create(f"{team.path}/api-keys", name=integration.name, description=integration.description, spaces=spaces)


def post_from_tools(team: Team) -> None:
    """Create the incoming webhooks, and post to each as its tool would."""
    for incoming in team.content.incoming:
        url = team.room(incoming.room).incoming_webhooks().create(incoming.name).url
        for message in incoming.messages:
            httpx.post(url, json=message, timeout=30).raise_for_status()


def create_webhooks(team: Team, receiver: Receiver) -> ConnectedWebhook:
    """Create the webhooks, and send a test event to the one that reaches the receiver."""
    webhooks = team.owner.webhooks(team.organization_id)
    for hook in team.content.webhooks:
        subscriptions = webhook_types.messages_in(spaces=[team.spaces[name] for name in hook.spaces])
        url = UNREACHABLE_URL if hook.unreachable else f"http://127.0.0.1:{receiver.server_port}/events"
        made = webhooks.create(
            name=hook.name, description=hook.description, endpoint_url=url, subscriptions=subscriptions
        )
        if not hook.unreachable:
            receiver.secret, connected = made.secret, ConnectedWebhook(made.webhook.id, made.secret)
            webhooks.test(made.webhook.id)
    return connected


def wait_for_retry(team: Team, hook: ConnectedWebhook) -> list[Delivery]:
    """Wait until an event was delivered by a retry, and return the log, newest first."""
    webhooks, deadline = team.owner.webhooks(team.organization_id), time.monotonic() + SETTLES_WITHIN
    while True:
        log = list(webhooks.deliveries(hook.webhook_id))
        if (
            any(each.retry_count and each.status == webhook_types.SUCCEEDED for each in log)
            or time.monotonic() > deadline
        ):
            return log
        time.sleep(0.2)


def move_endpoint(team: Team, hook: ConnectedWebhook, port: int) -> None:
    """Point the webhook at the receiver's port if that has changed since the last run."""
    url = f"http://127.0.0.1:{port}/events"
    if team.owner.webhooks(team.organization_id).read(hook.webhook_id).endpoint_url != url:
        body = {"content": {"endpoint_url": url}}
        team.owner.request("PATCH", f"{team.path}/webhooks/{hook.webhook_id}", dict, body=body)

"""An organization's webhooks, managed."""

from collections.abc import Generator, Sequence
from datetime import datetime
from uuid import UUID

from atrium.client._sync.connection import Connection
from atrium.client.hooks import Delivery, DeliveryAnswer, NewWebhook, Subscription, Webhook, WebhookAnswer
from atrium.client.model import timestamp


class Webhooks:
    """The webhooks of an organization."""

    def __init__(self, connection: Connection, organization_id: UUID) -> None:
        self._connection = connection
        self._path = f"/v1/organizations/{organization_id}/webhooks"

    def each(self) -> Generator[Webhook]:
        """All of them."""
        return self._connection.each(self._path, "webhooks", Webhook)

    def create(
        self, *, name: str, endpoint_url: str, subscriptions: Sequence[Subscription], description: str = "",
        idempotency_key: str | None = None,
    ) -> NewWebhook:  # fmt: skip
        """Make one. Its secret is in this answer and never again.

        The same again, after a lost answer, is refused as `already_done`: `problem.more["made"]` names it.
        """
        content = {
            "name": name, "description": description, "endpoint_url": endpoint_url, "subscriptions": subscriptions,
        }  # fmt: skip
        return self._connection.create(self._path, NewWebhook, {"content": content}, idempotency_key)

    def read(self, webhook_id: UUID) -> Webhook:
        """One of them."""
        return (self._connection.ask("GET", f"{self._path}/{webhook_id}", WebhookAnswer)).webhook

    def set_status(self, webhook_id: UUID, status: str) -> Webhook:
        """Make it WEBHOOK_STATUS_ACTIVE or WEBHOOK_STATUS_INACTIVE."""
        body = {"content": {"status": status}}
        return (self._connection.ask("PATCH", f"{self._path}/{webhook_id}", WebhookAnswer, body=body)).webhook

    def delete(self, webhook_id: UUID) -> None:
        """Delete it."""
        self._connection.ask("DELETE", f"{self._path}/{webhook_id}", type(None))

    def test(self, webhook_id: UUID) -> Delivery:
        """Send it a `ping` now: what came of it."""
        return (self._connection.ask("POST", f"{self._path}/{webhook_id}/test", DeliveryAnswer)).delivery

    def deliveries(self, webhook_id: UUID, *, since: datetime | None = None) -> Generator[Delivery]:
        """What is in its log, newest first, from that time on."""
        query = {"since": timestamp(since)} if since else {}
        return self._connection.each(f"{self._path}/{webhook_id}/logs", "logs", Delivery, query)

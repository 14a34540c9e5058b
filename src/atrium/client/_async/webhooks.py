"""Manage the webhooks of an organization."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from atrium.client._async.connection import AsyncConnection
from atrium.client.model import timestamp
from atrium.client.webhook_types import (
    Delivery,
    DeliveryResponse,
    MutualTls,
    NewWebhook,
    OAuth2,
    Subscription,
    Webhook,
    WebhookResponse,
)


class AsyncWebhooks:
    """The webhooks of an organization."""

    def __init__(self, connection: AsyncConnection, organization_id: UUID) -> None:
        self._connection = connection
        self._path = f"/v1/organizations/{organization_id}/webhooks"

    def list(self) -> AsyncGenerator[Webhook]:
        """Yield all webhooks."""
        return self._connection.iterate(self._path, "webhooks", Webhook)

    async def create(
        self, *, name: str, endpoint_url: str, subscriptions: Sequence[Subscription], description: str = "",
        retry_schedule: Sequence[int] | None = None, time_limit: int | None = None, in_order: bool = False,
        rate_limit: int | None = None, headers: Mapping[str, str] | None = None,
        authentication: OAuth2 | MutualTls | None = None, idempotency_key: str | None = None,
    ) -> NewWebhook:  # fmt: skip
        """Create a webhook. Only this response contains its secret.

        `retry_schedule` has the seconds before each retry and `time_limit` the seconds for an attempt, at most 15; None
        for the server's. With `in_order`, each room has one delivery at a time, in the order of events; `rate_limit` is
        the most attempts per second. `headers` are sent with each delivery.

        Repeating the request with the same idempotency key raises Conflict with the code `already_done`;
        `problem.more["made"]` names the webhook.
        """
        content: dict[str, Any] = {
            "name": name, "description": description, "endpoint_url": endpoint_url, "subscriptions": subscriptions,
        }  # fmt: skip
        more = {
            "retry_schedule": retry_schedule, "time_limit": time_limit, "ordering": "room" if in_order else None,
            "rate_limit": rate_limit, "headers": headers, "authentication": authentication,
        }  # fmt: skip
        content |= {field: value for field, value in more.items() if value is not None}
        return await self._connection.create(self._path, NewWebhook, {"content": content}, idempotency_key)

    async def read(self, webhook_id: UUID) -> Webhook:
        """Return a webhook."""
        return (await self._connection.request("GET", f"{self._path}/{webhook_id}", WebhookResponse)).webhook

    async def set_status(self, webhook_id: UUID, status: str) -> Webhook:
        """Set the status to WEBHOOK_STATUS_ACTIVE or WEBHOOK_STATUS_INACTIVE."""
        body = {"content": {"status": status}}
        return (
            await self._connection.request("PATCH", f"{self._path}/{webhook_id}", WebhookResponse, body=body)
        ).webhook

    async def delete(self, webhook_id: UUID) -> None:
        """Delete a webhook."""
        await self._connection.request("DELETE", f"{self._path}/{webhook_id}", type(None))

    async def test(self, webhook_id: UUID) -> Delivery:
        """Send a `ping` and return its delivery."""
        return (await self._connection.request("POST", f"{self._path}/{webhook_id}/test", DeliveryResponse)).delivery

    def deliveries(self, webhook_id: UUID, *, since: datetime | None = None) -> AsyncGenerator[Delivery]:
        """Yield the deliveries in a webhook's log, newest first, since a time if given."""
        query = {"since": timestamp(since)} if since else {}
        return self._connection.iterate(f"{self._path}/{webhook_id}/logs", "logs", Delivery, query)

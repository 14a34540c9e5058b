"""Manage the incoming webhooks of a room: the URLs that tools post to."""

from collections.abc import AsyncGenerator
from uuid import UUID

from atrium.client._async.connection import AsyncConnection
from atrium.client.webhook_types import IncomingWebhook, NewIncomingWebhook


class AsyncIncomingWebhooks:
    """The incoming webhooks of a room. They require the role admin in its space."""

    def __init__(self, connection: AsyncConnection, room_id: UUID) -> None:
        self._connection = connection
        self._path = f"/v2/rooms/{room_id}/incoming-webhooks"

    def list(self) -> AsyncGenerator[IncomingWebhook]:
        """Yield all that are not revoked, oldest first, without their URLs."""
        return self._connection.iterate(self._path, "incoming_webhooks", IncomingWebhook)

    async def create(self, name: str, *, idempotency_key: str | None = None) -> NewIncomingWebhook:
        """Create an incoming webhook. Only this response contains its URL; its messages are sent under `name`.

        Repeating the request with the same idempotency key raises Conflict with the code `already_done`;
        `problem.more["made"]` names the incoming webhook.
        """
        return await self._connection.create(self._path, NewIncomingWebhook, {"name": name}, idempotency_key)

    async def revoke(self, incoming_webhook_id: UUID) -> None:
        """Revoke an incoming webhook. Its URL stops working immediately; its messages stay."""
        await self._connection.request("DELETE", f"{self._path}/{incoming_webhook_id}", type(None))

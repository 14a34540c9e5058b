"""A room's incoming webhooks: the URLs that tools post to."""

from collections.abc import Generator
from uuid import UUID

from atrium.client._sync.connection import Connection
from atrium.client.hooks import IncomingWebhook, NewIncomingWebhook


class IncomingWebhooks:
    """The incoming webhooks of a room. Whoever asks has to be an admin of its space."""

    def __init__(self, connection: Connection, room_id: UUID) -> None:
        self._connection = connection
        self._path = f"/v2/rooms/{room_id}/incoming-webhooks"

    def each(self) -> Generator[IncomingWebhook]:
        """All that were not revoked, oldest first, without their URLs."""
        return self._connection.each(self._path, "incoming_webhooks", IncomingWebhook)

    def create(self, name: str, *, idempotency_key: str | None = None) -> NewIncomingWebhook:
        """Make one. Its URL is in this answer and never again; messages that come by it carry the name.

        The same again, after a lost answer, is refused as `already_done`: `problem.more["made"]` names it.
        """
        return self._connection.create(self._path, NewIncomingWebhook, {"name": name}, idempotency_key)

    def revoke(self, incoming_webhook_id: UUID) -> None:
        """Its URL stops working at once. What was posted stays."""
        self._connection.ask("DELETE", f"{self._path}/{incoming_webhook_id}", type(None))

"""Fetch incoming webhooks, by id or by URL."""

from uuid import UUID

from atrium.incoming import queries
from atrium.incoming.model import IncomingWebhook
from atrium.keys.caller import Call
from atrium.keys.tokens import hash_of
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.rooms.model import ReachedRoom

PREFIX = "atrh_"


class IncomingWebhookNotFound(NotFound):
    """The incoming webhook does not exist: its URL is mistyped or revoked, or its room was deleted."""

    code = "incoming_webhook_not_found"
    title = "Incoming webhook not found"


async def find_incoming_webhook(call: Call, room: ReachedRoom, incoming_webhook_id: UUID) -> IncomingWebhook:
    """Return the room's incoming webhook with that id. Raise IncomingWebhookNotFound."""
    row = await call.db.fetchrow(queries.READ, room.room_id, incoming_webhook_id)
    if row is None:
        raise IncomingWebhookNotFound
    return as_struct(row, IncomingWebhook)


async def require_webhook(db: Connection, token: str) -> Record:
    """Return the webhook of a URL, with its room. Raise IncomingWebhookNotFound."""
    row = await db.fetchrow(queries.READ_BY_HASH, hash_of(token)) if token.startswith(PREFIX) else None
    if row is None:
        raise IncomingWebhookNotFound
    return row


async def list_incoming_webhooks(call: Call, room: ReachedRoom, paging: Paging) -> ListPage[IncomingWebhook]:
    """Return a page of the incoming webhooks of a room, oldest first."""
    rows = await call.db.fetch(queries.LIST, room.room_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["incoming_webhook_id"])
    return as_structs(page, IncomingWebhook), cursor

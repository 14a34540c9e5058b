"""Send a message, and interpret the results of batched statements."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.attachments.model import AttachmentUnusable
from atrium.keys.caller import LIMIT_ERRORS
from atrium.kit.clock import to_ms
from atrium.kit.errors import Forbidden, Problem, Unauthenticated
from atrium.kit.http.idempotency import IdempotencyMismatch
from atrium.kit.postgres.batching import run_statement
from atrium.kit.postgres.database import Connection
from atrium.messages import queries
from atrium.messages.reach import MessageNotFound
from atrium.messages.requests import SendRequest
from atrium.rooms.reach import RoomArchived, RoomNotFound

REPLAYED = "replayed"  # not an error: the response to an earlier request with the same idempotency key
ERRORS: dict[str, type[Problem]] = LIMIT_ERRORS | {
    "unauthenticated": Unauthenticated,
    "room_not_found": RoomNotFound,
    "message_not_found": MessageNotFound,
    "forbidden": Forbidden,
    "room_archived": RoomArchived,
    "attachment_unusable": AttachmentUnusable,
    "idempotency_mismatch": IdempotencyMismatch,
}


class Result(NamedTuple):
    """The result of one request in a batch."""

    api_key_id: UUID | None
    outcome: str | None  # None with a new body; otherwise an error or REPLAYED, UNCHANGED, PAGE_TOO_LARGE
    root_id: UUID | None  # of the thread that contains the message, with `not_a_thread_root`
    body: bytes  # JSON
    version: str = ""  # of a page of a room

    def require_body(self) -> bytes:
        """Return the body. Raise the Problem that the outcome stands for."""
        if self.outcome is not None and self.outcome != REPLAYED:
            raise ERRORS[self.outcome]
        return self.body


class _Sent(Struct):
    message_id: UUID


async def send_message(db: Connection, request: SendRequest, now: datetime) -> Result:
    """Send one message in the transaction of `db`. Errors are in the result's `outcome`; nothing is raised."""
    [row] = await run_statement(db, queries.SEND, [request], to_ms(now))
    return Result(*row)


async def send_with_attachments(
    db: Connection, request: SendRequest, attachment_ids: Sequence[UUID], now: datetime
) -> Result:
    """Lock the attachments, send the message with them and assign them to it, in a transaction."""
    async with db.transaction():
        attachments = await db.fetchval(
            queries.LOCK_ATTACHMENTS,
            request.key_hash,
            request.room_id,
            attachment_ids,
            to_ms(now),
            request.address,
        )
        result = await send_message(db, request._replace(attachments=attachments), now)
        if result.outcome is None:
            sent = msgspec.json.decode(result.body, type=_Sent)
            await db.execute(queries.ASSIGN_ATTACHMENTS, request.room_id, attachment_ids, sent.message_id)
    return result

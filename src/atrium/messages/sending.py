"""Send a message, and interpret the results of batched statements."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
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
from atrium.messages.filters import load_filters, with_words_found
from atrium.messages.reach import MessageNotFound
from atrium.messages.requests import SendRequest
from atrium.rooms.reach import RoomArchived, RoomNotFound

REPLAYED = "replayed"  # not an error: the response to an earlier request with the same idempotency key
FILTERS_CHANGED = "filters_changed"  # not an error either: the request is to be compared with the filters of now
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

    async def run(compared: SendRequest) -> Result:
        [row] = await run_statement(db, queries.SEND, [compared], to_ms(now))
        return Result(*row)

    return await send_compared(request, run, partial(load_filters, db))


async def send_compared(
    request: SendRequest,
    run: Callable[[SendRequest], Awaitable[Result]],
    load: Callable[[UUID, str | None], Awaitable[None]],
) -> Result:
    """Send a message by `run`, with the words of filters that it has. They are looked for again, in filters that `load`
    reads, if these have changed."""
    while (result := await run(compared := with_words_found(request))).outcome == FILTERS_CHANGED:
        await load(request.room_id, compared.filters)
    return result


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

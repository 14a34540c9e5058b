"""Send a message."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.kit.clock import to_ms
from atrium.kit.postgres.batching import run_statement
from atrium.kit.postgres.database import Connection
from atrium.messages import queries
from atrium.messages.filters import load_filters, with_words_found
from atrium.messages.requests import FILTERS_CHANGED, Result, SendRequest


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

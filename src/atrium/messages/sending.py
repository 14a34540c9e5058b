"""Send a message."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.kit.clock import to_ms
from atrium.kit.postgres.batching import run_statement
from atrium.kit.postgres.database import Connection
from atrium.messages import queries
from atrium.messages.requests import Result, SendRequest


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

"""The uploaded files that blocks show. A file belongs to one block, and is removed some time after it."""

from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.blocks import queries
from atrium.keys.caller import Call
from atrium.kit.errors import invalid_field


class _Shown(Struct):
    attachment_id: UUID | None = None


async def attach_file(call: Call, room_id: UUID, block_id: UUID, content: str) -> None:
    """Link the attachment that the content (JSON) refers to, and release the block's other attachments, which then
    expire. Raise InvalidRequest if it is not the caller's, or used elsewhere."""
    shown = msgspec.json.decode(content, type=_Shown).attachment_id
    await call.db.execute(queries.RELEASE_ATTACHMENTS, room_id, block_id, shown)
    if shown is not None and not await call.db.fetchval(
        queries.CLAIM_ATTACHMENT, room_id, shown, block_id, call.caller.actor_id
    ):
        raise invalid_field("/content/attachment_id", "is not an unused attachment that you uploaded to this room")

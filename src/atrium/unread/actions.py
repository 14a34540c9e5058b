"""Move the read marker of a person."""

from atrium.events import LiveEventKind
from atrium.keys.caller import Call, require_person
from atrium.kit.clock import rfc3339
from atrium.kit.text.types import MessageId
from atrium.live.actions import publish_to_own_streams
from atrium.messages.reach import MessageNotFound
from atrium.rooms.model import ReachedRoom
from atrium.unread import queries
from atrium.unread.model import ReadMarker


async def move_read_marker(call: Call, room: ReachedRoom, message_id: MessageId) -> ReadMarker:
    """Mark a room as read up to a message, forward or back. Raises Forbidden, MessageNotFound."""
    require_person(call.caller)
    if await call.db.fetchrow(queries.EXISTS, room.room_id, message_id) is None:
        raise MessageNotFound
    await call.db.execute(queries.MARK, room.room_id, call.caller.actor_id, message_id, call.now)
    marker = ReadMarker(room.room_id, message_id, rfc3339(call.now))
    await publish_to_own_streams(call, LiveEventKind.READ_MARKER_MOVED, room, marker)
    return marker

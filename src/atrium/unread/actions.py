"""Move the read markers of a person."""

from uuid import UUID

from atrium.events import LiveEventKind
from atrium.keys.caller import Call, require_person
from atrium.kit.clock import rfc3339
from atrium.kit.text.types import MessageId
from atrium.live.actions import publish_to_own_streams
from atrium.messages.reach import MessageNotFound
from atrium.rooms.model import ReachedRoom
from atrium.unread import queries
from atrium.unread.model import ReadMarker, ThreadReadMarker
from atrium.unread.reach import require_in_thread


async def move_read_marker(call: Call, room: ReachedRoom, message_id: MessageId, *, unread: bool = False) -> ReadMarker:
    """Move the read marker of a room to a message, or to before it if `unread` is set.

    Raise Forbidden, MessageNotFound.
    """
    require_person(call.caller)
    if await call.db.fetchrow(queries.FIND, room.room_id, message_id) is None:
        raise MessageNotFound
    read = await _before(call, room, message_id, None) if unread else message_id
    await call.db.execute(queries.MARK, room.room_id, call.caller.actor_id, read, call.now)
    marker = ReadMarker(room.room_id, read, rfc3339(call.now))
    await publish_to_own_streams(call, LiveEventKind.READ_MARKER_MOVED, room, marker)
    return marker


async def move_thread_marker(
    call: Call, room: ReachedRoom, root_id: MessageId, message_id: MessageId, *, unread: bool = False
) -> ThreadReadMarker:
    """Mark a thread as read up to its root or a reply, forward or back, or as unread from it on.

    Raise Forbidden, MessageNotFound, NotAThreadRoot.
    """
    require_person(call.caller)
    await require_in_thread(call, room, root_id, message_id)
    read = await _before(call, room, message_id, root_id) if unread else message_id
    await call.db.execute(queries.MARK_THREAD, room.room_id, call.caller.actor_id, root_id, read, call.now)
    marker = ThreadReadMarker(room.room_id, root_id, read, rfc3339(call.now))
    await publish_to_own_streams(call, LiveEventKind.THREAD_READ_MARKER_MOVED, room, marker)
    return marker


async def _before(call: Call, room: ReachedRoom, message_id: MessageId, root_id: MessageId | None) -> MessageId:
    return MessageId(UUID(str(await call.db.fetchval(queries.BEFORE, room.room_id, message_id, root_id))))

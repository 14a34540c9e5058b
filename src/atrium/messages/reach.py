"""Fetch a message, after its room, whose query checks the caller's access."""

from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.errors import Forbidden, NotFound
from atrium.messages import queries
from atrium.messages.model import Message
from atrium.permissions import Permission
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import reach_room


class MessageNotFound(NotFound):
    """The room has no message with this id."""

    code = "message_not_found"
    title = "Message not found"


class ReachedMessage(Struct, frozen=True):
    """A message that the caller can read, with its room."""

    message: Message
    room: ReachedRoom


async def reach_message(call: Call, room_id: UUID, message_id: UUID, permission: Permission) -> ReachedMessage:
    """Return the message if the caller may use it. Raise RoomNotFound, MessageNotFound, Forbidden."""
    room = await reach_room(call, room_id, permission)
    if call.writing:
        row = await call.lock(queries.READ_FOR_CHANGE, room_id, message_id)
        room = await reach_room(call, room_id, permission)  # access may have ended while it waited
    else:
        row = await call.db.fetchrow(queries.READ, room_id, message_id)
    if row is None:
        raise MessageNotFound
    message = msgspec.json.decode(row["rendered"], type=Message)
    _require_sender(call, message, room, permission)
    return ReachedMessage(message, room)


def _require_sender(call: Call, message: Message, room: ReachedRoom, permission: Permission) -> None:
    if not permission.sender or message.user_id == call.caller.actor_id:
        return
    if permission.or_space is None or not room.role.holds(permission.or_space):
        also = f" or a space {permission.or_space}" if permission.or_space else ""
        raise Forbidden(f"Only the sender of the message{also} may do this.")

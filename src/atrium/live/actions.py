"""Publish events that are stored nowhere else, and hold the consumers of the log."""

from datetime import timedelta

import msgspec
from msgspec import Struct

from atrium.events import LiveEventKind
from atrium.keys.caller import Call
from atrium.live import queries
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import require_open

TYPING_INTERVAL = timedelta(seconds=3)


async def publish_typing(call: Call, room: ReachedRoom) -> None:
    """Publish that the caller is typing in the room, at most every three seconds. Raise RoomArchived."""
    require_open(room)
    await call.db.execute(
        queries.PUBLISH_TYPING, room.room_id, call.caller.actor_id, room.space_id, call.now, TYPING_INTERVAL
    )


async def publish_to_room(call: Call, kind: LiveEventKind, room: ReachedRoom, data: Struct) -> None:
    """Publish an event to everyone who can access the room. The room has to be locked."""
    await call.db.execute(queries.EMIT_TO_ROOM, kind, room.space_id, room.room_id, msgspec.json.encode(data).decode())


async def publish_to_own_streams(call: Call, kind: LiveEventKind, room: ReachedRoom, data: Struct) -> None:
    """Publish an event of a room to the caller's own streams, as long as the caller can access the room."""
    place = (room.organization_id, room.space_id, room.room_id)
    payload = msgspec.json.encode(data).decode()
    await call.db.execute(queries.EMIT_TO_ACTOR, kind, call.caller.actor_id, *place, payload)


async def hold_log(call: Call) -> None:
    """Wait for the transactions of the log's consumers, and let none begin until this transaction ends: what they have
    written can be changed, and what they write later is of the time after it."""
    await call.lock(queries.HOLD)

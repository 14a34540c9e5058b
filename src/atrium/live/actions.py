"""Telling people what is not written down anywhere else."""

from datetime import timedelta

import msgspec
from msgspec import Struct

from atrium.events import LiveEventKind
from atrium.keys.caller import Call
from atrium.live import queries
from atrium.rooms.model import ReachedRoom

TYPING_EVERY = timedelta(seconds=3)


async def tell_of_typing(call: Call, room: ReachedRoom) -> None:
    """Who listens to the room learns that the caller is typing; of the same caller at most every three seconds."""
    await call.db.execute(queries.TYPE, room.room_id, call.caller.actor_id, room.space_id, call.now, TYPING_EVERY)


async def tell_own_streams(call: Call, kind: LiveEventKind, room: ReachedRoom, data: Struct) -> None:
    """Tell the caller's own streams, wherever he is, of something in a room, while he reaches it."""
    at = (room.organization_id, room.space_id, room.room_id)
    told = msgspec.json.encode(data).decode()
    await call.db.execute(queries.EMIT_TO_ACTOR, kind, call.caller.actor_id, *at, told)

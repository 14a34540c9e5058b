"""Telling people what is not written down anywhere else."""

from datetime import timedelta
from uuid import UUID

from atrium.keys.caller import Call
from atrium.live import queries
from atrium.rooms.reach import ReachedRoom

TYPING_EVERY = timedelta(seconds=3)


async def tell_of_typing(call: Call, room: ReachedRoom) -> None:
    """Who listens to the room learns that the caller is typing; of the same caller at most every three seconds."""
    await call.db.execute(queries.TYPE, room.room_id, call.caller.actor_id, room.space_id, call.now, TYPING_EVERY)


async def emit_to_actor(
    call: Call, kind: str, *, organization_id: UUID | None, space_id: UUID | None, room_id: UUID | None, data: str
) -> None:
    """Tell the caller's other streams something, `data` being its JSON; with a space, while he reaches it."""
    at = (organization_id, space_id, room_id)
    await call.db.execute(queries.EMIT_TO_ACTOR, kind, call.caller.actor_id, *at, data)

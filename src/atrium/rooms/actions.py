"""What is done to a room."""

from datetime import datetime

from atrium.kit.clock import to_ms
from atrium.kit.database import Connection
from atrium.kit.ids import new_id
from atrium.kit.texts import ActorId, RoomId, SpaceId
from atrium.rooms import queries
from atrium.rooms.reach import RoomType

COUNTER_BITS = 12


async def create_room(
    db: Connection, space_id: SpaceId, *, name: str, description: str, room_type: RoomType,
    created_by: ActorId | None, now: datetime,
) -> RoomId:  # fmt: skip
    """A new room. Its head starts at its creation, so that no message is ever older than its room."""
    room_id = RoomId(new_id(now))
    await db.execute(queries.ADD, room_id, space_id, name, description, room_type, created_by, now)
    await db.execute(queries.ADD_HEAD, room_id, to_ms(now) << COUNTER_BITS)
    return room_id

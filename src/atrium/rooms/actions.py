"""Create, change and delete rooms."""

from datetime import datetime

import asyncpg

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.clock import to_ms
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.names import name_key
from atrium.kit.text.types import ActorId, RoomId, SpaceId
from atrium.permissions import READ_ROOM
from atrium.rooms import queries
from atrium.rooms.model import ReachedRoom, Room, RoomType
from atrium.rooms.reach import RoomNameTaken, reach_room
from atrium.spaces.model import Space

COUNTER_BITS = 12


async def add_room(
    db: Connection,
    space_id: SpaceId,
    *,
    name: str,
    description: str,
    room_type: RoomType,
    created_by: ActorId | None,
    now: datetime,
) -> RoomId:
    """Add the rows of a new room. Its head starts at its creation, so that no message is older than its room. Raise
    RoomNameTaken without aborting the transaction."""
    room_id = RoomId(new_id(now))
    values = (room_id, space_id, name, description, room_type, created_by, now, name_key(name))
    if await db.fetchval(queries.ADD, *values) is None:
        raise RoomNameTaken
    await db.execute(queries.ADD_HEAD, room_id, to_ms(now) << COUNTER_BITS)
    return room_id


async def create_room(call: Call, space: Space, *, name: str, description: str, room_type: RoomType) -> Room:
    """Create a room in a space. Raise RoomNameTaken."""
    room_id = await add_room(
        call.db,
        space.space_id,
        name=name,
        description=description,
        room_type=room_type,
        created_by=call.caller.actor_id,
        now=call.now,
    )
    created = (await reach_room(call, room_id, READ_ROOM)).as_room
    await call.record(_change("room.created", created, after=created))
    return created


async def update_room(
    call: Call, room: ReachedRoom, *, name: str | None, description: str | None, archived: bool | None
) -> Room:
    """Update the fields that are not None: the name, the description, whether the room is archived. Raise
    RoomNameTaken."""
    key = None if name is None else name_key(name)
    try:
        await call.db.execute(queries.CHANGE, room.room_id, name, description, archived, call.now, key)
    except asyncpg.UniqueViolationError:
        raise RoomNameTaken from None
    updated = (await reach_room(call, room.room_id, READ_ROOM)).as_room
    before = room.as_room
    if (before.archived_at is None) == (updated.archived_at is None):
        change = _change("room.updated", before, before=before, after=updated)
    elif updated.archived_at:
        change = _change("room.archived", before, before=before, after=updated)
    else:
        change = _change("room.unarchived", before, before=before, after=updated)
    await call.record(change)
    return updated


async def delete_room(call: Call, room: ReachedRoom) -> None:
    """Delete a room and everything in it."""
    await call.db.execute(queries.DELETE, room.room_id, call.now)
    await call.record(_change("room.deleted", room.as_room, before=room.as_room))


def _change(action: str, room: Room, *, before: Room | None = None, after: Room | None = None) -> Change:
    return Change(action, Target("room", room.room_id, room.name), room.organization_id, before, after)

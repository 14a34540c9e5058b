"""Rooms."""

from msgspec import UNSET, Struct, UnsetType

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_structs
from atrium.kit.texts import Description, Name
from atrium.kit.web import Body, Paging
from atrium.permissions import READ_ROOM
from atrium.rooms import actions, queries
from atrium.rooms.reach import ReachedRoom, Room, RoomType, reach_room
from atrium.spaces.reach import Space


class RoomList(Struct, frozen=True):
    """A page of rooms."""

    rooms: list[Room]
    next_cursor: str | None


class RoomCreate(Body):
    """A room to make."""

    name: Name
    room_type: RoomType = RoomType.CHAT
    description: Description = ""


class RoomUpdate(Body):
    """What can change of a room; an archived room is read, not written to."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    archived: bool | UnsetType = UNSET


async def list_rooms(call: Call, space: Space, query: Paging) -> RoomList:
    """List the rooms of a space, oldest first."""
    rows = await call.db.fetch(queries.ROOMS, space.space_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["room_id"])
    return RoomList(as_structs(page, Room), cursor)


async def create_room(call: Call, space: Space, body: RoomCreate) -> Room:
    """Make a room in a space."""
    room_id = await actions.create_room(
        call.db, space.space_id, name=body.name, description=body.description, room_type=body.room_type,
        created_by=call.caller.actor_id, now=call.now,
    )  # fmt: skip
    made = (await reach_room(call, room_id, READ_ROOM)).shown
    await call.record(_change("room.created", made, after=made))
    return made


async def read_room(call: Call, room: ReachedRoom) -> Room:
    """Read a room."""
    return room.shown


async def update_room(call: Call, room: ReachedRoom, body: RoomUpdate) -> Room:
    """Change a room's name or description, archive it or bring it back."""
    new = (None if value is UNSET else value for value in (body.name, body.description, body.archived))
    await call.db.execute(queries.CHANGE, room.room_id, *new, call.now)
    changed = (await reach_room(call, room.room_id, READ_ROOM)).shown
    await call.record(_change("room.updated", room.shown, before=room.shown, after=changed))
    return changed


async def delete_room(call: Call, room: ReachedRoom) -> None:
    """Delete a room with everything in it."""
    await call.db.execute(queries.DELETE, room.room_id, call.now)
    await call.record(_change("room.deleted", room.shown, before=room.shown))


def _change(action: str, room: Room, *, before: Room | None = None, after: Room | None = None) -> Change:
    return Change(action, Target("room", room.room_id, room.name), room.organization_id, before, after)

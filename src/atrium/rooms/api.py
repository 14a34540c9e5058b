"""Rooms."""

from msgspec import UNSET, Struct, UnsetType

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Paging, given
from atrium.kit.text.types import Description, Name
from atrium.rooms import actions, reach
from atrium.rooms.model import ReachedRoom, Room, RoomType
from atrium.spaces.model import Space


class RoomList(Struct, frozen=True):
    """A page of rooms."""

    rooms: list[Room]
    next_cursor: str | None


class RoomCreate(Body):
    """A room to create."""

    name: Name
    room_type: RoomType = RoomType.CHAT
    description: Description = ""


class RoomUpdate(Body):
    """The fields of a room that can change. An archived room is read-only."""

    name: Name | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    archived: bool | UnsetType = UNSET


async def list_rooms(call: Call, space: Space, query: Paging) -> RoomList:
    """List the rooms of a space, oldest first."""
    return RoomList(*await reach.list_rooms(call, space, query))


async def create_room(call: Call, space: Space, body: RoomCreate) -> Room:
    """Create a room in a space. Its name must be unique in the space."""
    return await actions.create_room(
        call, space, name=body.name, description=body.description, room_type=body.room_type
    )


async def read_room(call: Call, room: ReachedRoom) -> Room:
    """Read a room."""
    return room.as_room


async def update_room(call: Call, room: ReachedRoom, body: RoomUpdate) -> Room:
    """Change a room's name or description, or archive or unarchive it. Names are unique in a space."""
    return await actions.update_room(
        call, room, name=given(body.name), description=given(body.description), archived=given(body.archived)
    )


async def delete_room(call: Call, room: ReachedRoom) -> None:
    """Delete a room and everything in it."""
    await actions.delete_room(call, room)

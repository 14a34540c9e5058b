"""Fetch rooms. The query of `reach_room` returns a room only if the caller has a role in its space."""

from uuid import UUID

import msgspec

from atrium.keys.caller import Call
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.permissions import Permission
from atrium.rooms import queries
from atrium.rooms.model import ReachedRoom, Room
from atrium.spaces.model import Space
from atrium.spaces.reach import require_space_role


class RoomNotFound(NotFound):
    """The room does not exist, or the caller cannot access it."""

    code = "room_not_found"
    title = "Room not found"


class RoomArchived(Conflict):
    """An archived room is read-only."""

    code = "room_archived"
    title = "The room is archived"


class RoomNameTaken(Conflict):
    """The space has another room with this name. Case, extra spaces and invisible characters make no difference.
    Archived rooms keep their names, deleted rooms free them."""

    code = "room_name_taken"
    title = "The space has a room with this name"


async def reach_room(call: Call, room_id: UUID, permission: Permission) -> ReachedRoom:
    """Return the room if the caller has the role that `permission` needs. Raise RoomNotFound, Forbidden."""
    found: str | None = await call.db.fetchval(queries.REACH, room_id, call.caller.actor_id, call.caller.kind)
    if found is None:
        raise RoomNotFound
    room = msgspec.json.decode(found, type=ReachedRoom)
    call.caller.require_not_barred(room.organization_id)
    require_space_role(room.role, permission)
    return room


def require_open(room: ReachedRoom) -> None:
    """Raise RoomArchived if the room is read-only."""
    if room.archived_at is not None:
        raise RoomArchived


async def list_rooms(call: Call, space: Space, paging: Paging) -> ListPage[Room]:
    """Return a page of the rooms of a space, oldest first."""
    rows = await call.db.fetch(queries.ROOMS, space.space_id, after(paging.cursor), paging.limit + 1)
    rooms = [msgspec.json.decode(row["room"], type=Room) for row in rows]
    page, cursor = paginate(rooms, paging.limit, lambda room: room.room_id)
    return list(page), cursor

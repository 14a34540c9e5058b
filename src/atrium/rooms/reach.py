"""Fetching a room is permitting: it comes only to an actor with a role in its space."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, OrganizationId, RoomId, SpaceId, Timestamp
from atrium.permissions import Permission, SpaceRole
from atrium.rooms import queries
from atrium.spaces.reach import require_space_role


class RoomNotFound(NotFound):
    """There is no such room, or the caller does not reach it."""

    code = "room_not_found"
    title = "There is no such room"


class RoomArchived(Conflict):
    """An archived room is read, not written to."""

    code = "room_archived"
    title = "The room is archived"


class RoomType(StrEnum):
    """What a room is for; subscriptions filter by it."""

    CHAT = "chat"
    POST = "post"
    VIDEO = "video"


class Room(Struct, frozen=True):
    """A room."""

    room_id: RoomId
    space_id: SpaceId
    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["general"])]
    description: str
    room_type: RoomType
    created_at: Annotated[Timestamp, Meta(description="no message is older; where a walk through history ends")]
    created_by: ActorId | None
    archived_at: Timestamp | None
    last_message_at: Timestamp | None


class ReachedRoom(Room, frozen=True):
    """A room that the caller reaches, with the caller's role in its space."""

    role: SpaceRole

    @property
    def shown(self) -> Room:
        """The room as it is answered."""
        return Room(*(getattr(self, name) for name in Room.__struct_fields__))


async def reach_room(call: Call, room_id: UUID, permission: Permission) -> ReachedRoom:
    """The room, for an actor with a role in its space. Raises RoomNotFound, Forbidden, RoomArchived."""
    row: Record | None = await call.db.fetchrow(queries.REACH, room_id, call.caller.actor_id, call.caller.kind)
    if row is None:
        raise RoomNotFound
    room = as_struct(row, ReachedRoom)
    require_space_role(room.role, permission)
    return room


def require_open(room: ReachedRoom) -> None:
    """Raises RoomArchived where nothing may be written any more."""
    if room.archived_at is not None:
        raise RoomArchived

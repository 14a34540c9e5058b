"""The types of rooms."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import ActorId, OrganizationId, RoomId, SpaceId, Timestamp
from atrium.permissions import SpaceRole


class RoomType(StrEnum):
    """The use of a room. Webhook subscriptions can filter by it."""

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
    created_at: Annotated[Timestamp, Meta(description="no message is older; paging through history ends here")]
    created_by: ActorId | None
    archived_at: Timestamp | None
    last_message_at: Timestamp | None


class ReachedRoom(Room, frozen=True):
    """A room that the caller can access, with the caller's role in its space."""

    role: SpaceRole

    @property
    def as_room(self) -> Room:
        """Return the room as the API shows it."""
        return Room(*(getattr(self, name) for name in Room.__struct_fields__))

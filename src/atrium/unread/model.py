"""The types of read markers and unread counts."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import MessageId, RoomId, SpaceId, Timestamp

MAX_COUNTED = 100
OWN_WITHIN = 500  # of the newest messages of a room, one of the person's own moves the marker


class ReadMarker(Struct, frozen=True):
    """How far a person has read in a room."""

    room_id: RoomId
    message_id: MessageId
    moved_at: Timestamp


class UnreadRoom(Struct, frozen=True):
    """A room with unread messages. Replies in threads count; own and deleted messages do not."""

    room_id: RoomId
    space_id: SpaceId
    unread_count: Annotated[int, Meta(ge=1, le=MAX_COUNTED)]
    capped: Annotated[bool, Meta(description="true when there are more than `unread_count`")]
    mention_count: Annotated[int, Meta(description="how many of the counted messages (the newest) mention the reader")]
    last_read_message_id: Annotated[
        MessageId | None, Meta(description="the read marker, or a later message of your own; null if there is neither")
    ]
    first_unread_message_id: MessageId
    last_message_id: MessageId

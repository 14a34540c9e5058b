"""The types of unread state."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.texts import MessageId, RoomId, SpaceId, Timestamp

MOST_COUNTED = 100
OWN_WITHIN = 500  # newest messages of a room among which one of the person's own moves the marker


class ReadMarker(Struct, frozen=True):
    """How far a person has read in a room."""

    room_id: RoomId
    message_id: MessageId
    moved_at: Timestamp


class UnreadRoom(Struct, frozen=True):
    """A room with something that its reader has not read. Replies in threads count, own and deleted messages do not."""

    room_id: RoomId
    space_id: SpaceId
    unread_count: Annotated[int, Meta(ge=1, le=MOST_COUNTED)]
    capped: Annotated[bool, Meta(description="true when there are more than `unread_count`")]
    mention_count: Annotated[int, Meta(description="how many of those counted (the newest) name the reader")]
    last_read_message_id: Annotated[
        MessageId | None, Meta(description="the read marker, or a message of one's own sent since; null before either")
    ]
    first_unread_message_id: MessageId
    last_message_id: MessageId

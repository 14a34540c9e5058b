"""The types of read markers, unread counts, threads and mentions."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import MessageId, RoomId, SpaceId, Timestamp
from atrium.messages.model import Message

MAX_COUNTED = 100
OWN_MESSAGE_SCAN = 500  # number of newest messages in which one of the person's own moves the marker
MAX_UNREAD_THREADS = 100  # on the first page of unread rooms
REPLIES_SHOWN = 3  # of each thread in the list of threads


class ReadMarker(Struct, frozen=True):
    """The last message that a person has read in a room."""

    room_id: RoomId
    message_id: MessageId
    moved_at: Timestamp


class ThreadReadMarker(Struct, frozen=True):
    """The last message that a person has read in a thread."""

    room_id: RoomId
    thread_root_id: MessageId
    message_id: MessageId
    moved_at: Timestamp


class UnreadRoom(Struct, frozen=True):
    """A room with unread top-level messages. Own and deleted messages do not count, replies count in their thread."""

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


class UnreadThread(Struct, frozen=True):
    """A thread with unread replies, for someone who wrote or was mentioned in it."""

    room_id: RoomId
    space_id: SpaceId
    thread_root_id: MessageId
    unread_count: Annotated[int, Meta(ge=1, le=MAX_COUNTED)]
    capped: Annotated[bool, Meta(description="true when there are more than `unread_count`")]
    mention_count: Annotated[int, Meta(description="how many of the counted replies (the newest) mention the reader")]
    last_read_message_id: Annotated[
        MessageId | None, Meta(description="the read marker, or a later reply of your own; null if there is neither")
    ]
    first_unread_message_id: MessageId
    last_reply_at: Timestamp


class FollowedThread(Struct, frozen=True):
    """A thread that the reader wrote or was mentioned in."""

    room_id: RoomId
    space_id: SpaceId
    root: Message
    replies: Annotated[list[Message], Meta(description=f"the newest, up to {REPLIES_SHOWN}, oldest first")]
    unread_count: Annotated[int, Meta(ge=0, le=MAX_COUNTED)]
    capped: bool
    mention_count: int
    last_read_message_id: MessageId | None
    first_unread_message_id: MessageId | None
    last_reply_at: Timestamp


class Mention(Struct, frozen=True):
    """A message that mentions the reader."""

    space_id: SpaceId
    message: Message

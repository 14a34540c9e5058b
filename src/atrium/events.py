"""The kinds of events. event_payloads.py has their payloads and descriptions.

SQL names a kind as a literal, in statements and in the database's triggers; tests/house/test_events.py compares these
with the kinds here.
"""

from enum import StrEnum


class LiveEventKind(StrEnum):
    """Values of `event` in `GET /v2/events`."""

    HELLO = "hello"
    RESET = "reset"
    MESSAGE_SENT = "message.sent"
    MESSAGE_EDITED = "message.edited"
    MESSAGE_DELETED = "message.deleted"
    REACTION_ADDED = "reaction.added"
    REACTION_REMOVED = "reaction.removed"
    BLOCK_CREATED = "block.created"
    BLOCK_UPDATED = "block.updated"
    BLOCK_DELETED = "block.deleted"
    ROOM_CREATED = "room.created"
    ROOM_UPDATED = "room.updated"
    ROOM_ARCHIVED = "room.archived"
    ROOM_DELETED = "room.deleted"
    SPACE_CREATED = "space.created"
    SPACE_UPDATED = "space.updated"
    SPACE_MEMBER_ADDED = "space_member.added"
    SPACE_MEMBER_UPDATED = "space_member.updated"
    SPACE_MEMBER_REMOVED = "space_member.removed"
    ACCESS_CHANGED = "access.changed"
    READ_MARKER_MOVED = "read_marker.moved"
    THREAD_READ_MARKER_MOVED = "thread_read_marker.moved"
    TYPING = "typing"
    KEY_CHANGED = "key.changed"


class WebhookEventKind(StrEnum):
    """Values of `event_type` in webhook deliveries."""

    MESSAGE_SENT = "message_sent"
    TRANSCRIPT_PUBLISHED = "room_recording_transcript_published"
    PING = "ping"


# After these, a stream reloads the caller's access before it sends more.
ACCESS_CHANGES = frozenset({LiveEventKind.ACCESS_CHANGED, LiveEventKind.KEY_CHANGED})
# Never sent to clients.
INTERNAL = frozenset({LiveEventKind.KEY_CHANGED})
# Not sent to a client that resumes.
TRANSIENT = frozenset({LiveEventKind.TYPING})
# Written by a stream itself, not stored.
STREAM_CONTROL = frozenset({LiveEventKind.HELLO, LiveEventKind.RESET})

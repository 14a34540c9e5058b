"""The kinds of events and who receives each. Their payloads, and what they mean, are in event_payloads.py.

SQL names a kind as a literal, in statements and in the database's triggers; tests/house/test_events.py compares these
with the kinds here. tests/live/test_audience.py publishes an event of each kind and checks that its audience alone
receives it.
"""

from enum import StrEnum
from typing import Self


class Audience(StrEnum):
    """Who receives an event, as the documentation says it."""

    CLIENT = "the client that connects"  # written by the stream itself, not stored
    SPACE = "everyone who can access the space"
    CONNECTED = "everyone who can access the space and is connected"  # not sent to a client that resumes
    ACTOR = "only you"
    AFFECTED = "those whose access may have changed"
    SERVER = "the server"  # never sent to clients
    ROOM_SUBSCRIBERS = "webhooks that subscribe to the room or its space"
    SPACE_SUBSCRIBERS = "webhooks that subscribe to the space"
    ORGANIZATION_SUBSCRIBERS = "webhooks that subscribe to the organization"
    TESTED = "the webhook that is tested"


class _EventKind(StrEnum):
    audience: Audience

    def __new__(cls, value: str, audience: Audience) -> Self:
        kind = str.__new__(cls, value)
        kind._value_, kind.audience = value, audience
        return kind


class LiveEventKind(_EventKind):
    """What `GET /v2/events` sends as `event`."""

    HELLO = "hello", Audience.CLIENT
    RESET = "reset", Audience.CLIENT
    MESSAGE_SENT = "message.sent", Audience.SPACE
    MESSAGE_EDITED = "message.edited", Audience.SPACE
    MESSAGE_DELETED = "message.deleted", Audience.SPACE
    REACTION_ADDED = "reaction.added", Audience.SPACE
    REACTION_REMOVED = "reaction.removed", Audience.SPACE
    BLOCK_CREATED = "block.created", Audience.SPACE
    BLOCK_UPDATED = "block.updated", Audience.SPACE
    BLOCK_DELETED = "block.deleted", Audience.SPACE
    ROOM_CREATED = "room.created", Audience.SPACE
    ROOM_UPDATED = "room.updated", Audience.SPACE
    ROOM_ARCHIVED = "room.archived", Audience.SPACE
    ROOM_DELETED = "room.deleted", Audience.SPACE
    SPACE_CREATED = "space.created", Audience.SPACE
    SPACE_UPDATED = "space.updated", Audience.SPACE
    SPACE_MEMBER_ADDED = "space_member.added", Audience.SPACE
    SPACE_MEMBER_UPDATED = "space_member.updated", Audience.SPACE
    SPACE_MEMBER_REMOVED = "space_member.removed", Audience.SPACE
    ACCESS_CHANGED = "access.changed", Audience.AFFECTED
    READ_MARKER_MOVED = "read_marker.moved", Audience.ACTOR
    THREAD_READ_MARKER_MOVED = "thread_read_marker.moved", Audience.ACTOR
    TYPING = "typing", Audience.CONNECTED
    KEY_CHANGED = "key.changed", Audience.SERVER


class WebhookEventKind(_EventKind):
    """What a webhook receives as `event_type`."""

    MESSAGE_SENT = "message_sent", Audience.ROOM_SUBSCRIBERS
    TRANSCRIPT_PUBLISHED = "room_recording_transcript_published", Audience.ROOM_SUBSCRIBERS
    MESSAGE_EDITED = "message_edited", Audience.ROOM_SUBSCRIBERS
    MESSAGE_DELETED = "message_deleted", Audience.ROOM_SUBSCRIBERS
    REACTION_ADDED = "reaction_added", Audience.ROOM_SUBSCRIBERS
    REACTION_REMOVED = "reaction_removed", Audience.ROOM_SUBSCRIBERS
    RECORDING_READY = "room_recording_ready", Audience.ROOM_SUBSCRIBERS
    ROOM_CREATED = "room_created", Audience.SPACE_SUBSCRIBERS
    ROOM_UPDATED = "room_updated", Audience.ROOM_SUBSCRIBERS
    ROOM_ARCHIVED = "room_archived", Audience.ROOM_SUBSCRIBERS
    ROOM_DELETED = "room_deleted", Audience.ROOM_SUBSCRIBERS
    SPACE_MEMBER_ADDED = "space_member_added", Audience.SPACE_SUBSCRIBERS
    SPACE_MEMBER_UPDATED = "space_member_updated", Audience.SPACE_SUBSCRIBERS
    SPACE_MEMBER_REMOVED = "space_member_removed", Audience.SPACE_SUBSCRIBERS
    PERSON_JOINED = "person_joined", Audience.ORGANIZATION_SUBSCRIBERS
    PERSON_DEACTIVATED = "person_deactivated", Audience.ORGANIZATION_SUBSCRIBERS
    PERSON_REACTIVATED = "person_reactivated", Audience.ORGANIZATION_SUBSCRIBERS
    PERSON_REMOVED = "person_removed", Audience.ORGANIZATION_SUBSCRIBERS
    AUDIT_ENTRY = "audit_entry", Audience.ORGANIZATION_SUBSCRIBERS
    PING = "ping", Audience.TESTED


def label_of(event_type: str) -> str:
    """Return a webhook event as mails name it: `Message sent`."""
    return next(kind.name for kind in WebhookEventKind if kind == event_type).replace("_", " ").capitalize()


def _live_events_for(*audiences: Audience) -> frozenset[LiveEventKind]:
    return frozenset(kind for kind in LiveEventKind if kind.audience in audiences)


# After these, a stream reloads the caller's access before it sends more.
ACCESS_CHANGES = _live_events_for(Audience.AFFECTED, Audience.SERVER)
# Sent to clients. The log has events for the server and for webhooks too.
PUBLIC = frozenset(LiveEventKind) - _live_events_for(Audience.SERVER)
# Not sent to a client that resumes.
TRANSIENT = _live_events_for(Audience.CONNECTED)

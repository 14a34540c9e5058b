"""The catalogue of events: the payload of each kind, for the OpenAPI document, TypeScript and the documentation."""

from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.blocks.reach import Block, BlockDeletion
from atrium.events import LiveEventKind as Live
from atrium.events import WebhookEventKind as Hook
from atrium.kit.text.types import ActorId, MessageId, OrganizationId, RoomId, SpaceId, Timestamp
from atrium.messages.model import Message
from atrium.organizations.audit_log.reach import Entry
from atrium.permissions import OrganizationRole, SpaceRole
from atrium.rooms.model import Room, RoomType
from atrium.spaces.model import SpaceDetails
from atrium.unread.model import ReadMarker, ThreadReadMarker
from atrium.webhooks.model import EventSubject


class StreamStart(Struct, frozen=True):
    """Empty. The event's id is the position at which the stream starts."""


class ReactionChange(Struct, frozen=True):
    """An emoji that an actor added or removed, and the message as it is now."""

    emoji: str
    user_id: ActorId
    message: Message


class RoomDeletion(Struct, frozen=True):
    """A room that was deleted."""

    room_id: RoomId
    space_id: SpaceId


class SpaceMemberChange(Struct, frozen=True):
    """The role that an actor was granted in a space; null when it was withdrawn."""

    space_id: SpaceId
    actor_id: ActorId
    granted: SpaceRole | None


class AccessChange(Struct, frozen=True):
    """An organization in which your access may have changed."""

    organization_id: OrganizationId


class Typing(Struct, frozen=True):
    """An actor who is typing in a room."""

    room_id: RoomId
    user_id: ActorId


IncludedMessage = Annotated[Message | UnsetType, Meta(description="the message, if the subscription includes it")]


class SentMessage(Struct, frozen=True):
    """A message that was sent. Read it for its content, or include it."""

    message_id: MessageId
    room_id: RoomId
    user_id: ActorId
    status: Annotated[str, Meta(examples=["SENT"])]
    created_at: Timestamp
    message: IncludedMessage = UNSET


class PublishedTranscript(Struct, frozen=True):
    """The first version of a recording's transcript. Read it for its content."""

    recording_id: UUID
    room_id: RoomId
    created_at: Timestamp


class EditedMessage(Struct, frozen=True):
    """A message whose text was changed. Read it for its content, or include it."""

    message_id: MessageId
    room_id: RoomId
    user_id: Annotated[ActorId, Meta(description="the sender")]
    status: Annotated[str, Meta(examples=["SENT"])]
    created_at: Timestamp
    edited_at: Timestamp
    message: IncludedMessage = UNSET


class DeletedMessage(Struct, frozen=True):
    """A message that was deleted. Its replies stay."""

    message_id: MessageId
    room_id: RoomId
    user_id: Annotated[ActorId, Meta(description="the sender")]
    status: Annotated[str, Meta(examples=["DELETED"])]
    created_at: Timestamp
    deleted_at: Timestamp


class MessageReaction(Struct, frozen=True):
    """An emoji that an actor added to a message or removed from it."""

    message_id: MessageId
    room_id: RoomId
    user_id: Annotated[ActorId, Meta(description="the actor who reacted")]
    emoji: str


class ReadyRecording(Struct, frozen=True):
    """A recording that can be played."""

    recording_id: UUID
    room_id: RoomId
    user_id: Annotated[ActorId, Meta(description="the actor who uploaded it")]
    created_at: Timestamp


class ChangedRoom(Struct, frozen=True):
    """A room, as it is after the change. Read it for its other fields."""

    room_id: RoomId
    space_id: SpaceId
    name: str
    room_type: RoomType


class ChangedPerson(Struct, frozen=True):
    """A person whose membership in the organization changed, and their role."""

    organization_id: OrganizationId
    person_id: ActorId
    role: OrganizationRole


class Ping(Struct, frozen=True):
    """The webhook being tested."""

    webhook_id: UUID
    name: str


class CataloguedEvent(NamedTuple):
    """A kind of event, its payload, and what it means."""

    kind: Live | Hook
    payload: type[Struct]
    meaning: str


LIVE = (
    CataloguedEvent(Live.HELLO, StreamStart, "the stream starts at the id of this event"),
    CataloguedEvent(Live.RESET, StreamStart, "the stream starts here; earlier events are not sent"),
    CataloguedEvent(Live.MESSAGE_SENT, Message, "the message as it is now"),
    CataloguedEvent(Live.MESSAGE_EDITED, Message, "the message as it is now"),
    CataloguedEvent(Live.MESSAGE_DELETED, Message, "the message's tombstone"),
    CataloguedEvent(Live.REACTION_ADDED, ReactionChange, "the emoji, the actor and the message"),
    CataloguedEvent(Live.REACTION_REMOVED, ReactionChange, "the emoji, the actor and the message"),
    CataloguedEvent(Live.BLOCK_CREATED, Block, "the block; restored child blocks have their own events"),
    CataloguedEvent(Live.BLOCK_UPDATED, Block, "the block, changed or moved"),
    CataloguedEvent(Live.BLOCK_DELETED, BlockDeletion, "the block, deleted with everything under it"),
    CataloguedEvent(Live.ROOM_CREATED, Room, "the room"),
    CataloguedEvent(Live.ROOM_UPDATED, Room, "the room"),
    CataloguedEvent(Live.ROOM_ARCHIVED, Room, "the room"),
    CataloguedEvent(Live.ROOM_DELETED, RoomDeletion, "the room's id and its space's"),
    CataloguedEvent(Live.SPACE_CREATED, SpaceDetails, "the space"),
    CataloguedEvent(Live.SPACE_UPDATED, SpaceDetails, "the space"),
    CataloguedEvent(Live.SPACE_MEMBER_ADDED, SpaceMemberChange, "the role that an actor was granted"),
    CataloguedEvent(Live.SPACE_MEMBER_UPDATED, SpaceMemberChange, "the role that an actor was granted"),
    CataloguedEvent(Live.SPACE_MEMBER_REMOVED, SpaceMemberChange, "the actor whose role was removed"),
    CataloguedEvent(Live.ACCESS_CHANGED, AccessChange, "your access may have changed; fetch your lists again"),
    CataloguedEvent(Live.READ_MARKER_MOVED, ReadMarker, "your own read marker, moved by you elsewhere"),
    CataloguedEvent(
        Live.THREAD_READ_MARKER_MOVED, ThreadReadMarker, "your own read marker of a thread, moved elsewhere"
    ),
    CataloguedEvent(Live.TYPING, Typing, "who is typing; not replayed"),
)
WEBHOOK = (
    CataloguedEvent(Hook.MESSAGE_SENT, SentMessage, "a message was sent"),
    CataloguedEvent(Hook.TRANSCRIPT_PUBLISHED, PublishedTranscript, "a recording has its first transcript"),
    CataloguedEvent(Hook.MESSAGE_EDITED, EditedMessage, "the text of a message was changed"),
    CataloguedEvent(Hook.MESSAGE_DELETED, DeletedMessage, "a message was deleted"),
    CataloguedEvent(Hook.REACTION_ADDED, MessageReaction, "an actor reacted to a message"),
    CataloguedEvent(Hook.REACTION_REMOVED, MessageReaction, "an actor removed a reaction"),
    CataloguedEvent(Hook.RECORDING_READY, ReadyRecording, "a recording was uploaded and can be played"),
    CataloguedEvent(Hook.ROOM_CREATED, ChangedRoom, "a room was created in the space"),
    CataloguedEvent(Hook.ROOM_UPDATED, ChangedRoom, "a room was renamed, described or restored from the archive"),
    CataloguedEvent(Hook.ROOM_ARCHIVED, ChangedRoom, "a room was archived"),
    CataloguedEvent(Hook.ROOM_DELETED, ChangedRoom, "a room was deleted"),
    CataloguedEvent(Hook.SPACE_MEMBER_ADDED, SpaceMemberChange, "an actor was added to the space"),
    CataloguedEvent(Hook.SPACE_MEMBER_UPDATED, SpaceMemberChange, "an actor's role in the space changed"),
    CataloguedEvent(Hook.SPACE_MEMBER_REMOVED, SpaceMemberChange, "an actor was removed from the space"),
    CataloguedEvent(Hook.PERSON_JOINED, ChangedPerson, "a person joined the organization"),
    CataloguedEvent(Hook.PERSON_DEACTIVATED, ChangedPerson, "a person was deactivated"),
    CataloguedEvent(Hook.PERSON_REACTIVATED, ChangedPerson, "a person was reactivated"),
    CataloguedEvent(Hook.PERSON_REMOVED, ChangedPerson, "a person was removed from the organization"),
    CataloguedEvent(Hook.AUDIT_ENTRY, Entry, "an entry was added to the audit log"),
    CataloguedEvent(Hook.PING, Ping, "an administrator tests the webhook"),
)


def live_events_table() -> str:
    """Return the live events as a Markdown table."""
    rows = (f"| `{each.kind}` | {_fields(each.payload)} | {each.kind.audience} | {each.meaning} |" for each in LIVE)
    return "\n".join(["| event | data | sent to | meaning |", "|---|---|---|---|", *rows])


def event_unions() -> dict[str, Any]:
    """Return the types LiveEvent and WebhookEvent of the OpenAPI document, each a union of structs."""
    return {
        "LiveEvent": reduce(or_, (_struct(each, "event", []) for each in LIVE)),
        "WebhookEvent": reduce(or_, map(webhook_struct, WEBHOOK)),
    }


@cache
def webhook_struct(event: CataloguedEvent) -> Any:
    """Return the struct of the body that webhooks receive."""
    return _struct(event, "event_type", [("subject", EventSubject), ("timestamp", Timestamp)])


def _struct(event: CataloguedEvent, tag_field: str, envelope: list[tuple[str, Any]]) -> Any:
    return msgspec.defstruct(
        _name(event),
        [*envelope, ("data", event.payload)],
        tag_field=tag_field,
        tag=str(event.kind),
        frozen=True,
        namespace={"__doc__": f"The event `{event.kind}`: {event.meaning}."},
    )


def _name(event: CataloguedEvent) -> str:
    prefix = "Live" if isinstance(event.kind, Live) else "Webhook"
    return prefix + "".join(part.capitalize() for part in event.kind.name.split("_"))


def _fields(payload: type[Struct]) -> str:
    names = payload.__struct_fields__
    return f"`{{{', '.join(names)}}}`" if len(names) <= 3 else f"`{payload.__name__}`"

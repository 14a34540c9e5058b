"""The types of the API's responses. Fields that a newer server adds are ignored; enumerations are plain strings."""

from datetime import UTC, datetime
from functools import total_ordering
from typing import Any, Self
from uuid import UUID

import msgspec
from msgspec import Struct


@total_ordering
class Position(Struct, frozen=True):
    """The position of a message in a room's history or in a thread, to continue from later.

    Store it with `str()` and read it with `parse`. Positions in one room sort in the order of its messages.
    """

    sent_at: datetime
    message_id: UUID

    def __str__(self) -> str:
        return f"{timestamp(self.sent_at)}/{self.message_id}"

    def __lt__(self, other: Self) -> bool:
        return self.message_id < other.message_id

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the position that `str()` wrote as `text`. Raise ValueError if it is not one."""
        sent_at, _, message_id = text.partition("/")
        at = datetime.fromisoformat(sent_at)
        return cls(at.replace(tzinfo=at.tzinfo or UTC), UUID(message_id))

    @property
    def cursor(self) -> dict[str, str]:
        """Return the query parameters that continue a list of messages from here."""
        return {"cursor_sent_at": timestamp(self.sent_at), "cursor_message_id": str(self.message_id)}


class Block(Struct, frozen=True):
    """A block of a message: `heading`, `paragraph`, `list`, `code` and so on."""

    type: str
    content: dict[str, Any] = {}


class Attachment(Struct, frozen=True):
    """A file attached to a message. `size` is in bytes; `width` and `height` are those of an image, in pixels."""

    attachment_id: UUID
    name: str
    media_type: str
    size: int
    width: int | None = None
    height: int | None = None

    @property
    def url(self) -> str:
        """Return the path of its content on the server."""
        return f"/v2/attachments/{self.attachment_id}/content"


class Reaction(Struct, frozen=True):
    """An emoji on a message, and the users who reacted with it."""

    emoji: str
    user_ids: list[UUID]


class Message(Struct, frozen=True):
    """A message. `status` is SENT or DELETED; a deleted one has no content."""

    message_id: UUID
    room_id: UUID
    user_id: UUID
    sender_type: str
    status: str
    text: str
    sent_at: datetime
    parent_id: UUID | None = None
    thread_root_id: UUID | None = None
    blocks: list[Block] = []
    mentions: list[UUID] = []
    attachments: list[Attachment] = []
    reactions: list[Reaction] = []
    reply_count: int = 0
    last_reply_at: datetime | None = None
    edited_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def position(self) -> Position:
        """Return its position, to store and continue from later."""
        return Position(self.sent_at, self.message_id)


class RoomPage(Struct, frozen=True):
    """One page of a room's history, newest first. `messages` are the JSON bytes that the server sent."""

    messages: list[msgspec.Raw]
    shard_has_more: bool
    next_partition_cursor: str
    next_cursor_sent_at: str | None = None
    next_cursor_message_id: str | None = None

    def decoded(self) -> list[Message]:
        """Return the decoded messages. Raise msgspec.DecodeError."""
        return [msgspec.json.decode(message, type=Message) for message in self.messages]

    def is_last(self, created_at: datetime) -> bool:
        """Return whether this is the last page of a room created then (docs/contract.md#room-messages, rule 4)."""
        return not self.shard_has_more and datetime.fromisoformat(self.next_partition_cursor) < created_at

    @property
    def within_window(self) -> dict[str, str]:
        """Return the query parameters of the next page in the same window (rule 2)."""
        sent_at, message_id = self.next_cursor_sent_at or "", self.next_cursor_message_id or ""
        return {"cursor_sent_at": sent_at, "cursor_message_id": message_id}

    @property
    def older_window(self) -> dict[str, str]:
        """Return the query parameters of the first page in the next older window (rule 3)."""
        return {"cursor_sent_at": self.next_partition_cursor}


class ThreadPage(Struct, frozen=True):
    """A page of a thread, oldest first."""

    messages: list[Message]
    has_more: bool


class RoomInfo(Struct, frozen=True):
    """A room."""

    room_id: UUID
    space_id: UUID
    organization_id: UUID
    name: str
    room_type: str
    created_at: datetime
    description: str = ""
    archived_at: datetime | None = None
    last_message_at: datetime | None = None


class Space(Struct, frozen=True):
    """A space. `role` is the caller's role in it."""

    space_id: UUID
    organization_id: UUID
    name: str
    visibility: str
    role: str
    description: str = ""


class Organization(Struct, frozen=True):
    """An organization of the caller. `role` is the caller's role in it."""

    organization_id: UUID
    name: str
    role: str


class Profile(Struct, frozen=True):
    """The person who owns a personal key."""

    person_id: UUID
    name: str
    created_at: datetime
    email: str | None = None


class Actor(Struct, frozen=True):
    """A person or an integration, including those who have left."""

    actor_id: UUID
    actor_type: str
    name: str


class Excerpt(Struct, frozen=True):
    """An excerpt of a search result. `highlights` are pairs of start and end (exclusive), in characters of `text`."""

    text: str
    highlights: list[tuple[int, int]] = []


class SearchResult(Struct, frozen=True):
    """A search result. `type` is `message` or `transcript`; fields that do not apply to it are None."""

    type: str
    score: int
    room_id: UUID
    room_name: str
    space_id: UUID
    space_name: str
    excerpt: Excerpt
    message_id: UUID | None = None
    thread_root_id: UUID | None = None
    user_id: UUID | None = None
    sender_name: str | None = None
    sent_at: datetime | None = None
    recording_id: UUID | None = None
    recording_name: str | None = None
    start: float | None = None


class Event(Struct, frozen=True):
    """A live event. Store `id` to resume from here. `data` is as the API sends it."""

    id: str
    kind: str
    data: dict[str, Any]

    @property
    def message(self) -> Message | None:
        """Return the message that the event is about, or None."""
        message = self.data if self.kind.startswith("message.") else self.data.get("message")
        return msgspec.convert(message, Message) if isinstance(message, dict) else None


def timestamp(at: datetime) -> str:
    """Return a time in the API's format. A time without a zone is read as UTC."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

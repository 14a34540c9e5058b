"""What the API answers, typed. Members that a newer server adds are left out; enumerations stay text."""

from datetime import UTC, datetime
from functools import total_ordering
from typing import Any, Self
from uuid import UUID

import msgspec
from msgspec import Struct


@total_ordering
class Position(Struct, frozen=True):
    """A place in a room's history or in a thread, to go on from: that of a message. `str()` to keep, `parse` to read.

    Positions of one room are ordered as its messages are.
    """

    sent_at: datetime
    message_id: UUID

    def __str__(self) -> str:
        return f"{timestamp(self.sent_at)}/{self.message_id}"

    def __lt__(self, other: Self) -> bool:
        return self.message_id < other.message_id

    @classmethod
    def parse(cls, text: str) -> Self:
        """The position that was kept as that text. Raises ValueError."""
        sent_at, _, message_id = text.partition("/")
        at = datetime.fromisoformat(sent_at)
        return cls(at.replace(tzinfo=at.tzinfo or UTC), UUID(message_id))

    @property
    def cursor(self) -> dict[str, str]:
        """As the two message lists take it."""
        return {"cursor_sent_at": timestamp(self.sent_at), "cursor_message_id": str(self.message_id)}


class Block(Struct, frozen=True):
    """A typed piece of a message: `heading`, `paragraph`, `list`, `code` and so on."""

    type: str
    content: dict[str, Any] = {}


class Attachment(Struct, frozen=True):
    """A file that goes with a message. `size` in bytes; `width` and `height` of an image, in pixels as it is shown."""

    attachment_id: UUID
    name: str
    media_type: str
    size: int
    width: int | None = None
    height: int | None = None

    @property
    def url(self) -> str:
        """Where its bytes are, a path on the server."""
        return f"/v2/attachments/{self.attachment_id}/content"


class Reaction(Struct, frozen=True):
    """An emoji on a message, and who put it there."""

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
        """Where it stands: what is kept to go on from here."""
        return Position(self.sent_at, self.message_id)


class RoomPage(Struct, frozen=True):
    """One answer of a walk through a room's history, newest first; its messages are the bytes that came."""

    messages: list[msgspec.Raw]
    shard_has_more: bool
    next_partition_cursor: str
    next_cursor_sent_at: str | None = None
    next_cursor_message_id: str | None = None

    def decoded(self) -> list[Message]:
        """The messages, typed. Raises msgspec.DecodeError."""
        return [msgspec.json.decode(each, type=Message) for each in self.messages]

    def is_last(self, created_at: datetime) -> bool:
        """Whether the walk ends here, in a room created then (docs/contract.md#room-messages, rule 4)."""
        return not self.shard_has_more and datetime.fromisoformat(self.next_partition_cursor) < created_at

    @property
    def within_window(self) -> dict[str, str]:
        """What goes on within the window (rule 2)."""
        sent_at, message_id = self.next_cursor_sent_at or "", self.next_cursor_message_id or ""
        return {"cursor_sent_at": sent_at, "cursor_message_id": message_id}

    @property
    def older_window(self) -> dict[str, str]:
        """What goes on with the next older window (rule 3)."""
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
    """A space; `role` is the caller's in it."""

    space_id: UUID
    organization_id: UUID
    name: str
    visibility: str
    role: str
    description: str = ""


class Organization(Struct, frozen=True):
    """An organization of the caller's, and his role in it."""

    organization_id: UUID
    name: str
    role: str


class Profile(Struct, frozen=True):
    """The person behind a personal key."""

    person_id: UUID
    name: str
    created_at: datetime
    email: str | None = None


class Actor(Struct, frozen=True):
    """A person or an integration, also one that left."""

    actor_id: UUID
    actor_type: str
    name: str


class Excerpt(Struct, frozen=True):
    """A piece of what was found; `highlights` are from and up to, in characters of `text`."""

    text: str
    highlights: list[tuple[int, int]] = []


class Found(Struct, frozen=True):
    """Something that was found: `type` is `message` or `transcript`, and other members are there as it has them."""

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
    """A live event. Keep `id` to go on from here. `data` is as the API gives it."""

    id: str
    kind: str
    data: dict[str, Any]

    @property
    def message(self) -> Message | None:
        """The message that it tells of; None where it tells of something else."""
        told = self.data if self.kind.startswith("message.") else self.data.get("message")
        return msgspec.convert(told, Message) if isinstance(told, dict) else None


def timestamp(at: datetime) -> str:
    """A time as the API writes it. One without a zone is taken as UTC."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""The output of the tools for an agent: names in addition to ids, positions as text."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import BaseModel, Field

from atrium.client import Message, RoomInfo, SearchResult
from atrium.client.model import timestamp


class RoomOutput(BaseModel):
    """A room that the person has access to."""

    room_id: str
    name: str
    room_type: str = Field(description="chat, post or video")
    description: str
    space: str
    organization: str
    organization_id: str
    archived: bool = Field(description="an archived room is read-only")


class Rooms(BaseModel):
    """The rooms that the person has access to."""

    rooms: list[RoomOutput]


class MessageOutput(BaseModel):
    """A message. `text` is Markdown."""

    message_id: str
    room_id: str
    sender: str
    sender_id: str
    sent_at: str
    text: str
    thread_root_id: str | None = Field(description="for a reply: the message whose thread it is in")
    reply_count: int = Field(description="number of replies; read them with read_thread")
    deleted: bool
    files: list[str] = Field(description="names of attached files")


class History(BaseModel):
    """A part of a room's history, oldest first."""

    messages: list[MessageOutput]
    older: str | None = Field(description="pass as `before` to read older messages; null at the start of the room")


class ThreadOutput(BaseModel):
    """A thread: its root message, then its replies, oldest first."""

    root: MessageOutput
    replies: list[MessageOutput]
    position: str | None = Field(description="pass as `after` to read only later replies")
    has_more: bool = Field(description="more replies exist; continue with `after`")


class ResultOutput(BaseModel):
    """A search result. For a transcript, `recording` and `start` (seconds) say where the passage is."""

    type: str = Field(description="message or transcript")
    room_id: str
    room: str
    space: str
    excerpt: str
    message_id: str | None
    thread_root_id: str | None = Field(description="for a reply: pass it to read_thread as root_id")
    sender: str | None
    sent_at: str | None
    recording: str | None
    start: float | None


class Results(BaseModel):
    """Search results, best first."""

    results: list[ResultOutput]


def room(info: RoomInfo, space: str, organization: str) -> RoomOutput:
    """Return a room with the names of its space and organization."""
    return RoomOutput(
        room_id=str(info.room_id),
        name=info.name,
        room_type=info.room_type,
        description=info.description,
        space=space,
        organization=organization,
        organization_id=str(info.organization_id),
        archived=info.archived_at is not None,
    )


def message(sent: Message, names: Mapping[UUID, str]) -> MessageOutput:
    """Return a message with its sender's name, and the text of its blocks if it has no text."""
    content = sent.text or "\n".join(str(block.content.get("text", "")) for block in sent.blocks).strip()
    return MessageOutput(
        message_id=str(sent.message_id),
        room_id=str(sent.room_id),
        sender=names.get(sent.user_id, "someone"),
        sender_id=str(sent.user_id),
        sent_at=timestamp(sent.sent_at),
        text=content,
        thread_root_id=_text(sent.thread_root_id),
        reply_count=sent.reply_count,
        deleted=sent.status == "DELETED",
        files=[file.name for file in sent.attachments],
    )


def result(found: SearchResult) -> ResultOutput:
    """Return a search result."""
    return ResultOutput(
        type=found.type,
        room_id=str(found.room_id),
        room=found.room_name,
        space=found.space_name,
        excerpt=found.excerpt.text,
        message_id=_text(found.message_id),
        thread_root_id=_text(found.thread_root_id),
        sender=found.sender_name,
        sent_at=timestamp(found.sent_at) if found.sent_at else None,
        recording=found.recording_name,
        start=found.start,
    )


def _text(given: UUID | None) -> str | None:
    return str(given) if given else None

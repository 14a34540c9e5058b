"""What the tools answer, as an agent reads it: names beside ids, positions as text."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import BaseModel, Field

from atrium.client import Found, Message, RoomInfo
from atrium.client.model import timestamp


class ShownRoom(BaseModel):
    """A room that the person reaches."""

    room_id: str
    name: str
    room_type: str = Field(description="chat, post or video")
    description: str
    space: str
    organization: str
    organization_id: str
    archived: bool = Field(description="an archived room can be read, not written to")


class Rooms(BaseModel):
    """The rooms that the person reaches."""

    rooms: list[ShownRoom]


class ShownMessage(BaseModel):
    """A message. `text` is Markdown."""

    message_id: str
    room_id: str
    sender: str
    sender_id: str
    sent_at: str
    text: str
    thread_root_id: str | None = Field(description="where it is a reply: the message whose thread it is in")
    reply_count: int = Field(description="replies under it; read_thread shows them")
    deleted: bool
    files: list[str] = Field(description="names of attached files")


class History(BaseModel):
    """A piece of a room's history, oldest first."""

    messages: list[ShownMessage]
    older: str | None = Field(description="pass as `before` to read what was before; null at the room's beginning")


class ShownThread(BaseModel):
    """A thread: the message it is about, then replies, oldest first."""

    root: ShownMessage
    replies: list[ShownMessage]
    position: str | None = Field(description="pass as `after` to read only what comes later")
    has_more: bool = Field(description="there are more replies already; read on with `after`")


class ShownResult(BaseModel):
    """Something that was found. Of a transcript, `recording` and `start` (seconds) say where it was said."""

    type: str = Field(description="message or transcript")
    room_id: str
    room: str
    space: str
    excerpt: str
    message_id: str | None
    thread_root_id: str | None = Field(description="where it is a reply: pass it to read_thread as root_id")
    sender: str | None
    sent_at: str | None
    recording: str | None
    start: float | None


class Results(BaseModel):
    """What was found, best first."""

    results: list[ShownResult]


def room(info: RoomInfo, space: str, organization: str) -> ShownRoom:
    """A room with the names of where it is."""
    return ShownRoom(
        room_id=str(info.room_id), name=info.name, room_type=info.room_type, description=info.description, space=space,
        organization=organization, organization_id=str(info.organization_id), archived=info.archived_at is not None,
    )  # fmt: skip


def message(each: Message, names: Mapping[UUID, str]) -> ShownMessage:
    """A message with its sender's name, and what its blocks say where it has no text."""
    said = each.text or "\n".join(str(block.content.get("text", "")) for block in each.blocks).strip()
    return ShownMessage(
        message_id=str(each.message_id), room_id=str(each.room_id), sender=names.get(each.user_id, "someone"),
        sender_id=str(each.user_id), sent_at=timestamp(each.sent_at), text=said,
        thread_root_id=_text(each.thread_root_id), reply_count=each.reply_count,
        deleted=each.status == "DELETED", files=[file.name for file in each.attachments],
    )  # fmt: skip


def result(found: Found) -> ShownResult:
    """Something found."""
    return ShownResult(
        type=found.type, room_id=str(found.room_id), room=found.room_name, space=found.space_name,
        excerpt=found.excerpt.text, message_id=_text(found.message_id), thread_root_id=_text(found.thread_root_id),
        sender=found.sender_name, sent_at=timestamp(found.sent_at) if found.sent_at else None,
        recording=found.recording_name, start=found.start,
    )  # fmt: skip


def _text(given: UUID | None) -> str | None:
    return str(given) if given else None

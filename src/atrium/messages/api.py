"""Messages and threads of a room."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType, field

from atrium.attachments.model import MAX_ATTACHMENTS
from atrium.blocks.model import TypedContent
from atrium.keys.caller import Call
from atrium.keys.tokens import checked_hash
from atrium.kit.http.request import Body, Request, decode_query, read_json
from atrium.kit.text.types import MessageId, MessageText, path_id
from atrium.messages import actions
from atrium.messages.batches import MessageBatches
from atrium.messages.limits import require_content
from atrium.messages.model import Message
from atrium.messages.reach import ReachedMessage
from atrium.messages.requests import (
    PageRequest,
    RoomPageQuery,
    ThreadPageQuery,
    ThreadPageRequest,
    prepare_send,
    read_cursor,
    read_thread_cursor,
)

Blocks = Annotated[list[TypedContent], Meta(max_length=100)]
AttachmentIds = Annotated[
    list[UUID],
    Meta(max_length=MAX_ATTACHMENTS, description="files that you uploaded to this room and have not sent"),
]


class MessageCreate(Body):
    """A message to send: a text, blocks, attachments, or any combination of them."""

    text: MessageText = ""
    blocks: Blocks = field(default_factory=list)
    attachments: AttachmentIds = field(default_factory=list)
    parent_id: Annotated[MessageId | None, Meta(description="the message to reply to, at any depth")] = None


class MessageUpdate(Body):
    """The fields of a message that can change."""

    text: MessageText | UnsetType = UNSET
    blocks: Blocks | UnsetType = UNSET


NEWEST, FIRST = RoomPageQuery(), ThreadPageQuery()


async def page_of_room(batches: MessageBatches, request: Request) -> bytes:
    """Read a room's messages, newest first, window by window.

    Without a cursor, you get the latest history window. While `shard_has_more` is true, pass `next_cursor_sent_at` and
    `next_cursor_message_id` back as `cursor_sent_at` and `cursor_message_id`. When it is false, pass
    `next_partition_cursor` as `cursor_sent_at` to continue with the next older window. Repeat until
    `next_partition_cursor` is older than the room's `created_at`.
    """
    key_hash = checked_hash(request.bearer)
    room_id = path_id(request.path_parameters["room_id"])
    query = decode_query(request.query_string, RoomPageQuery) if request.query_string else NEWEST
    cursor = read_cursor(query.cursor_sent_at, query.cursor_message_id)
    return await batches.page_of_room(
        PageRequest(key_hash, room_id, *cursor, query.limit, address=request.address), top_level=query.top_level
    )


async def page_of_thread(batches: MessageBatches, request: Request) -> bytes:
    """Read a thread's replies, oldest first, including nested replies but not the root.

    While `has_more` is true, pass `next_cursor_sent_at` and `next_cursor_message_id` back as `cursor_sent_at` and
    `cursor_message_id`. Keep the last page's cursor to read later replies.
    """
    key_hash = checked_hash(request.bearer)
    room_id = path_id(request.path_parameters["room_id"])
    root_id = path_id(request.path_parameters["parent_id"])
    query = decode_query(request.query_string, ThreadPageQuery) if request.query_string else FIRST
    after_id = read_thread_cursor(query.cursor_sent_at, query.cursor_message_id)
    return await batches.page_of_thread(
        ThreadPageRequest(key_hash, room_id, root_id, after_id, query.limit, request.address)
    )


async def send_message(batches: MessageBatches, request: Request) -> bytes:
    """Send a message to a room, or a reply to any message in it."""
    key_hash = checked_hash(request.bearer)
    room_id = path_id(request.path_parameters["room_id"])
    body = read_json(request, MessageCreate)
    require_content(body.text, body.blocks, body.attachments)
    message = prepare_send(
        key_hash,
        room_id,
        body.text,
        body.blocks,
        request,
        parent_id=body.parent_id,
        attachment_count=len(body.attachments),
    )
    return await batches.send(message, list(dict.fromkeys(body.attachments)))


async def read_message(call: Call, message: ReachedMessage) -> Message:
    """Read a message."""
    return message.message


async def update_message(call: Call, message: ReachedMessage, body: MessageUpdate) -> Message:
    """Edit a message of your own."""
    text = None if body.text is UNSET else body.text
    blocks = None if body.blocks is UNSET else body.blocks
    return await actions.edit_message(call, message, text, blocks)


async def delete_message(call: Call, message: ReachedMessage) -> None:
    """Delete a message. Its content is removed; a tombstone stays in its place."""
    await actions.delete_message(call, message)


async def put_reaction(call: Call, message: ReachedMessage, emoji: str) -> Message:
    """Add an emoji to a message. Nothing changes if you have already added it."""
    return await actions.add_reaction(call, message, emoji)


async def remove_reaction(call: Call, message: ReachedMessage, emoji: str) -> None:
    """Remove your emoji from a message. Nothing changes if it is not there."""
    await actions.remove_reaction(call, message, emoji)

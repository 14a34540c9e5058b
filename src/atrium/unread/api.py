"""Read markers, unread counts, and the threads and mentions of a person."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Paging
from atrium.kit.text.types import MessageId
from atrium.organizations.reach import Organization
from atrium.rooms.model import ReachedRoom
from atrium.unread import actions, reach
from atrium.unread.model import (
    MAX_UNREAD_THREADS,
    FollowedThread,
    Mention,
    ReadMarker,
    ThreadReadMarker,
    UnreadRoom,
    UnreadThread,
)


class ReadMarkerUpdate(Body):
    """The new position of the read marker."""

    message_id: Annotated[MessageId, Meta(description="the last message read; the messages after it are unread")]
    unread: Annotated[bool, Meta(description="true if this message is unread too")] = False


class UnreadRoomList(Struct, frozen=True):
    """A page of rooms with unread messages, and the unread threads."""

    rooms: list[UnreadRoom]
    threads: Annotated[
        list[UnreadThread],
        Meta(description=f"on the first page: up to {MAX_UNREAD_THREADS} in any room, newest reply first"),
    ]
    next_cursor: str | None


class ThreadList(Struct, frozen=True):
    """A page of threads."""

    threads: list[FollowedThread]
    next_cursor: str | None


class MentionList(Struct, frozen=True):
    """A page of mentions."""

    mentions: list[Mention]
    next_cursor: str | None


async def list_unread(call: Call, organization: Organization, query: Paging) -> UnreadRoomList:
    """List rooms with unread messages, and unread threads that you wrote in or were mentioned in.

    New members of a space start with everything read. Sending a message marks earlier messages in its room or thread as
    read.
    """
    rooms, next_cursor = await reach.list_unread(call, organization, query)
    threads = [] if query.cursor else await reach.list_unread_threads(call, organization)
    return UnreadRoomList(rooms, threads, next_cursor)


async def list_threads(call: Call, organization: Organization, query: Paging) -> ThreadList:
    """List the threads in which you wrote or were mentioned: those with unread replies first, then by newest reply."""
    return ThreadList(*await reach.list_threads(call, organization, query))


async def list_mentions(call: Call, organization: Organization, query: Paging) -> MentionList:
    """List the messages that mention you, newest first."""
    return MentionList(*await reach.list_mentions(call, organization, query))


async def put_read_marker(call: Call, room: ReachedRoom, body: ReadMarkerUpdate) -> ReadMarker:
    """Set how far you have read in a room, forward or back. Threads have markers of their own.

    Read markers belong to people: an organization key gets 403.
    """
    return await actions.move_read_marker(call, room, body.message_id, unread=body.unread)


async def put_thread_read_marker(
    call: Call, room: ReachedRoom, parent_id: MessageId, body: ReadMarkerUpdate
) -> ThreadReadMarker:
    """Set how far you have read in a thread, forward or back. `message_id` names its root or one of its replies.

    Read markers belong to people: an organization key gets 403.
    """
    return await actions.move_thread_marker(call, room, parent_id, body.message_id, unread=body.unread)

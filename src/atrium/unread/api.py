"""Read markers and unread counts."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Paging
from atrium.kit.http.route import raises
from atrium.kit.text.types import MessageId
from atrium.messages.reach import MessageNotFound
from atrium.organizations.reach import Organization
from atrium.rooms.model import ReachedRoom
from atrium.unread import actions, reach
from atrium.unread.model import ReadMarker, UnreadRoom


class ReadMarkerUpdate(Body):
    """How far you have read."""

    message_id: Annotated[MessageId, Meta(description="the last message read; the messages after it are unread")]


class UnreadRoomList(Struct, frozen=True):
    """A page of rooms with unread messages."""

    rooms: list[UnreadRoom]
    next_cursor: str | None


async def list_unread(call: Call, organization: Organization, query: Paging) -> UnreadRoomList:
    """List the rooms with unread messages that you can access. A new member of a space starts with nothing unread. When
    you send a message, the messages before it count as read."""
    return UnreadRoomList(*await reach.list_unread(call, organization, query))


@raises(MessageNotFound)
async def put_read_marker(call: Call, room: ReachedRoom, body: ReadMarkerUpdate) -> ReadMarker:
    """Set how far you have read in a room, forward or back."""
    return await actions.move_read_marker(call, room, body.message_id)

"""How far a person has read, and what is unread."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.events import LiveEventKind
from atrium.keys.caller import Call, require_person
from atrium.kit.clock import rfc3339
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_structs
from atrium.kit.texts import MessageId, RoomId, SpaceId, Timestamp
from atrium.kit.web import Body, Paging, raises
from atrium.live.actions import tell_own_streams
from atrium.messages.actions import MessageNotFound
from atrium.organizations.reach import Organization
from atrium.rooms.model import ReachedRoom
from atrium.unread import queries

MOST_COUNTED = 100
OWN_WITHIN = 500  # newest messages of a room among which one of the person's own moves the marker


class ReadMarkerUpdate(Body):
    """How far you have read."""

    message_id: Annotated[MessageId, Meta(description="the last message read; an earlier one than before makes unread")]


class ReadMarker(Struct, frozen=True):
    """How far a person has read in a room."""

    room_id: RoomId
    message_id: MessageId
    moved_at: Timestamp


class UnreadRoom(Struct, frozen=True):
    """A room with something that its reader has not read. Replies in threads count, own and deleted messages do not."""

    room_id: RoomId
    space_id: SpaceId
    unread_count: Annotated[int, Meta(ge=1, le=MOST_COUNTED)]
    capped: Annotated[bool, Meta(description="true when there are more than `unread_count`")]
    mention_count: Annotated[int, Meta(description="how many of those counted (the newest) name the reader")]
    last_read_message_id: Annotated[
        MessageId | None, Meta(description="the read marker, or a message of one's own sent since; null before either")
    ]
    first_unread_message_id: MessageId
    last_message_id: MessageId


class UnreadRoomList(Struct, frozen=True):
    """A page of rooms with something unread."""

    rooms: list[UnreadRoom]
    next_cursor: str | None


async def list_unread(call: Call, organization: Organization, query: Paging) -> UnreadRoomList:
    """List the rooms that you reach in which something is unread. Who comes to a space begins there with nothing
    unread; a message of your own means that you have read what was before it."""
    require_person(call.caller)
    rows = await call.db.fetch(
        queries.UNREAD, organization.organization_id, call.caller.actor_id, after(query.cursor), query.limit + 1,
        MOST_COUNTED, OWN_WITHIN,
    )  # fmt: skip
    page, cursor = cut(rows, query.limit, lambda row: row["room_id"])
    return UnreadRoomList(as_structs(page, UnreadRoom), cursor)


@raises(MessageNotFound)
async def put_read_marker(call: Call, room: ReachedRoom, body: ReadMarkerUpdate) -> ReadMarker:
    """Say how far you have read in a room, forward or back."""
    require_person(call.caller)
    if await call.db.fetchrow(queries.EXISTS, room.room_id, body.message_id) is None:
        raise MessageNotFound
    await call.db.execute(queries.MARK, room.room_id, call.caller.actor_id, body.message_id, call.now)
    marker = ReadMarker(room.room_id, body.message_id, rfc3339(call.now))
    await tell_own_streams(call, LiveEventKind.READ_MARKER_MOVED, room, marker)
    return marker

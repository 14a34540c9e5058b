"""`GET /v2/events`: what happens, as it happens."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.keys.tokens import checked_hash
from atrium.kit.answers import ServerSent
from atrium.kit.errors import Unavailable
from atrium.kit.web import Incoming, raises
from atrium.live import actions
from atrium.live.hub import TooManyStreams
from atrium.live.model import Wanted
from atrium.organizations.reach import OrganizationNotFound, reach_organization
from atrium.permissions import READ_ORGANIZATION, READ_ROOM
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import RoomArchived, RoomNotFound, reach_room, require_open


class Listen(Struct, kw_only=True):
    """What to listen to."""

    last_event_id: Annotated[
        str | None, Meta(description="the id of the last event you got, where you cannot send `Last-Event-ID`")
    ] = None
    organization_id: Annotated[UUID | None, Meta(description="only what happens in this organization")] = None
    room_id: Annotated[UUID | None, Meta(description="only what happens in this room")] = None


@raises(OrganizationNotFound, RoomNotFound, TooManyStreams, Unavailable)
async def listen(call: Call, request: Incoming, query: Listen) -> ServerSent[Wanted]:
    """Listen to what happens where you reach, as server-sent events.

    Each event has an `id`. After a cut, connect again with the last one in the header `Last-Event-ID` (a browser's
    EventSource does so by itself): you get what you missed, each event once, then what happens from there on. Where
    that cannot be, because the id is older than 24 hours or unknown, too much was missed, or the database has come back
    from a crash, you get `reset`: read anew what you show, and go on from there. Events of one room come in the order
    in which they happened.

    | event | data | meaning |
    |---|---|---|
    | `hello` | `{}` | the stream starts at the id of this event |
    | `reset` | `{}` | the stream starts here; earlier events are not sent |
    | `message.sent` | `Message` | the message as it is now |
    | `message.edited` | `Message` | the message as it is now |
    | `message.deleted` | `Message` | the message's tombstone |
    | `reaction.added` | `{emoji, user_id, message}` | the emoji, the actor and the message |
    | `reaction.removed` | `{emoji, user_id, message}` | the emoji, the actor and the message |
    | `room.created` | `Room` | the room |
    | `room.updated` | `Room` | the room |
    | `room.archived` | `Room` | the room |
    | `room.deleted` | `{room_id, space_id}` | the room's id and its space's |
    | `space.created` | `SpaceDetails` | the space |
    | `space.updated` | `SpaceDetails` | the space |
    | `space_member.added` | `{space_id, actor_id, granted}` | the role that an actor was granted |
    | `space_member.updated` | `{space_id, actor_id, granted}` | the role that an actor was granted |
    | `space_member.removed` | `{space_id, actor_id, granted}` | the actor whose role was withdrawn |
    | `access.changed` | `{organization_id}` | what you can access there may have changed; list it again |
    | `read_marker.moved` | `{room_id, message_id, moved_at}` | your own read marker, moved by you elsewhere |
    | `typing` | `{room_id, user_id}` | who is typing; not sent later |

    What you reach is looked at anew whenever it changes: nothing that happens in a space after you lost it is told.
    The stream ends when its key or session does. Every 15 seconds a line without an event keeps it open.
    """
    if query.organization_id is not None:
        await reach_organization(call, query.organization_id, READ_ORGANIZATION)
    if query.room_id is not None:
        await reach_room(call, query.room_id, READ_ROOM)
    last = request.headers.get(b"last-event-id", b"").decode("latin-1") or query.last_event_id
    return ServerSent(
        Wanted(checked_hash(request.bearer), call.caller.actor_id, query.organization_id, query.room_id, last)
    )


@raises(RoomArchived)
async def type_in_room(call: Call, room: ReachedRoom) -> None:
    """Tell who listens to the room that you are typing; repeat it every few seconds while you do."""
    require_open(room)
    await actions.tell_of_typing(call, room)

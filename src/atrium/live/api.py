"""`GET /v2/events`: events as they happen."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.keys.tokens import checked_hash
from atrium.kit.http.request import Request
from atrium.kit.http.responses import EventStreamResponse
from atrium.live import actions
from atrium.live.model import Subscription
from atrium.live.reach import find_organizations
from atrium.organizations.reach import reach_organization
from atrium.permissions import READ_ORGANIZATION, READ_ROOM
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import reach_room


class EventStreamQuery(Struct, kw_only=True):
    """The query parameters of an event stream."""

    last_event_id: Annotated[
        str | None, Meta(description="the id of the last event you received, if you cannot send `Last-Event-ID`")
    ] = None
    organization_id: Annotated[UUID | None, Meta(description="only events of this organization")] = None
    room_id: Annotated[UUID | None, Meta(description="only events of this room")] = None


async def listen(call: Call, request: Request, query: EventStreamQuery) -> EventStreamResponse[Subscription]:
    """Stream the events that you have access to, as server-sent events.

    Each event has an `id`. After a disconnect, connect again with the last one in the header `Last-Event-ID` (a
    browser's EventSource does so automatically): you get the events that you missed, each once, then new ones. If that
    is impossible, because the id is unknown or older than 24 hours, you missed too many events, or the database has
    recovered from a crash, you get `reset`: reload what you display and continue from there. Events of a room arrive in
    the order in which they happened.

    Changes of access apply immediately: you get no events of a space after you lost access to it. The stream closes
    when its key or session expires or is revoked. Every 15 seconds a line without an event keeps the connection open.
    """
    if query.organization_id is not None:
        await reach_organization(call, query.organization_id, READ_ORGANIZATION)
    if query.room_id is not None:
        await reach_room(call, query.room_id, READ_ROOM)
    last = request.headers.get(b"last-event-id", b"").decode("latin-1") or query.last_event_id
    return EventStreamResponse(
        Subscription(
            checked_hash(request.bearer),
            call.caller.actor_id,
            query.organization_id,
            query.room_id,
            last,
            call.address,
            await find_organizations(call),
        )
    )


async def type_in_room(call: Call, room: ReachedRoom) -> None:
    """Publish that you are typing in the room. Repeat it every few seconds while you do."""
    await actions.publish_typing(call, room)

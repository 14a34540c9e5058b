"""The names and texts to show for the ids in events, read from the server with the command's key, each name once."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.client import AsyncAtrium, AtriumError, Message, Space


class Subject(Struct, frozen=True):
    """What an event is about."""

    type: str = ""
    id: UUID | None = None


class Named(Struct, frozen=True):
    """The actor or the target of an audit entry."""

    name: str | None = None


class Data(Struct, frozen=True):
    """The fields to show; each type of event has some of them."""

    room_id: UUID | None = None
    message_id: UUID | None = None
    message: Message | None = None
    user_id: UUID | None = None
    actor_id: UUID | None = None
    person_id: UUID | None = None
    name: str | None = None
    emoji: str | None = None
    granted: str | None = None
    role: str | None = None
    action: str | None = None
    actor: Named = Named()
    target: Named = Named()


class Event(Struct, frozen=True):
    """The body of a delivery."""

    event_type: str = ""
    subject: Subject = Subject()
    data: Data = Data()


class SpaceResponse(Struct, frozen=True):
    """The response body that holds a space."""

    space: Space


class Described(Struct, frozen=True):
    """An event as a person reads it."""

    subject: str = ""
    actor: str = ""
    excerpt: str = ""


def decoded(body: bytes) -> Event:
    """Return the event in a body; an empty one if it has none, as in the log of what the caller may not read."""
    try:
        return msgspec.json.decode(body, type=Event)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Event()


class Names:
    """Names of rooms, spaces and actors. What cannot be read is shown by the end of its id."""

    def __init__(self, server: AsyncAtrium, organization: UUID) -> None:
        self._server, self._organization = server, organization
        self._known = dict[UUID, str]()

    async def describe(self, event: Event) -> Described:
        """Return the name of the subject and of the actor, and the text or what else there is to show."""
        data = event.data
        actor = data.actor.name or await self._actor(data.user_id or data.actor_id or data.person_id)
        shown = (data.emoji, data.granted or data.role, data.action, data.target.name)
        excerpt = " ".join(filter(None, shown)) or await self._text(data)
        return Described(data.name or await self._subject(event.subject), actor, excerpt)

    async def _subject(self, subject: Subject) -> str:
        if subject.id is not None and subject.type in READ:
            return await self._named(subject.id, partial(READ[subject.type], self._server, subject.id))
        return subject.type

    async def _actor(self, actor_id: UUID | None) -> str:
        if actor_id is None:
            return ""
        return await self._named(actor_id, partial(_actor_name, self._server, self._organization, actor_id))

    async def _named(self, its_id: UUID, read: Callable[[], Awaitable[str]]) -> str:
        if its_id not in self._known:
            try:
                self._known[its_id] = await read()
            except AtriumError:
                return f"…{str(its_id)[-8:]}"
        return self._known[its_id]

    async def _text(self, data: Data) -> str:
        """Return the text of a message, with the names that it mentions, or the names of its files."""
        message = data.message
        if message is None and data.message_id and data.room_id:
            with suppress(AtriumError):
                message = await self._server.room(data.room_id).message(data.message_id)
        if message is None:
            return ""
        text = message.text or ", ".join(each.name for each in message.attachments)
        for actor_id in message.mentions:
            text = text.replace(f"<@{actor_id}>", f"@{await self._actor(actor_id)}")
        return text


async def _room_name(server: AsyncAtrium, room_id: UUID) -> str:
    return (await server.room(room_id).read()).name


async def _space_name(server: AsyncAtrium, space_id: UUID) -> str:
    return (await server.request("GET", f"/v1/spaces/{space_id}", SpaceResponse)).space.name


async def _actor_name(server: AsyncAtrium, organization: UUID, actor_id: UUID) -> str:
    return "".join(each.name for each in await server.actors(organization, [actor_id]))


READ = {"room": _room_name, "space": _space_name}

"""The tools of an agent. They allow exactly what its person can do with the same key."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from typing import Annotated
from uuid import UUID

import anyio
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from atrium.client import AsyncAtrium, AtriumError, Message, Position
from atrium.mcp import output

RoomId = Annotated[str, Field(description="id of the room, from list_rooms or search")]
Limit = Annotated[int, Field(ge=1, le=200, description="maximum number of results")]
Before = Annotated[str | None, Field(description="`older` of the previous result, to read older messages")]
After = Annotated[str | None, Field(description="`position` of the previous result, to read only later replies")]
Wait = Annotated[int, Field(ge=0, le=60, description="seconds to wait for a reply if there is none yet")]
NAMES_PER_REQUEST = 100


class Tools:
    """The tools, with the client that they use."""

    def __init__(self, atrium: AsyncAtrium) -> None:
        self._atrium = atrium
        self._names: dict[UUID, str] = {}

    async def list_rooms(self) -> output.Rooms:
        """List the rooms you can read, with their spaces and organizations."""
        rooms = []
        async with tool_errors():
            async for organization in self._atrium.organizations():
                async for space in self._atrium.spaces(organization.organization_id):
                    async for room in self._atrium.rooms(space.space_id):
                        rooms.append(output.room(room, space.name, organization.name))
        return output.Rooms(rooms=rooms)

    async def read_history(self, room_id: RoomId, limit: Limit = 50, before: Before = None) -> output.History:
        """Read the newest messages of a room, or older ones with `before`, including replies in threads."""
        found: list[Message] = []
        async with tool_errors():
            room = self._atrium.room(room_id)
            async for message in room.messages(before=Position.parse(before) if before else None, page_size=limit):
                found.append(message)
                if len(found) == limit:
                    break
            messages = await self._shown(room_id, found[::-1])
        older = str(found[-1].position) if len(found) == limit else None
        return output.History(messages=messages, older=older)

    async def read_thread(
        self, room_id: RoomId, root_id: str, limit: Limit = 100, after: After = None, wait_seconds: Wait = 0
    ) -> output.ThreadOutput:
        """Read a thread: its root message (`root_id`) and the replies, oldest first.

        To follow it, pass the `position` of the previous result as `after`, and the seconds to wait for new replies.
        """
        async with tool_errors():
            thread = self._atrium.room(room_id).thread(root_id)
            root, at = await thread.root(), Position.parse(after) if after else None
            found = []
            async for message in thread.messages(after=at, page_size=min(limit + 1, 200)):
                found.append(message)
                if len(found) > limit:
                    break
            if not found and wait_seconds:
                found = await _wait(thread.messages(after=at, follow=True), wait_seconds)
            first, *replies = await self._shown(room_id, [root, *found[:limit]])
        position = str(found[:limit][-1].position) if found else after
        return output.ThreadOutput(root=first, replies=replies, position=position, has_more=len(found) > limit)

    async def search(
        self,
        query: Annotated[
            str, Field(description='words, "phrases", -left out, or; in:room from:name before:2026-11-21')
        ],
        limit: Limit = 20,
    ) -> output.Results:
        """Search all messages and transcripts of recordings that you can read, best first."""
        results = []
        async with tool_errors():
            async for organization in self._atrium.organizations():
                found = 0
                async for match in self._atrium.search(organization.organization_id, query):
                    results.append(output.result(match))
                    found += 1
                    if found == limit:
                        break
        return output.Results(results=results)

    async def send_message(
        self,
        room_id: RoomId,
        text: Annotated[str, Field(description="Markdown; <@id> names a person")],
        reply_to: Annotated[str | None, Field(description="id of the message to reply to, in its thread")] = None,
    ) -> output.MessageOutput:
        """Send a message to a room, or a reply to a message. Everyone in the room sees it, with your person's name."""
        async with tool_errors():
            sent = await self._atrium.room(room_id).send(text, parent_id=UUID(reply_to) if reply_to else None)
            return (await self._shown(room_id, [sent]))[0]

    async def _shown(self, room_id: str, messages: Iterable[Message]) -> list[output.MessageOutput]:
        """Return the messages with their senders' names, each of which is fetched once."""
        messages = list(messages)
        unknown = list({message.user_id for message in messages} - self._names.keys())
        if unknown:
            organization_id = (await self._atrium.room(room_id).read()).organization_id
            for start in range(0, len(unknown), NAMES_PER_REQUEST):
                actors = await self._atrium.actors(organization_id, unknown[start : start + NAMES_PER_REQUEST])
                self._names |= {actor.actor_id: actor.name for actor in actors}
        return [output.message(message, self._names) for message in messages]


async def _wait(messages: AsyncGenerator[Message], seconds: int) -> list[Message]:
    found = []
    with anyio.move_on_after(seconds):
        async with aclosing(messages) as coming:
            async for message in coming:
                found.append(message)
                break
    return found


@asynccontextmanager
async def tool_errors() -> AsyncIterator[None]:
    """Raise errors of the server and invalid ids as a ToolError with a readable text."""
    try:
        yield
    except AtriumError as error:
        raise ToolError(str(error)) from None
    except ValueError as error:
        raise ToolError(f"this is not an id or position: {error}") from None

"""Read, follow and send the messages of a room and its threads."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any
from urllib.parse import quote
from uuid import UUID

from atrium.client._async.connection import AsyncConnection
from atrium.client._async.incoming import AsyncIncomingWebhooks
from atrium.client.model import Event, Message, Position, RoomInfo, RoomPage, ThreadPage

PAGE = 200
STREAM_STARTED = ("hello", "reset")  # a stream starts: messages before it may be missing
Blocks = Sequence[Any]


class AsyncRoom:
    """A room. Creating it sends no request."""

    def __init__(self, connection: AsyncConnection, room_id: UUID) -> None:
        self._connection = connection
        self.room_id = room_id
        self._path = f"/v2/rooms/{room_id}"

    async def read(self) -> RoomInfo:
        """Return the room's name, type and so on."""
        return await self._connection.request("GET", self._path, RoomInfo)

    async def pages(
        self, *, before: Position | None = None, top_level: bool = False, page_size: int = PAGE
    ) -> AsyncGenerator[RoomPage]:
        """Yield the pages of the room's history, newest first (docs/contract.md#room-messages).

        The messages of a page are the JSON bytes that the server sent, to be stored unchanged.
        """
        room: RoomInfo | None = None
        query = before.cursor if before else {}
        params = {"limit": str(page_size)} | ({"top_level": "true"} if top_level else {})
        while True:
            page = await self._connection.request("GET", f"{self._path}/messages", RoomPage, query=query | params)
            yield page
            if page.shard_has_more:
                query = page.within_window
                continue
            room = room or await self.read()
            if page.is_last(room.created_at):
                return
            query = page.older_window

    def messages(
        self,
        *,
        before: Position | None = None,
        after: Position | None = None,
        follow: bool = False,
        top_level: bool = False,
        page_size: int = PAGE,
    ) -> AsyncGenerator[Message]:
        """Yield every message of the room once, across all history windows.

        - By default, newest first, back to the first message; `before` starts at an older message.
        - With `after`, oldest first: the messages after that one, up to now. With `follow` as well, then new messages
          as they are sent, without an end. `follow` alone yields only new messages.

        Store `message.position` of the last message that you processed to continue from there later. The client
        waits for a server that is temporarily unreachable (`Retries`). Raise APIError, Unreachable.
        """
        if before is not None and (after is not None or follow):
            raise ValueError("before reads back through history; it cannot be combined with after or follow")
        if follow:
            return self._follow(after, top_level, page_size)
        if after is not None:
            return self._newer(after, top_level, page_size)
        return self._older(before, top_level, page_size)

    def thread(self, root_id: UUID | str) -> "AsyncThread":
        """Return the thread of a top-level message, without a request."""
        return AsyncThread(self, self._connection, UUID(str(root_id)))

    def incoming_webhooks(self) -> AsyncIncomingWebhooks:
        """Return the room's incoming webhooks, without a request."""
        return AsyncIncomingWebhooks(self._connection, self.room_id)

    async def send(
        self,
        text: str = "",
        *,
        blocks: Blocks = (),
        parent_id: UUID | None = None,
        attachments: Sequence[UUID] = (),
        idempotency_key: str | None = None,
    ) -> Message:
        """Send a message, or reply to `parent_id`. It is sent once, however often the request is retried.

        Pass your own `idempotency_key` to be able to retry after your program restarts.
        """
        body: dict[str, Any] = {"text": text, "blocks": blocks, "attachments": attachments}
        body |= {"parent_id": parent_id} if parent_id else {}
        return await self._connection.create(f"{self._path}/messages", Message, body, idempotency_key)

    async def message(self, message_id: UUID) -> Message:
        """Return a message."""
        return await self._connection.request("GET", self._of(message_id), Message)

    async def edit(self, message_id: UUID, text: str) -> Message:
        """Change the text of one of your own messages."""
        return await self._connection.request("PATCH", self._of(message_id), Message, body={"text": text})

    async def delete(self, message_id: UUID) -> None:
        """Delete a message; its tombstone stays."""
        await self._connection.request("DELETE", self._of(message_id), type(None))

    async def react(self, message_id: UUID, emoji: str) -> Message:
        """React to a message with an emoji."""
        return await self._connection.request(
            "PUT", f"{self._of(message_id)}/reactions/{quote(emoji, safe='')}", Message
        )

    def events(self, *, last_event_id: str | None = None) -> AsyncGenerator[Event]:
        """Yield live events in the room; see `events` of the client."""
        return self._connection.listen({"room_id": self.room_id}, last_event_id)

    def _of(self, message_id: UUID) -> str:
        return f"{self._path}/messages/{message_id}"

    async def _older(self, before: Position | None, top_level: bool, page_size: int) -> AsyncGenerator[Message]:
        async for page in self.pages(before=before, top_level=top_level, page_size=page_size):
            for message in page.decoded():
                yield message

    async def _follow(self, after: Position | None, top_level: bool, page_size: int) -> AsyncGenerator[Message]:
        at = after if after is not None else await self._newest()  # before the stream, so that nothing is missed
        async with aclosing(self.events()) as events:
            async for event in events:
                if event.kind in STREAM_STARTED or _is_new(event, at):
                    async for message in self._newer(at, top_level, page_size):
                        at = message.position
                        yield message

    async def _newest(self) -> Position | None:
        async for page in self.pages(page_size=1):
            for message in page.decoded():
                return message.position
        return None

    async def _newer(self, after: Position | None, top_level: bool, page_size: int) -> AsyncGenerator[Message]:
        """Yield newer messages, oldest first. If there is more than one page, only the pages' start
        positions are in memory."""
        newest, starts = await self._find_pages(after, top_level, page_size)
        for start in reversed(starts):
            for message in reversed(await self._between(start, after, top_level, page_size)):
                after = message.position
                yield message
        if starts:
            newest = await self._between(None, after, top_level, page_size)
        for message in reversed(newest):
            yield message

    async def _find_pages(
        self, after: Position | None, top_level: bool, page_size: int
    ) -> tuple[list[Message], list[Position]]:
        """Return the newer messages of the newest page, newest first, and where the other pages of them begin."""
        newest, ends = list[Message](), list[Position]()
        async for page in self.pages(top_level=top_level, page_size=page_size):
            messages = page.decoded()
            newer = [message for message in messages if after is None or message.position > after]
            if newer:
                newest = newest or newer
                ends.append(newer[-1].position)
            if len(newer) < len(messages):
                break
        return newest, ends[:-1]

    async def _between(
        self, before: Position | None, after: Position | None, top_level: bool, page_size: int
    ) -> list[Message]:
        """Return the messages between two positions, newest first."""
        found = list[Message]()
        async for page in self.pages(before=before, top_level=top_level, page_size=page_size):
            messages = page.decoded()
            newer = [message for message in messages if after is None or message.position > after]
            found += newer
            if len(newer) < len(messages):
                break
        return found


class AsyncThread:
    """The replies under a top-level message."""

    def __init__(self, room: AsyncRoom, connection: AsyncConnection, root_id: UUID) -> None:
        self._room, self._connection = room, connection
        self.root_id = root_id
        self._path = f"/v2/rooms/{room.room_id}/threads/{root_id}/messages"

    async def root(self) -> Message:
        """Return the thread's root message, which is not among its replies."""
        return await self._room.message(self.root_id)

    async def messages(
        self, *, after: Position | None = None, follow: bool = False, page_size: int = PAGE
    ) -> AsyncGenerator[Message]:
        """Yield every reply once, including nested ones, oldest first.

        `after` starts after a reply; `follow` then yields new replies as they are sent.
        """
        at = after
        async for message in self._newer(at, page_size):
            at = message.position
            yield message
        if not follow:
            return
        async with aclosing(self._room.events()) as events:
            async for event in events:
                if event.kind in STREAM_STARTED or _is_new(event, at, self.root_id):
                    async for message in self._newer(at, page_size):
                        at = message.position
                        yield message

    async def send(self, text: str = "", *, blocks: Blocks = (), idempotency_key: str | None = None) -> Message:
        """Reply. The reply is sent once, however often the request is retried."""
        return await self._room.send(text, blocks=blocks, parent_id=self.root_id, idempotency_key=idempotency_key)

    async def _newer(self, after: Position | None, page_size: int) -> AsyncGenerator[Message]:
        while True:
            query = {"limit": str(page_size)} | (after.cursor if after else {})
            page = await self._connection.request("GET", self._path, ThreadPage, query=query)
            for message in page.messages:
                after = message.position
                yield message
            if not page.has_more:
                return


def _is_new(event: Event, at: Position | None, root_id: UUID | None = None) -> bool:
    """Return whether the event is a message after the position (in the thread, if given)."""
    message = event.message if event.kind == "message.sent" else None
    if message is None or (root_id is not None and message.thread_root_id != root_id):
        return False
    return at is None or message.position > at

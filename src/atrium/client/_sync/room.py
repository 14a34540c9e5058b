"""A room and its threads: histories to iterate over, and sending."""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import quote
from uuid import UUID

from atrium.client._sync.connection import Connection
from atrium.client._sync.incoming import IncomingWebhooks
from atrium.client.model import Event, Message, Position, RoomInfo, RoomPage, ThreadPage

PAGE = 200
BEGUN = ("hello", "reset")  # a stream begins: what came before is to be looked for
Blocks = Sequence[Any]


class Room:
    """A room, by its id; nothing is asked before something is wanted."""

    def __init__(self, connection: Connection, room_id: UUID) -> None:
        self._connection = connection
        self.room_id = room_id
        self._path = f"/v2/rooms/{room_id}"

    def read(self) -> RoomInfo:
        """The room's name, type and so on."""
        return self._connection.ask("GET", self._path, RoomInfo)

    def pages(
        self, *, before: Position | None = None, top_level: bool = False, page_size: int = PAGE
    ) -> Generator[RoomPage]:
        """The room's history, newest first, an answer of the server at a time: the contract's loop.

        The messages of a page are as they came, for whoever keeps them as they are.
        """
        room: RoomInfo | None = None
        query = before.cursor if before else {}
        also = {"limit": str(page_size)} | ({"top_level": "true"} if top_level else {})
        while True:
            page = self._connection.ask("GET", f"{self._path}/messages", RoomPage, query=query | also)
            yield page
            if page.shard_has_more:
                query = page.within_window
                continue
            room = room or self.read()
            if page.is_last(room.created_at):
                return
            query = page.older_window

    def messages(
        self, *, before: Position | None = None, after: Position | None = None, follow: bool = False,
        top_level: bool = False, page_size: int = PAGE,
    ) -> Generator[Message]:  # fmt: skip
        """Every message of the room once, across all history windows.

        - by default newest first, back to the room's beginning; `before` goes on behind a message.
        - with `after`, oldest first: what came after a message, up to now; with `follow` too, then whatever comes,
          without an end. `follow` alone begins with what comes from now on.

        Keep `message.position` of the last message that you are done with, to go on from there another time. A
        server that is away for a while is waited for (`Retries`). Raises Refused, Unreachable.
        """
        if before is not None and (after is not None or follow):
            raise ValueError("before goes back through history, after and follow go on with it")
        if follow:
            return self._followed(after, top_level, page_size)
        if after is not None:
            return self._newer(after, top_level, page_size)
        return self._older(before, top_level, page_size)

    def thread(self, root_id: UUID | str) -> "Thread":
        """The thread under a top-level message."""
        return Thread(self, self._connection, UUID(str(root_id)))

    def incoming_webhooks(self) -> IncomingWebhooks:
        """The URLs by which tools post to the room."""
        return IncomingWebhooks(self._connection, self.room_id)

    def send(
        self, text: str = "", *, blocks: Blocks = (), parent_id: UUID | None = None, attachments: Sequence[UUID] = (),
        idempotency_key: str | None = None,
    ) -> Message:  # fmt: skip
        """Send a message, once, however often it has to be tried. `parent_id`: the message to reply to.

        Pass an `idempotency_key` of your own to try again after a restart of your program.
        """
        body: dict[str, Any] = {"text": text, "blocks": blocks, "attachments": attachments}
        body |= {"parent_id": parent_id} if parent_id else {}
        return self._connection.create(f"{self._path}/messages", Message, body, idempotency_key)

    def message(self, message_id: UUID) -> Message:
        """One message."""
        return self._connection.ask("GET", self._of(message_id), Message)

    def edit(self, message_id: UUID, text: str) -> Message:
        """Change what a message of one's own says."""
        return self._connection.ask("PATCH", self._of(message_id), Message, body={"text": text})

    def delete(self, message_id: UUID) -> None:
        """Delete a message; its tombstone stays."""
        self._connection.ask("DELETE", self._of(message_id), type(None))

    def react(self, message_id: UUID, emoji: str) -> Message:
        """Put an emoji on a message."""
        return self._connection.ask("PUT", f"{self._of(message_id)}/reactions/{quote(emoji, safe='')}", Message)

    def events(self, *, last_event_id: str | None = None) -> Generator[Event]:
        """What happens in the room, as it happens; see `events` of the client."""
        return self._connection.listen({"room_id": self.room_id}, last_event_id)

    def _of(self, message_id: UUID) -> str:
        return f"{self._path}/messages/{message_id}"

    def _older(self, before: Position | None, top_level: bool, page_size: int) -> Generator[Message]:
        for page in self.pages(before=before, top_level=top_level, page_size=page_size):
            for message in page.decoded():
                yield message

    def _followed(self, after: Position | None, top_level: bool, page_size: int) -> Generator[Message]:
        at = after if after is not None else self._newest()  # first: nothing falls between it and the stream
        with closing(self.events()) as events:
            for event in events:
                if event.kind in BEGUN or _is_new(event, at):
                    for message in self._newer(at, top_level, page_size):
                        at = message.position
                        yield message

    def _newest(self) -> Position | None:
        for page in self.pages(page_size=1):
            for message in page.decoded():
                return message.position
        return None

    def _newer(self, after: Position | None, top_level: bool, page_size: int) -> Generator[Message]:
        """What is newer, oldest first. Of more than a page, the places are noted on the way back, not the messages."""
        newest, marks = self._survey(after, top_level, page_size)
        for mark in reversed(marks):
            for message in reversed(self._between(mark, after, top_level, page_size)):
                after = message.position
                yield message
        if marks:
            newest = self._between(None, after, top_level, page_size)
        for message in reversed(newest):
            yield message

    def _survey(self, after: Position | None, top_level: bool, page_size: int) -> tuple[list[Message], list[Position]]:
        """The newest page's messages that are newer, newest first; and where other pages of such messages begin."""
        newest, ends = list[Message](), list[Position]()
        for page in self.pages(top_level=top_level, page_size=page_size):
            messages = page.decoded()
            newer = [each for each in messages if after is None or each.position > after]
            if newer:
                newest = newest or newer
                ends.append(newer[-1].position)
            if len(newer) < len(messages):
                break
        return newest, ends[:-1]

    def _between(
        self, before: Position | None, after: Position | None, top_level: bool, page_size: int
    ) -> list[Message]:
        """What is older than the one and newer than the other, newest first."""
        found = list[Message]()
        for page in self.pages(before=before, top_level=top_level, page_size=page_size):
            messages = page.decoded()
            newer = [each for each in messages if after is None or each.position > after]
            found += newer
            if len(newer) < len(messages):
                break
        return found


class Thread:
    """The replies under a top-level message."""

    def __init__(self, room: Room, connection: Connection, root_id: UUID) -> None:
        self._room, self._connection = room, connection
        self.root_id = root_id
        self._path = f"/v2/rooms/{room.room_id}/threads/{root_id}/messages"

    def root(self) -> Message:
        """The message that the thread is about; it is not among its replies."""
        return self._room.message(self.root_id)

    def messages(
        self, *, after: Position | None = None, follow: bool = False, page_size: int = PAGE
    ) -> Generator[Message]:
        """Every reply once, nested ones too, oldest first; `after` goes on behind one, `follow` waits for more."""
        at = after
        for message in self._newer(at, page_size):
            at = message.position
            yield message
        if not follow:
            return
        with closing(self._room.events()) as events:
            for event in events:
                if event.kind in BEGUN or _is_new(event, at, self.root_id):
                    for message in self._newer(at, page_size):
                        at = message.position
                        yield message

    def send(self, text: str = "", *, blocks: Blocks = (), idempotency_key: str | None = None) -> Message:
        """Reply, once, however often it has to be tried."""
        return self._room.send(text, blocks=blocks, parent_id=self.root_id, idempotency_key=idempotency_key)

    def _newer(self, after: Position | None, page_size: int) -> Generator[Message]:
        while True:
            query = {"limit": str(page_size)} | (after.cursor if after else {})
            page = self._connection.ask("GET", self._path, ThreadPage, query=query)
            for message in page.messages:
                after = message.position
                yield message
            if not page.has_more:
                return


def _is_new(event: Event, at: Position | None, root_id: UUID | None = None) -> bool:
    """Whether the event tells of a message (of the thread) that is behind the position."""
    message = event.message if event.kind == "message.sent" else None
    if message is None or (root_id is not None and message.thread_root_id != root_id):
        return False
    return at is None or message.position > at

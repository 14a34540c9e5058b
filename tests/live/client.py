"""A minimal client of live events: a raw socket for each stream, and the events that it received."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from atrium.event_payloads import LIVE
from tests.conftest import Api

Json = dict[str, Any]
TIMEOUT = 30.0


@dataclass(frozen=True)
class ReceivedEvent:
    """An event that a stream received."""

    id: str
    kind: str
    data: Json


@dataclass
class Stream:
    """A stream of a test: its events, and the last id, as a browser would store it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int
    last_id: str = ""
    events: list[ReceivedEvent] = field(default_factory=list)
    ended: bool = False

    async def read_some(self) -> bool:
        """Read the next chunk. Returns whether there was one."""
        try:
            size = int(await self.reader.readline() or b"0", 16)
            text = (await self.reader.readexactly(size)).decode() if size else ""
            await self.reader.readexactly(2)
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            size = 0
        if not size:
            self.ended = True
            return False
        for block in text.split("\n\n"):
            self._take(block)
        return True

    def _take(self, block: str) -> None:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        self.last_id = fields.get("id", self.last_id)
        if "event" in fields:
            self.events.append(ReceivedEvent(self.last_id, fields["event"], json.loads(fields["data"])))

    async def until(self, kind: str, **having: Any) -> ReceivedEvent:
        """Return the next event of that kind with these members; earlier events stay in `events`."""
        seen = 0
        async with asyncio.timeout(TIMEOUT):
            while True:
                for event in self.events[seen:]:
                    if event.kind == kind and having.items() <= event.data.items():
                        return event
                seen = len(self.events)
                assert await self.read_some(), f"the stream ended before {kind}, after {self.kinds()}"

    async def until_ended(self) -> None:
        async with asyncio.timeout(TIMEOUT):
            while await self.read_some():
                pass

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def texts(self) -> list[str]:
        return [event.data["text"] for event in self.events if event.kind == "message.sent"]

    def close(self) -> None:
        self.writer.transport.abort()


async def listen(url: str, key: str, last_id: str | None = None, query: str = "") -> Stream:
    """Open a stream of the server at `url`, and wait for its first event if it was accepted."""
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port, limit=1 << 20)
    lines = [f"GET /v2/events{query} HTTP/1.1", f"Host: {at.netloc}"]
    lines.append(f"Cookie: atrium_session={key}" if key.startswith("atrs_") else f"Authorization: Bearer {key}")
    lines += [f"Last-Event-ID: {last_id}"] if last_id else []
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT)
    stream = Stream(reader, writer, int(head.split()[1]), last_id or "")
    if stream.status == 200:
        while not stream.events and await stream.read_some():
            pass
    return stream


@asynccontextmanager
async def streams(*opening: Awaitable[Stream]) -> AsyncIterator[list[Stream]]:
    """Open streams, and close them at the end."""
    open_streams = [await each for each in opening]
    try:
        yield open_streams
    finally:
        for each in open_streams:
            each.close()


class LocalStream:
    """A stream of an application in this process, with a clock of the test."""

    def __init__(self, app: Any, key: str, last_id: str | None = None) -> None:
        headers = [(b"authorization", f"Bearer {key}".encode())]
        headers += [(b"last-event-id", last_id.encode())] if last_id else []
        self.scope = {
            "type": "http",
            "method": "GET",
            "path": "/v2/events",
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 1),
        }
        self._gone = asyncio.Event()
        self._sent: asyncio.Queue[Json] = asyncio.Queue()
        self._task = asyncio.create_task(app(self.scope, self._receive, self._sent.put))
        self.text = ""

    async def _receive(self) -> Json:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def until(self, what: str) -> str:
        """Return everything received, as soon as it contains `what`."""
        async with asyncio.timeout(TIMEOUT):
            while what not in self.text:
                message = await self._sent.get()
                assert message["type"] == "http.response.start" or message.get("more_body"), f"ended: {self.text}"
                self.text += message.get("body", b"").decode()
        return self.text

    async def until_ended(self) -> None:
        async with asyncio.timeout(TIMEOUT):
            await self._task

    @property
    def last_id(self) -> str:
        return [line[4:] for line in self.text.splitlines() if line.startswith("id: ")][-1]

    async def close(self) -> None:
        self._gone.set()
        await self._task


Act = Callable[[], Any]
PAYLOADS = {str(each.kind): each.payload for each in LIVE}


def receive(api: Api, act: Act, kind: str, key: str | None = None, **having: Any) -> ReceivedEvent:
    """Return the event that `act` publishes on a stream; by default of the integration, which did not act itself."""

    async def run() -> ReceivedEvent:
        async with streams(listen(api.url, key or api.organization_key)) as [stream]:
            await asyncio.to_thread(act)
            return await stream.until(kind, **having)

    event = asyncio.run(run())
    payload = PAYLOADS[kind]
    assert event.data.keys() == set(payload.__struct_fields__)
    assert msgspec.json.decode(msgspec.json.encode(event.data), type=payload)
    return event

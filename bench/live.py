"""Measure live events: memory of an idle stream, and the delay of an event with many streams."""

import asyncio
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import httpx
import psutil

from atrium.keys.tokens import hash_of
from atrium.kit.clock import utc_now
from atrium.kit.postgres.database import SESSION
from atrium.messages.requests import NO_MENTIONS, SendRequest
from atrium.messages.sending import send_message
from bench.delays import percentile
from bench.environment import Database, running_server
from bench.load import BenchError

ROOMS, RATE = 20, 100  # each room in a space of its own; messages per second
ARRIVES_WITHIN = 60.0
SENT, ID = b"event: message.sent\ndata: ", len(b'{"message_id":"')


@dataclass(frozen=True)
class Amounts:
    """How much to measure."""

    streams: int
    seconds: int


QUICK, WHOLE = Amounts(streams=1000, seconds=5), Amounts(streams=1000, seconds=20)


@dataclass(frozen=True)
class LiveEnvironment:
    """A server, and rooms of private spaces, each with a key that can read it."""

    url: str
    database: Database
    rooms: Sequence[str]
    keys: Sequence[str]


@contextmanager
def live_environment(database: Database, workers: int) -> Iterator[LiveEnvironment]:
    """Start a server on a fresh database and create spaces, rooms and keys."""
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with ExitStack() as stack:
        url = stack.enter_context(running_server(database, workers=str(workers), streams_per_actor="10000"))
        headers = {"authorization": f"Bearer {database.personal_key}"}
        client = stack.enter_context(httpx.Client(base_url=url, headers=headers, timeout=30))
        organization = client.get("/v1/me/organizations").json()["organizations"][0]["organization_id"]
        made = [_room_with_key(client, f"/v1/organizations/{organization}", nr) for nr in range(ROOMS)]
        yield LiveEnvironment(url, database, [room for room, _ in made], [key for _, key in made])


def _room_with_key(client: httpx.Client, organization: str, nr: int) -> tuple[str, str]:
    space = {"content": {"name": f"Space {nr}", "visibility": "private"}}
    space_id = client.post(f"{organization}/spaces", json=space).json()["space"]["space_id"]
    room_id = client.post(f"/v2/spaces/{space_id}/rooms", json={"name": "room"}).json()["room_id"]
    reader = {"content": {"name": f"Reader {nr}", "spaces": [{"space_id": space_id, "role": "reader"}]}}
    return room_id, client.post(f"{organization}/api-keys", json=reader).json()["key"]


class Listener(asyncio.Protocol):
    """A stream that records when each message arrives."""

    def __init__(self, key: str) -> None:
        self._key, self._rest = key, b""
        self.began = asyncio.Event()
        self.arrivals: dict[str, float] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the events."""
        if isinstance(transport, asyncio.WriteTransport):
            head = f"GET /v2/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {self._key}\r\n\r\n"
            transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        """Record the messages that arrived."""
        now = time.monotonic()
        self.began.set()
        *blocks, self._rest = (self._rest + data).split(b"\n\n")
        for block in blocks:
            if (at := block.find(SENT)) >= 0:
                at += len(SENT) + ID
                self.arrivals[block[at : at + 36].decode()] = now


def measure(environment: LiveEnvironment, amounts: Amounts, progress: Callable[[str], None]) -> dict[str, Any]:
    """Return all figures of live events."""
    return asyncio.run(_measure(environment, amounts, progress))


def _same(listener: Listener) -> Listener:
    return listener


async def _measure(environment: LiveEnvironment, amounts: Amounts, progress: Callable[[str], None]) -> dict[str, Any]:
    before = _memory()
    progress(f"live events: {amounts.streams} streams")
    at, loop = urlsplit(environment.url), asyncio.get_running_loop()
    listeners = [Listener(environment.keys[nr % ROOMS]) for nr in range(amounts.streams)]
    connections = [
        await loop.create_connection(partial(_same, each), str(at.hostname), at.port or 0) for each in listeners
    ]
    for each in listeners:
        await asyncio.wait_for(each.began.wait(), ARRIVES_WITHIN)
    await asyncio.sleep(2.0)
    memory = (_memory() - before) / amounts.streams / 1024
    progress(f"live events: {RATE} messages a second")
    committed = await _send(environment, RATE * amounts.seconds)
    delays = await _delays(listeners, committed, amounts.streams // ROOMS)
    for transport, _ in connections:
        transport.abort()
    return {
        "streams": amounts.streams,
        "memory_kb_a_stream": round(memory, 1),
        "messages_a_second": RATE,
        "p50_ms": percentile(delays, 50),
        "p99_ms": percentile(delays, 99),
    }


def _memory() -> int:
    """Return the unshared memory of the server's processes in bytes."""
    [server] = [each for each in psutil.Process().children() if "serve" in each.cmdline()]
    return sum(int(each.memory_full_info().uss) for each in [server, *server.children(recursive=True)])


async def _send(environment: LiveEnvironment, count: int) -> dict[str, float]:
    """Send messages at an even rate with SEND and return when each was committed, by id."""
    db = await asyncpg.connect(environment.database.url, server_settings=SESSION)
    committed: dict[str, float] = {}
    key_hash, began = hash_of(environment.database.personal_key), time.monotonic()
    for nr in range(count):
        await asyncio.sleep(began + nr / RATE - time.monotonic())
        request = SendRequest(key_hash, UUID(environment.rooms[nr % ROOMS]), f"Message {nr}", "[]", NO_MENTIONS)
        result = await send_message(db, request, utc_now())
        committed[result.body[ID : ID + 36].decode()] = time.monotonic()
    await db.close()
    return committed


async def _delays(listeners: Sequence[Listener], committed: dict[str, float], of_each: int) -> list[float]:
    """Return the seconds from commit to each arrival. Raise BenchError if one is missing."""
    deadline = time.monotonic() + ARRIVES_WITHIN
    while sum(len(each.arrivals) for each in listeners) < len(committed) * of_each:
        if time.monotonic() > deadline:
            raise BenchError("events have not arrived")
        await asyncio.sleep(0.1)
    return [max(0.0, at - committed[sent]) for each in listeners for sent, at in each.arrivals.items()]

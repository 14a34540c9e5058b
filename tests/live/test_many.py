"""A thousand streams on two processes, one of which is killed: each receives each event of its rooms once, in order."""

import asyncio
import os
import resource
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psutil
import pytest

from atrium.kit.settings import Settings
from tests.conftest import Api, RunningServer, new_organization, running_server

SPACES, EACH, EVERYWHERE = 20, 49, 20  # streams per space, and of someone who reaches all spaces
BATCH_SIZE = 200  # streams that begin together
RATE, SECONDS = 100, 8
CONTENT = b"event: message.sent\ndata: "
TIMEOUT = 90.0


@pytest.fixture(autouse=True)
def open_files() -> Iterator[None]:
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


@dataclass(eq=False)
class Listener(asyncio.Protocol):
    """A minimal client that stores ids of messages and rooms, and resumes when disconnected."""

    url: str
    key: str
    last_id: str = ""
    received: list[tuple[str, str]] = field(default_factory=list)
    cuts: int = 0
    resets: int = 0
    began: asyncio.Event = field(default_factory=asyncio.Event)
    over: bool = False
    port: int = 0

    async def listen(self) -> None:
        at = urlsplit(self.url)
        while not self.over:
            self.rest, self.closed = b"", asyncio.Event()
            try:
                transport, _ = await asyncio.get_running_loop().create_connection(lambda: self, at.hostname, at.port)
            except OSError:
                await asyncio.sleep(0.2)
                continue
            self.port = transport.get_extra_info("sockname")[1]
            last = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
            head = f"GET /v2/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.key}\r\n{last}\r\n"
            transport.write(head.encode())
            try:
                await self.closed.wait()
            finally:
                transport.abort()

    def data_received(self, data: bytes) -> None:
        *blocks, self.rest = (self.rest + data).split(b"\n\n")
        for block in blocks:
            self._take(block)

    def _take(self, block: bytes) -> None:
        at = block.rfind(b"id: ", 0, block.find(b"\ndata: ") if b"\ndata: " in block else None)
        if at >= 0 and (at == 0 or block[at - 1 : at] == b"\n"):
            self.last_id = block[at + 4 :].partition(b"\n")[0].decode()
        if b"event: hello" in block:
            self.began.set()
        self.resets += b"event: reset" in block
        if (found := block.find(CONTENT)) >= 0:
            data = block[found + len(CONTENT) :]
            assert data.startswith(b'{"message_id":"'), data[:60]
            self.received.append((data[64:100].decode(), data[15:51].decode()))

    def connection_lost(self, _error: Exception | None) -> None:
        self.cuts += not self.over
        self.closed.set()


def create_spaces(api: Api) -> tuple[list[str], list[str]]:
    """Create private spaces with a room each, and an organization key for each."""
    rooms, keys = [], []
    for _ in range(SPACES):
        space = api.new_space("private")
        rooms.append(api.new_room(space)["room_id"])
        keys.append(api.new_integration([{"space_id": space, "role": "reader"}])["key"])
    return rooms, keys


async def send(api: Api, rooms: list[str], halfway: Any) -> dict[str, list[str]]:
    """Send messages at a constant rate, also while processes are killed. Return their ids by room."""
    sent: dict[str, list[str]] = {room: [] for room in rooms}
    headers = {"authorization": f"Bearer {api.personal_key}"}
    async with httpx.AsyncClient(base_url=api.url, headers=headers, timeout=20) as client:

        async def one(room: str) -> None:
            once = {"idempotency-key": uuid4().hex}
            while True:
                try:
                    answer = await client.post(f"/v2/rooms/{room}/messages", json={"text": "x"}, headers=once)
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
                    continue
                if answer.status_code == 201:
                    sent[room].append(answer.json()["message_id"])
                    return
                await asyncio.sleep(0.1)

        sending = []
        for nr in range(RATE * SECONDS):
            sending.append(asyncio.create_task(one(rooms[nr % len(rooms)])))
            await asyncio.sleep(1 / RATE)
            if nr == RATE * SECONDS // 2:
                halfway()
        await asyncio.gather(*sending)
    return {room: sorted(ids) for room, ids in sent.items()}


def kill_the_process_of(running: RunningServer, listener: Listener) -> None:
    """Kill the HTTP process at the other end of the stream with SIGKILL."""
    for child in psutil.Process(running.process.pid).children(recursive=True):
        if any(each.raddr and each.raddr.port == listener.port for each in child.net_connections("tcp")):
            os.kill(child.pid, signal.SIGKILL)
            return
    raise AssertionError("no process holds the stream")


async def receive_on_all(api: Api, running: RunningServer, *, kill: bool) -> list[Listener]:
    rooms, keys = await asyncio.to_thread(create_spaces, api)
    of_room = {room: [Listener(api.url, key) for _ in range(EACH)] for room, key in zip(rooms, keys, strict=True)}
    everywhere = [Listener(api.url, api.personal_key) for _ in range(EVERYWHERE)]
    listeners = [*everywhere, *(listener for some in of_room.values() for listener in some)]
    assert len(listeners) == 1000
    listening = []
    async with asyncio.timeout(TIMEOUT):
        for start in range(0, len(listeners), BATCH_SIZE):
            together = listeners[start : start + BATCH_SIZE]
            listening += [asyncio.create_task(listener.listen()) for listener in together]
            for listener in together:
                await listener.began.wait()
    sent = await send(api, rooms, lambda: kill_the_process_of(running, listeners[0]) if kill else None)
    whole = sum(map(len, sent.values()))
    async with asyncio.timeout(TIMEOUT):
        while any(len(listener.received) < whole for listener in everywhere) or any(
            len(listener.received) < len(sent[room]) for room, some in of_room.items() for listener in some
        ):
            await asyncio.sleep(0.1)
    await asyncio.sleep(1.0)  # duplicates would have arrived by now
    for task, listener in zip(listening, listeners, strict=True):
        listener.over = True
        task.cancel()
    for room, some in of_room.items():
        assert all(listener.received == [(room, each) for each in sent[room]] for listener in some)
    for listener in everywhere:
        assert len(listener.received) == whole
        assert {room: [each for at, each in listener.received if at == room] for room in rooms} == sent
    return listeners


@pytest.mark.contract("Live events 11")
@pytest.mark.parametrize("kill", [False, True], ids=["undisturbed", "across-a-killed-process"])
def test_a_thousand_streams_receive_each_event_once_and_in_order(settings: Settings, kill: bool) -> None:
    wide = settings.with_changes(workers=2, streams_per_actor=1000)
    with running_server(wide) as running:
        api = new_organization(settings, running.url)
        listeners = asyncio.run(receive_on_all(api, running, kill=kill))
        api.close()
    assert {listener.resets for listener in listeners} == {0}
    assert (sum(listener.cuts for listener in listeners) > 0) is kill

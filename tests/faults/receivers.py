"""Receivers on loopback in a thread: one that records every request, and hostile ones."""

import asyncio
import json
import socket
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias

METADATA = "http://169.254.169.254/latest/meta-data/"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ENDLESS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass(frozen=True)
class Request:
    """A request as it arrived."""

    headers: dict[str, str]
    body: bytes

    @property
    def delivery_id(self) -> str:
        return self.headers["X-Service-Delivery"]

    @property
    def message_id(self) -> str:
        found: str = json.loads(self.body)["data"]["message_id"]
        return found


Behaviour: TypeAlias = Callable[["Receiver", asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Receiver:
    """A receiver that behaves as given on every new connection. `events` is what it saw, in order, shared in a
    thread.
    """

    def __init__(self, name: str, behave: Behaviour, loop: asyncio.AbstractEventLoop, events: list[str]) -> None:
        self.name, self.behave, self.url = name, behave, ""
        self.requests: list[Request] = []
        self.connections = 0
        self.may_answer = asyncio.Event()
        self._loop, self.events = loop, events

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await self.behave(self, reader, writer)
        self.events.append(f"{self.name} ended")
        writer.close()

    async def take(self, reader: asyncio.StreamReader) -> None:
        """Read one request and record it."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
        self.requests.append(Request(headers, await reader.readexactly(int(headers["Content-Length"]))))
        self.events.append(f"{self.name} arrived")

    def release(self) -> None:
        """Let the waiting ones answer."""
        self._loop.call_soon_threadsafe(self.may_answer.set)

    @property
    def delivery_ids(self) -> list[str]:
        return [each.delivery_id for each in self.requests]


class Loopback:
    """A thread that runs receivers."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="receivers", daemon=True)
        self._servers: list[asyncio.Server] = []
        self.events: list[str] = []
        self._thread.start()

    def receiver(self, behave: Behaviour, name: str = "receiver", scheme: str = "http") -> Receiver:
        made = Receiver(name, behave, self._loop, self.events)
        server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(made.serve, "127.0.0.1", 0, backlog=500), self._loop
        ).result(10)
        self._servers.append(server)
        made.url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
        return made

    def end(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def loopback() -> Iterator[Loopback]:
    made = Loopback()
    try:
        yield made
    finally:
        made.end()


# Healthy behaviors.


async def respond_204(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await receiver.take(reader)
        writer.write(OK)


async def respond_when_released(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read the request, and answer only when allowed."""
    while True:
        await receiver.take(reader)
        await receiver.may_answer.wait()
        writer.write(OK)


async def accept_only(receiver: Receiver, _: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await receiver.may_answer.wait()


# Hostile behaviors.


async def never_respond(_: Receiver, reader: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    """Read everything, such as a TLS greeting, and never answer."""
    while await reader.read(65536):
        pass


async def drip_feed(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send the headers, and then a byte per second."""
    await receiver.take(reader)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        writer.write(b"x")
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                if not await reader.read(1):
                    return


def send_raw(answer: bytes, *, repeat: bytes = b"") -> Behaviour:
    """Send an answer and close, or continue until the client disconnects."""

    async def behave(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receiver.take(reader)
        writer.write(answer)
        while repeat:
            writer.write(repeat)
            await writer.drain()
            await asyncio.sleep(0)
        await writer.drain()

    return behave


async def resets(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reset the connection in the middle of the body."""
    await receiver.take(reader)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
    await writer.drain()
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.transport.abort()


def bomb() -> bytes:
    """Return 256 MiB of zeros as about 256 KiB of gzip."""
    packer, nothing = zlib.compressobj(9, wbits=31), bytes(1 << 20)
    return b"".join(packer.compress(nothing) for _ in range(256)) + packer.flush()


def gzip_bomb() -> Behaviour:
    packed = bomb()
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    return send_raw(head + packed)


def redirects(code: int, where: str) -> Behaviour:
    return send_raw(b"HTTP/1.1 %d Go\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (code, where.encode()))


def behaviours(trap: Receiver) -> dict[str, Behaviour]:
    """Return the hostile behaviors by name; `trap` accepts connections, so only the address rules keep clients away."""
    return {
        "drips": drip_feed,
        "stalls in TLS": never_respond,
        "never ends": send_raw(ENDLESS, repeat=b"10000\r\n" + b"x" * 65536 + b"\r\n"),
        "gzip bomb": gzip_bomb(),
        "204 with a body": send_raw(b"HTTP/1.1 204 No Content\r\n\r\nbody"),
        "truncated": send_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"),
        "no UTF-8": send_raw(b"HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\na\x00\xff\xfe\x00\xc3(b\xf0"),
        "huge headers": send_raw(b"HTTP/1.1 200 OK\r\n", repeat=b"A: " + b"x" * 8000 + b"\r\n"),
        "resets": resets,
        "redirects 301": redirects(301, METADATA),
        "redirects 302": redirects(302, METADATA),
        "redirects 307": redirects(307, METADATA),
        "redirects here": redirects(308, trap.url),
    }


def hostile_receivers(here: Loopback, trap: Receiver, count: int) -> list[Receiver]:
    """Return `count` receivers of all hostile kinds in turn, named for their behavior."""
    kinds = list(behaviours(trap).items())
    chosen = [kinds[number % len(kinds)] for number in range(count)]
    return [here.receiver(behave, kind, "https" if kind == "stalls in TLS" else "http") for kind, behave in chosen]

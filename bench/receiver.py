"""`python -m bench.receiver`: a receiver that costs as little as possible, in a process of its own.

It answers every POST with 200 and counts them; on a second port it accepts connections and never answers. It prints
both ports as JSON. GET /reset starts counting again, GET /record also records when each delivery arrives, and
GET /state returns `{count, last, arrivals}`: times in seconds since 1970, arrivals by X-Service-Delivery.
"""

import asyncio
import json
import re
import time
from dataclasses import dataclass, field
from typing import cast

import uvloop

DONE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
DELIVERY = re.compile(rb"\r\nx-service-delivery: *(\S+)", re.IGNORECASE)


@dataclass
class Received:
    """The deliveries since the last reset."""

    count: int = 0
    last: float = 0.0
    arrivals: dict[str, float] = field(default_factory=dict)
    recording: bool = False

    def take(self, head: bytes) -> bytes:
        """Return the answer to a request with this head."""
        if not head.startswith(b"GET "):
            self.count, self.last = self.count + 1, time.time()
            if self.recording and (found := DELIVERY.search(head)):
                self.arrivals.setdefault(found[1].decode(), self.last)
            return DONE
        if not head.startswith(b"GET /state"):
            self.count, self.arrivals, self.recording = 0, {}, head.startswith(b"GET /record")
            return DONE
        body = json.dumps({"count": self.count, "last": self.last, "arrivals": self.arrivals}).encode()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


class Quick(asyncio.Protocol):
    """An HTTP/1.1 server with keep-alive, as far as the benchmark needs it."""

    def __init__(self, received: Received) -> None:
        self._received, self._buffer = received, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where answers go."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer all complete requests."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end]
            length = LENGTH.search(head)
            total = end + 4 + (int(length[1]) if length else 0)
            if len(self._buffer) < total:
                return
            self._buffer = self._buffer[total:]
            self._transport.write(self._received.take(head))


async def main() -> None:
    """Receive until killed."""
    loop, received = asyncio.get_running_loop(), Received()
    quick = await loop.create_server(lambda: Quick(received), "127.0.0.1", 0, backlog=4096)
    hanging = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0, backlog=4096)
    ports = [server.sockets[0].getsockname()[1] for server in (quick, hanging)]
    print(json.dumps(dict(zip(("quick", "hanging"), ports, strict=True))), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main())

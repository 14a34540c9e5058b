"""`python -m bench.receiver`: a receiver in a process of its own that costs as little as a receiver can.

It answers 200 to every POST at once, and counts them; on a second port it takes connections and never answers. Prints
both ports as JSON. GET /reset forgets what came, GET /record forgets it and from then on keeps when each delivery came,
GET /state answers `{count, last, arrivals}`: times in seconds since 1970, arrivals by X-Service-Delivery.
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
class Came:
    """What came since it was last forgotten."""

    count: int = 0
    last: float = 0.0
    arrivals: dict[str, float] = field(default_factory=dict)
    recording: bool = False

    def take(self, head: bytes) -> bytes:
        """The answer to a request with this head."""
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
    """HTTP/1.1 with connections kept open, as far as the benchmark needs it."""

    def __init__(self, came: Came) -> None:
        self._came, self._buffer = came, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where answers go."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer whatever requests are whole."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end]
            length = LENGTH.search(head)
            whole = end + 4 + (int(length[1]) if length else 0)
            if len(self._buffer) < whole:
                return
            self._buffer = self._buffer[whole:]
            self._transport.write(self._came.take(head))


async def main() -> None:
    """Receive until killed."""
    loop, came = asyncio.get_running_loop(), Came()
    quick = await loop.create_server(lambda: Quick(came), "127.0.0.1", 0, backlog=4096)
    hanging = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0, backlog=4096)
    ports = [server.sockets[0].getsockname()[1] for server in (quick, hanging)]
    print(json.dumps(dict(zip(("quick", "hanging"), ports, strict=True))), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main())

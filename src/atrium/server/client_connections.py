"""Close idle connections of an HTTP process before there are too many.

The HTTP server closes a connection that has not sent a complete head after half a minute. Until then it occupies a
slot, and a few hundred clients could occupy all of them. So the idle connections of an address are limited, and those
of all addresses together; above the limit, those that have been idle longest are shut down. A connection with a request
in progress, such as an upload or a stream of live events, is never idle.

The sockets belong to the HTTP server and are found among the open files of the process, which only Linux lists; on
other systems nothing is shut down.
"""

import array
import asyncio
import fcntl
import os
import socket
import stat
import struct
import termios
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import structlog

from atrium.kit.http.peer import Networks, client_network, is_in
from atrium.kit.http.request_context import RequestContext

log = structlog.get_logger()
FILES = Path("/proc/self/fd")
CHECK_INTERVAL, MAX_DELAY = 0.5, 2.0  # seconds; a busy machine is late too
MAX_IDLE = 512
GRACE_PERIOD_MS = 10_000  # milliseconds; the last bytes may be a request that waits in a busy process
# From `struct tcp_info`: last_data_sent, last_data_recv and last_ack_recv, in milliseconds ago, and bytes_received.
TCP_FACTS = struct.Struct("=44xI4xII68xQ")


class IdleConnection(NamedTuple):
    """A connection without a request in progress. `inode` stays its own, `descriptor` only while it is open."""

    descriptor: int
    inode: int
    address: str
    idle_ms: int
    received: int


def excess_connections(
    idle: Collection[IdleConnection], per_address: int, max_idle: int, proxies: Networks
) -> Sequence[IdleConnection]:
    """Return the connections to close: those that have been idle for longest.

    A trusted proxy forwards the requests of excess clients, so only the total limit applies to it.
    """
    remaining: Counter[str] = Counter()
    excess = []
    for each in sorted(idle, key=attrgetter("idle_ms")):
        network = client_network(each.address, None)
        is_limited = remaining[network] >= per_address and not is_in(each.address, proxies)
        if is_limited or remaining.total() >= max_idle:
            excess.append(each)
        else:
            remaining[network] += 1
    return excess


class ClientConnections:
    """The connections on `port`, and which of them have a request in progress."""

    def __init__(self, port: int, per_address: int, proxies: Networks) -> None:
        self._port, self._per_address, self._proxies = port, per_address, proxies
        self._busy: dict[tuple[str, int], RequestContext] = {}
        self._candidates: dict[int, int] = {}
        self._is_shown = FILES.exists()

    def begin(self, request: RequestContext) -> None:
        """Mark the connection of a request as busy."""
        if request.client:
            self._busy[request.client] = request

    def end(self, request: RequestContext) -> None:
        """Mark the connection as idle again, unless it has the next request already."""
        if request.client and self._busy.get(request.client) is request:
            del self._busy[request.client]

    async def run(self) -> None:
        """Close excess connections until canceled."""
        loop = asyncio.get_running_loop()
        while self._is_shown:
            due = loop.time() + CHECK_INTERVAL
            await asyncio.sleep(CHECK_INTERVAL)
            if loop.time() > due + MAX_DELAY:  # the process was stopped: it has not read what arrived meanwhile
                self._candidates = {}
            else:
                self._check()

    def _check(self) -> None:
        """Close connections that were in excess at the last check too, and have sent nothing since."""
        with os.scandir(FILES) as entries:
            files = [int(each.name) for each in entries]
        busy = [port for (_, port), request in self._busy.items() if not request.awaits_body]
        if len(files) - len(busy) <= min(self._per_address, MAX_IDLE):
            self._candidates = {}
            return
        excess = excess_connections(self._idle(files, set(busy)), self._per_address, MAX_IDLE, self._proxies)
        closed = [each for each in excess if self._candidates.get(each.inode) == each.received and _shut_down(each)]
        self._candidates = {each.inode: each.received for each in excess}
        if closed:
            log.warning(
                "excess idle connections were closed",
                closed=len(closed),
                addresses=len({each.address for each in closed}),
            )

    def _idle(self, files: Sequence[int], busy: Set[int]) -> Collection[IdleConnection]:
        """Return the idle connections, without those of `busy` ports. Only a port can be written in just one way."""
        found = []
        for descriptor in files:
            with suppress(OSError, struct.error), _connection(descriptor) as (sock, inode):
                if sock.family not in (socket.AF_INET, socket.AF_INET6) or sock.getsockname()[1] != self._port:
                    continue
                address, port = sock.getpeername()[:2]
                facts = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_FACTS.size)
                sent, read, acknowledged, received = TCP_FACTS.unpack(facts)
                idle_ms, is_unanswered = min(sent, read, acknowledged), received and read <= sent
                is_idle = port not in busy and not _unread(sock)
                if is_idle and (idle_ms >= GRACE_PERIOD_MS or not is_unanswered):
                    found.append(IdleConnection(descriptor, inode, address, idle_ms, received))
        return found


@contextmanager
def _connection(descriptor: int) -> Iterator[tuple[socket.socket, int]]:
    """Yield the socket of an open file. It has its own descriptor, because the HTTP server may close the other one."""
    own = os.dup(descriptor)
    try:
        status = os.fstat(own)
        if not stat.S_ISSOCK(status.st_mode):
            raise OSError
        sock = socket.socket(fileno=own)
    except OSError:
        os.close(own)
        raise
    with sock:
        yield sock, status.st_ino


def _unread(sock: socket.socket) -> int:
    """Return the number of received bytes that the HTTP server has not read yet."""
    count = array.array("i", [0])
    fcntl.ioctl(sock, termios.FIONREAD, count)
    return count[0]


def _shut_down(idle: IdleConnection) -> bool:
    with suppress(OSError), _connection(idle.descriptor) as (sock, inode):
        if inode == idle.inode:
            sock.shutdown(socket.SHUT_RDWR)
            return True
    return False

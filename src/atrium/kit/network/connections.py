"""Connections to receivers: idle ones for the next requests to the same place, and new ones to allowed addresses."""

import asyncio
import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from aiohappyeyeballs import start_connection
from yarl import URL

from atrium.kit.network.addresses import AddressRules, ForbiddenAddress, is_literal
from atrium.kit.network.receiver_connection import ReceiverConnection
from atrium.kit.network.timing import Stage, Stopwatch
from atrium.kit.postgres.database import is_out_of_room

Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
SocketAddress: TypeAlias = tuple[int, int, int, str, tuple[Any, ...]]
Key: TypeAlias = tuple[str, str | None, int | None, ssl.SSLContext | None]
NEXT_ADDRESS_AFTER = 0.25  # seconds, as RFC 8305 recommends
IDLE_SECONDS = 15.0


async def system_resolve(host: str, port: int) -> list[str]:
    """Return all IP addresses of a name, from the resolver of this machine. Raise OSError if there are none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # an invalid label
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from error
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@functools.cache
def verifying() -> ssl.SSLContext:
    """Return the context of connections without a client certificate, which verify that of the receiver."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class Dialer:
    """Opens connections to addresses that `rules` allow: it resolves a name, checks all its addresses, and connects to
    one of them."""

    def __init__(self, rules: AddressRules, resolve: Resolve) -> None:
        self._rules, self._resolve = rules, resolve

    async def addresses(self, url: URL) -> Sequence[str]:
        """Return the addresses of a URL's host. Raise ForbiddenAddress if one is not allowed, or if there are none."""
        host, port = url.raw_host or "", url.port or 0
        if is_literal(host):
            return [host]
        try:
            found = await self._resolve(host, port)
        except OSError as error:  # a TimeoutError is one too
            if is_out_of_room(error):
                raise
            raise ForbiddenAddress(unresolved(url, error)) from error
        if not found:
            raise ForbiddenAddress(f"the host {host} does not exist")
        for address in found:
            # One forbidden address is enough: an attacker could make the connection use that one.
            if reason := self._rules.error(address):
                raise ForbiddenAddress(f"{host} resolves to {address}, which {reason}")
        return found

    async def connect(self, url: URL, tls: ssl.SSLContext | None, stopwatch: Stopwatch) -> ReceiverConnection:
        """Open a connection. Raise ForbiddenAddress, or OSError (of which ssl.SSLError is one)."""
        if not is_literal(url.raw_host or ""):
            stopwatch.begin(Stage.RESOLVE)
        infos = [_info(address, url.port or 0) for address in await self.addresses(url)]
        opening = await start_connection(
            infos,
            happy_eyeballs_delay=NEXT_ADDRESS_AFTER,
            interleave=1,
            socket_factory=functools.partial(self._socket, stopwatch),
        )
        stopwatch.begin(Stage.TLS)
        is_secure = url.scheme == "https"
        _, connection = await asyncio.get_running_loop().create_connection(
            ReceiverConnection,
            sock=opening,
            ssl=(tls or verifying()) if is_secure else None,
            server_hostname=(url.raw_host or "").rstrip(".") if is_secure else None,
        )
        return connection

    def _socket(self, stopwatch: Stopwatch, info: SocketAddress) -> socket.socket:
        """Return a socket for a connection, after a last check of its address."""
        family, kind, protocol, _, sockaddr = info
        if error := self._rules.error(str(sockaddr[0])):
            raise ForbiddenAddress(f"{sockaddr[0]} {error}")
        stopwatch.begin(Stage.CONNECT)
        return socket.socket(family, kind, protocol)


def _info(address: str, port: int) -> SocketAddress:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)


def unresolved(url: URL, error: OSError) -> str:
    """Return the message for a name without addresses."""
    host, unsure = url.raw_host, isinstance(error, TimeoutError) or error.errno == socket.EAI_AGAIN
    return f"could not resolve {host}" if unsure else f"the host {host} does not exist"


class _Idle(NamedTuple):
    connection: ReceiverConnection
    since: float


class Pool:
    """At most `limit` idle connections, each for 15 to 30 seconds."""

    def __init__(self, limit: int) -> None:
        self._limit, self._count = limit, 0
        self._idle: dict[Key, list[_Idle]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def take(self, key: Key) -> ReceiverConnection | None:
        """Return the connection to a place that became idle last, if there is one."""
        idle = self._idle.get(key, ())
        while idle:
            self._count -= 1
            if (connection := idle.pop().connection).is_reusable:
                return connection
        return None

    def put(self, key: Key, connection: ReceiverConnection) -> None:
        """Keep a connection for the next request, or close it if there are enough."""
        if self._count >= self._limit:
            return connection.abort()
        self._count += 1
        self._idle.setdefault(key, []).append(_Idle(connection, monotonic()))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._close_old)
        return None

    def close(self) -> None:
        """Close all."""
        if self._timer is not None:
            self._timer.cancel()
        self._close_until(float("inf"))

    def _close_old(self) -> None:
        self._close_until(monotonic() - IDLE_SECONDS)
        self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._close_old) if self._idle else None

    def _close_until(self, end: float) -> None:
        for key, idle in list(self._idle.items()):
            remaining = [each for each in idle if each.since > end and each.connection.is_reusable]
            for connection in {each.connection for each in idle} - {each.connection for each in remaining}:
                connection.abort()
            self._count -= len(idle) - len(remaining)
            if remaining:
                self._idle[key] = remaining
            else:
                del self._idle[key]

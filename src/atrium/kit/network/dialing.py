"""Connections to allowed addresses: a name is resolved, all its addresses are checked, and one of them is connected."""

import asyncio
import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from aiohappyeyeballs import start_connection
from yarl import URL

from atrium.kit.network.addresses import AddressRules, ForbiddenAddress, is_literal
from atrium.kit.network.receiver_connection import ReceiverConnection
from atrium.kit.network.timing import Stage, Stopwatch
from atrium.kit.postgres.database import is_out_of_room

Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
SocketAddress: TypeAlias = tuple[int, int, int, str, tuple[Any, ...]]
NEXT_ADDRESS_AFTER = 0.25  # seconds, as RFC 8305 recommends


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
    """Opens connections to addresses that `rules` allow."""

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
            infos, happy_eyeballs_delay=NEXT_ADDRESS_AFTER, interleave=1,
            socket_factory=functools.partial(self._socket, stopwatch),
        )  # fmt: skip
        stopwatch.begin(Stage.TLS)
        is_secure = url.scheme == "https"
        _, connection = await asyncio.get_running_loop().create_connection(
            ReceiverConnection, sock=opening, ssl=(tls or verifying()) if is_secure else None,
            server_hostname=(url.raw_host or "").rstrip(".") if is_secure else None,
        )  # fmt: skip
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

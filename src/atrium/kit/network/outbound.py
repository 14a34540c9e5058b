"""The HTTP client for webhooks. It connects to allowed addresses only, and limits the time and memory of an attempt.

An address is checked when a URL is saved, and again when the client connects to it.
"""

import asyncio
import codecs
import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeAlias, cast

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.streams import StreamReader
from multidict import CIMultiDict
from yarl import URL

from atrium.kit.network.addresses import AddressRules, ForbiddenAddress, is_literal, parse_target_url
from atrium.kit.network.client_certificates import with_certificate_error
from atrium.kit.network.receiver_connection import ConnectionClosedWhileIdle, ReceiverConnection
from atrium.kit.network.timing import STOPWATCH, UNTIMED, Stage, Stopwatch, Timing, begin

__all__ = ["Exchange", "ForbiddenAddress", "Outbound", "Resolve", "system_resolve"]
BODY_LIMIT = 64 * 1024
EXCERPT_LIMIT = 4 * 1024
READ_AHEAD = 16 * 1024
PARSED_URLS = 4096  # parsing a URL takes a twentieth of the time that sending does
USER_AGENT = "Atrium-Webhooks/0.1"
Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
SocketAddress: TypeAlias = tuple[int, int, int, str, tuple[Any, ...]]


@dataclass(frozen=True)
class Exchange:
    """The result of a POST.

    `error` is None if it succeeded: a 2xx status line and headers arrived in time, with or without a complete body.
    Otherwise it is a short message for users. `excerpt` is the first 4 KiB of the body as text, with U+FFFD for NUL and
    for bytes that are not UTF-8. `body` is empty unless it was requested.
    """

    response_code: int | None
    error: str | None
    excerpt: str
    duration_ms: int
    timing: Timing = UNTIMED
    body: bytes = field(default=b"", repr=False)

    @property
    def succeeded(self) -> bool:
        """Return whether the receiver accepted it."""
        return self.error is None


async def system_resolve(host: str, port: int) -> list[str]:
    """Return all IP addresses of a name, from the resolver of this machine. Raise OSError if there are none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # an invalid label
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from error
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


class Outbound:
    """Sends POST requests to addresses that `rules` allow; an async context manager that owns the connections.

    `timeout` is the total in seconds for name resolution, connection, TLS, headers and body.
    """

    def __init__(
        self,
        rules: AddressRules,
        *,
        resolve: Resolve = system_resolve,
        timeout: float = 15.0,
        connections: int = 1000,
    ) -> None:
        self._rules, self._names = rules, _CheckedResolver(rules, resolve)
        self._parsed = functools.lru_cache(PARSED_URLS)(lambda url: parse_target_url(url, rules))
        self.timeout, self._connections = timeout, connections

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(
            resolver=self._names, use_dns_cache=False, limit=self._connections, socket_factory=self._socket
        )
        factory = functools.partial(ReceiverConnection, asyncio.get_running_loop())
        connector._factory = cast("functools.partial[ResponseHandler]", factory)
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            auto_decompress=False,
            trust_env=False,
            read_bufsize=READ_AHEAD,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def check(self, url: str) -> None:
        """Check a URL before it is saved. Raise ForbiddenAddress if no delivery could use it."""
        target = parse_target_url(url, self._rules)
        host = target.raw_host or ""
        if is_literal(host):
            return
        try:
            async with asyncio.timeout(self.timeout):
                await self._names.resolve_allowed(host, target.port or 0)
        except OSError as error:  # a TimeoutError is one too
            raise ForbiddenAddress(_unresolved(host, error)) from error

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, *, within: float | None = None,
        tls: ssl.SSLContext | None = None, with_body: bool = False,
    ) -> Exchange:  # fmt: skip
        """Send `body` once. Return errors of the receiver and the network in the result, and do not raise them.

        `within` is a shorter timeout, in seconds, and `tls` a context with a client certificate. `with_body` requests
        the body of the response, up to 64 KiB.
        """
        response, started, failure = _Response(), monotonic(), None
        seconds = self.timeout if within is None else min(within, self.timeout)
        stopwatch = Stopwatch(started, is_secure=url[:6].lower() == "https:")
        STOPWATCH.set(stopwatch)
        sent = CIMultiDict({"User-Agent": USER_AGENT})
        sent.update(headers)
        sent["Accept-Encoding"] = "identity"
        try:
            async with asyncio.timeout(seconds):
                await self._send(self._parsed(url), sent, body, response, tls)
        except (ForbiddenAddress, aiohttp.ClientError, OSError) as error:
            failure = with_certificate_error(_failure(error, seconds), error, has_certificate=tls is not None)
        ended = monotonic()
        return Exchange(
            response.code, response.error if response.code else failure, response.excerpt,
            round((ended - started) * 1000), stopwatch.timing(ended), response.body if with_body else b"",
        )  # fmt: skip

    async def _send(
        self, url: URL, headers: Mapping[str, str], body: bytes, response: "_Response", tls: ssl.SSLContext | None
    ) -> None:
        try:
            await self._request(url, headers, body, response, tls)
        except ConnectionClosedWhileIdle:
            await self._request(url, headers, body, response, tls)

    async def _request(
        self, url: URL, headers: Mapping[str, str], body: bytes, response: "_Response", tls: ssl.SSLContext | None
    ) -> None:
        begin(Stage.WAIT)
        async with self._session.post(
            url, headers=headers, data=body, allow_redirects=False, ssl=tls or True
        ) as received:
            begin(Stage.READ)
            response.code = received.status
            try:
                await response.read(received.content)
            finally:
                if not received.content.at_eof():
                    received.close()

    def _socket(self, address_info: SocketAddress) -> socket.socket:
        """Return a socket for a connection, after a last check of its address."""
        family, kind, protocol, _, sockaddr = address_info
        error = self._rules.error(str(sockaddr[0]))
        if error:
            raise ForbiddenAddress(f"{sockaddr[0]} {error}")
        begin(Stage.CONNECT)
        return socket.socket(family, kind, protocol)


class _CheckedResolver(AbstractResolver):
    """Resolves a name if all of its addresses are allowed."""

    def __init__(self, rules: AddressRules, resolve: Resolve) -> None:
        self._rules, self._resolve = rules, resolve

    async def resolve_allowed(self, host: str, port: int) -> list[str]:
        """Return the addresses of a name. Raise ForbiddenAddress, or OSError for an unknown name."""
        addresses = await self._resolve(host, port)
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "no addresses")
        for address in addresses:
            # One forbidden address is enough: an attacker could make the connection use that one.
            if error := self._rules.error(address):
                raise ForbiddenAddress(f"{host} resolves to {address}, which {error}")
        return addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        def entry(address: str) -> ResolveResult:
            of = socket.AF_INET if ip_address(address).version == 4 else socket.AF_INET6
            flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
            return ResolveResult(hostname=host, host=address, port=port, family=of, proto=0, flags=flags)

        begin(Stage.RESOLVE)
        return [entry(address) for address in await self.resolve_allowed(host, port)]

    async def close(self) -> None:
        pass


class _Response:
    """A response, as far as it has arrived."""

    def __init__(self) -> None:
        self.code: int | None = None
        self._body = bytearray()

    async def read(self, content: StreamReader) -> None:
        """Read the body, up to the limit."""
        while len(self._body) < BODY_LIMIT:
            chunk = await content.read(BODY_LIMIT - len(self._body))
            if not chunk:
                return
            self._body += chunk

    @property
    def error(self) -> str | None:
        """Return the error message for the status, None for a 2xx."""
        if self.code is None or 200 <= self.code < 300:
            return None
        return f"HTTP {self.code}" + ("; redirects are not followed" if 300 <= self.code < 400 else "")

    @property
    def body(self) -> bytes:
        """Return the body, as far as it was read."""
        return bytes(self._body)

    @property
    def excerpt(self) -> str:
        """Return the beginning of the body as text, without a character that the limit cuts in two."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(self._body[:EXCERPT_LIMIT], final=len(self._body) <= EXCERPT_LIMIT)
        return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def no_response(seconds: float) -> str:
    """Return the message for a timeout."""
    return f"no response within {seconds:g} second{'' if seconds == 1 else 's'}"


def _failure(error: Exception, timeout: float) -> str:
    """Return a short message for an error that occurred before the status arrived."""
    match error:
        case ForbiddenAddress():
            return str(error)
        case aiohttp.ClientConnectorDNSError():
            return _unresolved(error.host, error.os_error)
        case aiohttp.ClientConnectorCertificateError():
            reason = getattr(error.certificate_error, "verify_message", "") or "the certificate is not valid"
            return f"TLS: {reason.rstrip('.')}"
        case aiohttp.ClientConnectorSSLError() | ssl.SSLError():
            reason = getattr(getattr(error, "os_error", error), "reason", None) or "the handshake failed"
            return f"TLS: {reason.replace('_', ' ').lower()}"
        case TimeoutError():
            return no_response(timeout)
        case aiohttp.ClientResponseError():
            long = error.message.startswith(("Got more than", "Too many headers"))
            return "the response headers are too long" if long else "the response is not HTTP"
    return _disconnected(error)


def _disconnected(error: Exception) -> str:
    cause = getattr(error, "os_error", None)  # set if there was no connection yet
    if isinstance(cause, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, aiohttp.InvalidURL):
        return "the URL is not valid"
    reached = cause is None or isinstance(cause, ConnectionError)
    return "the connection was closed without a response" if reached else "the address cannot be reached"


def _unresolved(host: str, error: OSError) -> str:
    unsure = isinstance(error, TimeoutError) or error.errno == socket.EAI_AGAIN
    return f"could not resolve {host}" if unsure else f"the host {host} does not exist"

"""The guarded HTTP client through which webhooks are sent: to public addresses only, and whatever the receiver does,
one attempt costs a bounded time and a bounded memory.

An address is judged when a URL is saved and again when it is dialled, and what is dialled is what was judged.
"""

import asyncio
import codecs
import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
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

from atrium.kit.network.addresses import AddressRules, ForbiddenAddress, is_literal, usable
from atrium.kit.network.receiver_connection import ClosedMeanwhile, ReceiverConnection

__all__ = ["Exchange", "ForbiddenAddress", "Outbound", "Resolve", "resolve_by_system"]
BODY_LIMIT = 64 * 1024
EXCERPT_LIMIT = 4 * 1024
READ_AHEAD = 16 * 1024
USER_AGENT = "Atrium-Webhooks/0.1"
Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
Dialled: TypeAlias = tuple[int, int, int, str, tuple[Any, ...]]


@dataclass(frozen=True)
class Exchange:
    """What came of one POST.

    `error` is None exactly when it succeeded, that is when the status line of a 2xx and its headers came in time,
    whatever the body did; else it is a short sentence for people.
    `excerpt` is the first 4 KiB of the body as text; what is not UTF-8, and NUL, is U+FFFD in it.
    """

    response_code: int | None
    error: str | None
    excerpt: str
    duration_ms: int

    @property
    def succeeded(self) -> bool:
        """Whether the receiver has taken it."""
        return self.error is None


async def resolve_by_system(host: str, port: int) -> list[str]:
    """All IP addresses of a name, as this machine looks names up. Raises OSError where there are none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label that no name can have
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from error
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


class Outbound:
    """Sends POSTs where `rules` let them go; an async context manager that owns the connections.

    `timeout` is in seconds and for everything together: name look-up, connecting, TLS, headers and body.
    """

    def __init__(
        self,
        rules: AddressRules,
        *,
        resolve: Resolve = resolve_by_system,
        timeout: float = 15.0,
        connections: int = 1000,
    ) -> None:
        self._rules, self._names = rules, _VettedNames(rules, resolve)
        self._timeout, self._connections = timeout, connections

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(
            resolver=self._names, use_dns_cache=False, limit=self._connections, socket_factory=self._socket
        )
        line = functools.partial(ReceiverConnection, asyncio.get_running_loop())
        connector._factory = cast("functools.partial[ResponseHandler]", line)
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
        """Look at a URL before it is saved. Raises ForbiddenAddress where no delivery could go to it."""
        target = usable(url, self._rules)
        host = target.raw_host or ""
        if is_literal(host):
            return
        try:
            async with asyncio.timeout(self._timeout):
                await self._names.vetted(host, target.port or 0)
        except OSError as error:  # a TimeoutError is one too
            raise ForbiddenAddress(_unresolved(host, error)) from error

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Exchange:
        """Send `body` as it is, once. Raises nothing for what a receiver or the network can do."""
        answer, started, failure = _Answer(), monotonic(), None
        sent = CIMultiDict({"User-Agent": USER_AGENT})
        sent.update(headers)
        sent["Accept-Encoding"] = "identity"
        try:
            async with asyncio.timeout(self._timeout):
                await self._send(usable(url, self._rules), sent, body, answer)
        except (ForbiddenAddress, aiohttp.ClientError, OSError) as error:
            failure = _failure(error, self._timeout)
        duration_ms = round((monotonic() - started) * 1000)
        return Exchange(answer.code, answer.error if answer.code else failure, answer.excerpt, duration_ms)

    async def _send(self, url: URL, headers: Mapping[str, str], body: bytes, answer: "_Answer") -> None:
        try:
            await self._ask(url, headers, body, answer)
        except ClosedMeanwhile:
            await self._ask(url, headers, body, answer)

    async def _ask(self, url: URL, headers: Mapping[str, str], body: bytes, answer: "_Answer") -> None:
        async with self._session.post(url, headers=headers, data=body, allow_redirects=False) as response:
            answer.code = response.status
            try:
                await answer.read(response.content)
            finally:
                if not response.content.at_eof():
                    response.close()

    def _socket(self, dialled: Dialled) -> socket.socket:
        """A socket for an address that is about to be dialled: the last look, whatever way has led to it."""
        family, kind, protocol, _, sockaddr = dialled
        refusal = self._rules.refusal(str(sockaddr[0]))
        if refusal:
            raise ForbiddenAddress(f"{sockaddr[0]} {refusal}")
        return socket.socket(family, kind, protocol)


class _VettedNames(AbstractResolver):
    """Gives the addresses of a name to dial, if every one of them may be dialled."""

    def __init__(self, rules: AddressRules, resolve: Resolve) -> None:
        self._rules, self._resolve = rules, resolve

    async def vetted(self, host: str, port: int) -> list[str]:
        """Raises ForbiddenAddress, and OSError where the name is not known."""
        addresses = await self._resolve(host, port)
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "no addresses")
        for address in addresses:
            # One is enough: who may choose among the answers would choose this one.
            if refusal := self._rules.refusal(address):
                raise ForbiddenAddress(f"{host} resolves to {address}, which {refusal}")
        return addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        def entry(address: str) -> ResolveResult:
            of = socket.AF_INET if ip_address(address).version == 4 else socket.AF_INET6
            flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
            return ResolveResult(hostname=host, host=address, port=port, family=of, proto=0, flags=flags)

        return [entry(address) for address in await self.vetted(host, port)]

    async def close(self) -> None:
        pass


class _Answer:
    """As much of an answer as has come."""

    def __init__(self) -> None:
        self.code: int | None = None
        self._body = bytearray()

    async def read(self, content: StreamReader) -> None:
        """Read the body, to the limit."""
        while len(self._body) < BODY_LIMIT:
            chunk = await content.read(BODY_LIMIT - len(self._body))
            if not chunk:
                return
            self._body += chunk

    @property
    def error(self) -> str | None:
        """Why an answer with this status is no success, however its body ends; None for a 2xx."""
        if self.code is None or 200 <= self.code < 300:
            return None
        return f"HTTP {self.code}" + ("; redirects are not followed" if 300 <= self.code < 400 else "")

    @property
    def excerpt(self) -> str:
        """A character that the limit cuts in two is left out."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(self._body[:EXCERPT_LIMIT], final=len(self._body) <= EXCERPT_LIMIT)
        return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _failure(error: Exception, timeout: float) -> str:
    """What went wrong before a status came, in a few words for people."""
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
            return f"no answer within {timeout:g} second{'' if timeout == 1 else 's'}"
        case aiohttp.ClientResponseError():
            long = error.message.startswith(("Got more than", "Too many headers"))
            return "the answer's headers are too long" if long else "the answer is not HTTP"
    return _disconnected(error)


def _disconnected(error: Exception) -> str:
    cause = getattr(error, "os_error", None)  # where there was no connection yet
    if isinstance(cause, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, aiohttp.InvalidURL):
        return "this is not a URL that can be used"
    reached = cause is None or isinstance(cause, ConnectionError)
    return "the connection was closed without an answer" if reached else "the address cannot be reached"


def _unresolved(host: str, error: OSError) -> str:
    unsure = isinstance(error, TimeoutError) or error.errno == socket.EAI_AGAIN
    return f"the name {host} could not be looked up" if unsure else f"the name {host} is not known"

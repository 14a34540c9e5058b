"""The HTTP client for webhooks. It connects to allowed addresses only, and limits the time and memory of an attempt.

An address is checked when a URL is saved, and again when the client connects to it.
"""

import asyncio
import codecs
import contextlib
import functools
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from types import TracebackType
from typing import Self

from yarl import URL

from atrium.kit.network.addresses import (
    AddressRules,
    ForbiddenAddress,
    InexactURL,
    parse_target_url,
    require_exact,
    written_path,
)
from atrium.kit.network.connections import Dialer, Key, Pool, Resolve, system_resolve, unresolved
from atrium.kit.network.receiver_connection import (
    BadResponse,
    ClosedWhileIdle,
    ReceiverConnection,
    Response,
)
from atrium.kit.network.timing import UNTIMED, Stopwatch, Timing
from atrium.kit.postgres.database import is_out_of_room

__all__ = ["Exchange", "ForbiddenAddress", "Outbound", "Resolve", "system_resolve"]
EXCERPT_LIMIT = 4 * 1024
OURS = ("accept-encoding", "content-length", "transfer-encoding")  # headers that no webhook sets
BREAK = re.compile(r"[\r\n\0]")
PARSED_URLS = 4096  # parsing a URL takes a twentieth of the time that sending does
USER_AGENT = "Atrium-Webhooks/0.1"
# Alerts with which a receiver rejects a certificate, as OpenSSL names them (RFC 8446, section 6.2).
REJECTIONS = (
    "BAD_CERTIFICATE",
    "UNSUPPORTED_CERTIFICATE",
    "CERTIFICATE_REVOKED",
    "CERTIFICATE_EXPIRED",
    "CERTIFICATE_UNKNOWN",
    "UNKNOWN_CA",
    "ACCESS_DENIED",
)
REFUSED = "TLS: the receiver refused the client certificate"
REQUIRED = "TLS: the receiver requires a client certificate"


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
        self._dialer = Dialer(rules, resolve)
        self._parsed = functools.lru_cache(PARSED_URLS)(lambda url: parse_target_url(url, rules))
        self.timeout, self._free, self._pool = timeout, asyncio.Semaphore(connections), Pool(connections)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.close()

    async def check(self, url: str) -> None:
        """Check a URL before it is saved. Raise ForbiddenAddress if no delivery could use exactly this URL."""
        target = self._parsed(url)
        try:
            require_exact(url)
        except InexactURL as error:
            raise ForbiddenAddress(str(error)) from error
        try:
            async with asyncio.timeout(self.timeout):
                await self._dialer.addresses(target)
        except TimeoutError as error:
            raise ForbiddenAddress(unresolved(target, error)) from error

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, *, within: float | None = None,
        tls: ssl.SSLContext | None = None, with_body: bool = False,
    ) -> Exchange:  # fmt: skip
        """Send `body` once. Return errors of the receiver and the network in the result, and do not raise them. If this
        machine has no room for another connection, raise OSError: that says nothing about the receiver.

        `within` is a shorter timeout, in seconds, and `tls` a context with a client certificate. `with_body` requests
        the body of the response, up to 64 KiB.
        """
        started, failure = monotonic(), None
        response = Response(Stopwatch(started, is_secure=url[:6].lower() == "https:"))
        seconds = self.timeout if within is None else min(within, self.timeout)
        try:
            async with asyncio.timeout(seconds), self._free:
                target = self._parsed(url)
                await self._send(target, request_of(target, written_path(url), headers, body), response, tls)
        except (ForbiddenAddress, OSError) as error:
            if is_out_of_room(error):
                raise
            failure = _with_certificate_error(_failure(error, seconds), error, has_certificate=tls is not None)
        ended = monotonic()
        return Exchange(
            response.code, error_of(response.code) if response.code else failure, excerpt_of(response.body),
            round((ended - started) * 1000), response.stopwatch.timing(ended),
            bytes(response.body) if with_body else b"",
        )  # fmt: skip

    async def _send(self, url: URL, request: bytes, response: Response, tls: ssl.SSLContext | None) -> None:
        """Send a request on an idle connection; if that was closed meanwhile, or there is none, on a new one."""
        key = (url.scheme, url.raw_host, url.port, tls)
        if (connection := self._pool.take(key)) is not None:
            with contextlib.suppress(ClosedWhileIdle):
                return await self._exchange(key, connection, request, response)
        connection = await self._dialer.connect(url, tls, response.stopwatch)
        return await self._exchange(key, connection, request, response)

    async def _exchange(self, key: Key, connection: ReceiverConnection, request: bytes, response: Response) -> None:
        await connection.exchange(request, response)
        if connection.is_reusable:
            self._pool.put(key, connection)


def request_of(url: URL, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return the bytes of a request. Raise ValueError for a header with a line break."""
    given = {name.lower() for name in headers}
    defaults = ("Host", url.host_port_subcomponent or ""), ("User-Agent", USER_AGENT), ("Accept", "*/*")
    lines = [f"POST {path} HTTP/1.1", "Accept-Encoding: identity", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in defaults if name.lower() not in given]
    lines += [f"{name}: {value}" for name, value in headers.items() if name.lower() not in OURS]
    if any(BREAK.search(line) for line in lines):
        raise ValueError("a header has a line break in it")
    return "\r\n".join((*lines, "\r\n")).encode() + body


def error_of(code: int) -> str | None:
    """Return the error message for a status, None for a 2xx."""
    if 200 <= code < 300:
        return None
    return f"HTTP {code}" + ("; redirects are not followed" if 300 <= code < 400 else "")


def excerpt_of(body: bytes | bytearray) -> str:
    """Return the beginning of a body as text, without a character that the limit cuts in two."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(body[:EXCERPT_LIMIT], final=len(body) <= EXCERPT_LIMIT)
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def no_response(seconds: float) -> str:
    """Return the message for a timeout."""
    return f"no response within {seconds:g} second{'' if seconds == 1 else 's'}"


def _failure(error: Exception, timeout: float) -> str:
    """Return a short message for an error that occurred before the status arrived."""
    match error:
        case ForbiddenAddress() | BadResponse():
            return str(error)
        case ssl.SSLCertVerificationError():
            return f"TLS: {(error.verify_message or 'the certificate is not valid').rstrip('.')}"
        case ssl.SSLError():
            return f"TLS: {_words(error.reason or 'the handshake failed')}"
        case TimeoutError():
            return no_response(timeout)
        case ConnectionRefusedError():
            return "the connection was refused"
        case ConnectionError():
            return "the connection was closed without a response"
    return "the address cannot be reached"


def _with_certificate_error(failure: str, error: BaseException, *, has_certificate: bool) -> str:
    """Return the message for a failed connection: that the receiver refused the client certificate, or `failure`.

    With TLS 1.3 a receiver refuses it after the handshake, and what says so is lost if it closes the connection first.
    """
    cause = getattr(error, "os_error", None) or error.__cause__ or error
    reason = str(getattr(cause, "reason", "") or "")
    if "ALERT" in reason and reason.endswith("CERTIFICATE_REQUIRED"):
        return REQUIRED
    if not has_certificate:
        return failure
    if "ALERT" in reason and reason.endswith(REJECTIONS):
        return f"{REFUSED} ({_words(reason.rpartition('ALERT_')[2])})"
    is_closed = isinstance(cause, ConnectionError) and not isinstance(cause, ConnectionRefusedError)
    return f"{failure}; the receiver may have refused the client certificate" if is_closed else failure


def _words(reason: str) -> str:
    return reason.replace("_", " ").lower()

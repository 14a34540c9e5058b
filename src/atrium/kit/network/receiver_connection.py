"""A connection to a receiver of webhooks: one request, then its response, and no other data."""

import asyncio
import re
from typing import cast

import httptools

from atrium.kit.network.timing import Stage, Stopwatch

BODY_LIMIT = 64 * 1024
HEAD_LIMIT, STATUS_LIMIT = 32 * 1024, 8 * 1024  # bytes
SWITCHING_PROTOCOLS, OK = 101, 200
# Receivers that end lines with LF alone, or write spaces after the size of a chunk, are understood.
LENIENT = {"lenient_headers": True, "lenient_optional_cr_before_lf": True, "lenient_spaces_after_chunk_size": True}
# What can be read of the head of a response that the parser does not accept.
VERSION = rb"[ \t]*HTTP/\d+(?:\.\d+)?[ \t]+"
# The status line of a final response. Informational responses may precede it.
STATUS_LINE = re.compile(rb"^%b([2-9]\d\d)(?:[ \t][^\r\n]*)?[\r\n]" % VERSION, re.IGNORECASE | re.MULTILINE)
PENDING = re.compile(rb"%b1\d\d[ \t\r\n]|[ \t]*(?:HTTP/[^\r\n]*|H?|HT|HTTP?)\Z" % VERSION, re.IGNORECASE)
END = re.compile(rb"\n\r?\n|\r\r")
CHUNKED = re.compile(rb"^transfer-encoding[ \t]*:[^\r\n]*chunked[ \t]*[\r\n]", re.IGNORECASE | re.MULTILINE)
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,18})?(?!\d)", re.IGNORECASE | re.MULTILINE)


class NoResponse(ConnectionError):
    """The receiver ended the connection without a response."""


class ClosedWhileIdle(NoResponse):
    """A reused connection was closed before the first byte of a response, probably while it was idle."""


class BadResponse(OSError):
    """What the receiver sent has no status line, or one that is too long; `str()` is the message for users."""


class Response:
    """A response, as far as it has arrived: `code` once its head has, or cannot be read further than its status line,
    and the body up to its limit."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self.stopwatch = stopwatch
        self.code: int | None = None
        self.body = bytearray()


class ReceiverConnection(asyncio.Protocol):
    """Sends requests, one after the other, and reads their responses. The methods named `on_…` are the parser's."""

    def __init__(self) -> None:
        self._parser = self._new_parser()
        self._waits = self._is_lost = False
        self._reason: Exception | None = None  # why the connection is lost
        self._requests, self._ended = 0, 0
        self._has_data = self._is_excess = self._is_in_head = self._is_refused = False
        self._head = bytearray()  # what arrived of the current head
        self._status = 0  # bytes of its status line
        self.is_reusable = False

    def _new_parser(self) -> httptools.HttpResponseParser:
        parser = httptools.HttpResponseParser(self)
        parser.set_dangerous_leniencies(**LENIENT)
        return parser

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the open connection."""
        self._transport = cast("asyncio.Transport", transport)

    async def exchange(self, request: bytes, response: Response) -> None:
        """Send a request and fill in its response, until it ends or its body is too long.

        Raise BadResponse, ClosedWhileIdle or NoResponse if no status line arrives.
        """
        self._response, self._done = response, asyncio.get_running_loop().create_future()
        self._requests, self._waits = self._requests + 1, True
        self._has_data = self.is_reusable = False
        self._head.clear()
        response.stopwatch.begin(Stage.WAIT)
        if self._is_lost:  # since it was opened
            self.connection_lost(self._reason)
        else:
            self._transport.write(request)
        try:
            await self._done
        finally:
            self._waits = False
            if not self.is_reusable:
                self.abort()

    def abort(self) -> None:
        """End the connection immediately."""
        self.is_reusable = False
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Pass data to the parser. Data that no request asked for ends the connection."""
        if not self._waits:
            return self.abort()
        self._has_data = True
        if self._is_refused:
            self._head += data
            self._read_refused_head()
        else:
            self._parse(data)
        return self.abort() if self._is_excess else None

    def _parse(self, data: bytes) -> None:
        ended = self._ended
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._end(is_reusable=False)
        except httptools.HttpParserError:
            self._is_refused = True
        if not self._waits:
            self._is_excess |= self._is_refused
        elif self._response.code is not None:
            if self._is_refused:
                self._response.body.clear()
                self._end(is_reusable=False)
        elif self._is_in_head:
            if ended != self._ended:
                self._head.clear()
            self._head += data
            if self._is_refused or self._is_too_long:
                self._read_refused_head()

    @property
    def _is_too_long(self) -> bool:
        return len(self._head) > HEAD_LIMIT or self._status > STATUS_LIMIT

    def _read_refused_head(self) -> None:
        """Read the status of a head that the parser refuses, or that is too long."""
        self._is_refused, code = True, final_status(self._head)
        if code is None:
            if self._is_too_long:
                self._fail(BadResponse("the response headers are too long"))
            elif not may_have_status(self._head):
                self._fail(BadResponse("the response is not HTTP"))
            return
        self._note(code)
        if (response := simplified(self._head)) is not None:
            self._is_refused, self._parser = False, self._new_parser()
            self._parse(response)
        elif self._is_too_long:
            self._end(is_reusable=False)

    def on_message_begin(self) -> None:
        """Begin a response. After the final one there is none."""
        self._is_excess, self._is_in_head = not self._waits, True
        self._status = 0

    def on_status(self, text: bytes) -> None:
        """Count a part of the status line."""
        self._status += len(text)

    def on_headers_complete(self) -> None:
        """Note the status, unless the response is only informational."""
        code = self._parser.get_status_code()
        if self._waits and (code >= OK or code == SWITCHING_PROTOCOLS):
            self._note(code)

    def _note(self, code: int) -> None:
        if self._response.code is None:
            self._response.stopwatch.begin(Stage.READ)
            self._response.code = code

    def on_body(self, data: bytes) -> None:
        """Keep a part of the body, up to the limit."""
        if not self._waits:
            return
        body = self._response.body
        body += data[: BODY_LIMIT - len(body)]
        if len(body) == BODY_LIMIT:
            self._end(is_reusable=False)

    def on_message_complete(self) -> None:
        """End the response, unless it is only informational."""
        self._ended, self._is_in_head = self._ended + 1, False
        if self._response.code is not None:
            self._end(is_reusable=self._parser.should_keep_alive())

    def connection_lost(self, exc: Exception | None) -> None:
        """End the response, if its status line has arrived, or fail."""
        self.is_reusable, self._is_lost, self._reason = False, True, exc
        if self._waits and (code := final_status(self._head)):
            self._note(code)
        if self._waits and self._response.code is None:
            is_idle = self._requests > 1 and not self._has_data
            error = ClosedWhileIdle() if is_idle else NoResponse()
            error.__cause__ = exc
            self._fail(error)
        self._end(is_reusable=False)

    def _end(self, *, is_reusable: bool) -> None:
        if self._waits:
            self._waits, self.is_reusable = False, is_reusable
            if not self._done.done():  # it may have been canceled just now
                self._done.set_result(None)

    def _fail(self, error: OSError) -> None:
        self._waits = False
        if not self._done.done():
            self._done.set_exception(error)


def final_status(head: bytes | bytearray) -> int | None:
    """Return the code of the first complete status line that is not informational, or None."""
    line = STATUS_LINE.search(head)
    return int(line[1]) if line else None


def may_have_status(head: bytes | bytearray) -> bool:
    """Return whether a final status line may follow what has arrived so far."""
    return PENDING.match(head) is not None


def simplified(data: bytes | bytearray) -> bytes | None:
    """Return a response with a final status, but of its headers only one that says where the body ends.

    Chunks override a length, and of several lengths the first counts (RFC 9112, section 6.3). Without any of them, the
    body ends with the connection. Return None until all headers have arrived.
    """
    line = STATUS_LINE.search(data)
    end = END.search(data, line.end() - 1) if line else None
    if line is None or end is None:
        return None
    head = bytes(data[line.end() - 1 : end.end()])
    framing = b""
    if CHUNKED.search(head):
        framing = b"Transfer-Encoding: chunked\r\n"
    elif length := LENGTH.search(head):
        framing = b"Content-Length: %d\r\n" % int(length[1] or 0)
    return b"HTTP/1.1 %b \r\nConnection: close\r\n%b\r\n%b" % (line[1], framing, bytes(data[end.end() :]))

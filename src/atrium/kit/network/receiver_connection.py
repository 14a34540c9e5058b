"""A connection of aiohttp to a receiver of webhooks, which accepts one response per request."""

import asyncio
import re
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader

from atrium.kit.network.timing import STOPWATCH, Stage

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


class ConnectionClosedWhileIdle(aiohttp.ServerDisconnectedError):
    """A reused connection was closed before the first byte of a response, probably while it was idle."""


class ReceiverConnection(ResponseHandler):
    """A connection that accepts one response per request, and no other data.

    aiohttp buffers what an idle connection receives, without a limit, and takes it for the response to the next
    request. It also drops the head of a response if the rest of the same packet is not HTTP.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._requests, self._has_data, self._is_open = 0, False, True
        self._has_head, self._last = False, b""
        self._is_lost = False
        self._stopwatch = STOPWATCH.get()  # of the request that opens it
        if self._stopwatch is not None:
            self._stopwatch.begin(Stage.TLS)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a response: the connection is open, with TLS if the URL is https."""
        super().connection_made(transport)
        if self._stopwatch is not None:
            self._stopwatch.begin(Stage.WAIT)
            self._stopwatch = None

    def set_response_params(self, **params: Any) -> None:
        """Begin to accept the response to another request."""
        self._requests, self._has_data, self._is_open = self._requests + 1, False, True
        self._has_head, self._last = False, b""
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Pass the head of a response to the parser, then the rest."""
        while not self._has_head and (end := self._end_of_head(data)):
            self._receive(data[:end])
            data = data[end:]
            if not data or self.transport is None or self.transport.is_closing():
                return
        self._receive(data)

    def _receive(self, data: bytes) -> None:
        if data and not self._is_open:
            return self.abort()
        self._has_data = self._has_data or bool(data)
        return super().data_received(data)

    def _end_of_head(self, data: bytes) -> int | None:
        """Return where a head ends in `data`; it may have begun in an earlier packet."""
        found = END_OF_HEAD.search(self._last + data)
        end = found.end() - len(self._last) if found else None
        self._last = b"" if found else (self._last + data[-3:])[-3:]
        return end

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Receive the head of a response from the parser."""
        if not self._is_open:
            return self.abort()
        super().feed_data(data, size)
        message, payload = data
        if message.code >= 200:
            self._has_head = True
            payload.on_eof(self._rest)
        return None

    def _rest(self) -> None:
        self._is_open = False

    def connection_lost(self, exc: BaseException | None) -> None:
        """End the connection, and the current response with the reason."""
        self._is_lost = True
        super().connection_lost(exc)

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """End the current response with an error."""
        if isinstance(exc.__cause__, aiohttp.ClientConnectionResetError) and not self._is_lost:
            return  # a write to a connection that is closing; `connection_lost` follows, with the receiver's alert
        if self._requests > 1 and not self._has_data and isinstance(exc, aiohttp.ServerDisconnectedError | OSError):
            exc = ConnectionClosedWhileIdle()
        super().set_exception(exc, *cause)
        # aiohttp does not end the body of a response that stops being HTTP, so its reader would wait.
        if self._payload is not None and not self._payload.is_eof() and self._payload.exception() is None:
            self._payload.set_exception(aiohttp.ClientPayloadError())

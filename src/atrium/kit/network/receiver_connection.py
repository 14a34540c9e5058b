"""A connection to a receiver of webhooks, as aiohttp drives it, that takes one answer to each request."""

import asyncio
import re
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


class ClosedMeanwhile(aiohttp.ServerDisconnectedError):
    """A kept connection was closed before a byte of an answer came: most likely while it stood idle."""


class ReceiverConnection(ResponseHandler):
    """A connection that takes one answer to each request and nothing unasked.

    aiohttp goes on reading what an idle connection sends and keeps it for the next request: unbounded, and as an
    answer to something else. It also drops the head of an answer when what follows in the same packet is not HTTP.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._asked, self._heard, self._answering = 0, False, True
        self._has_head, self._last = False, b""

    def set_response_params(self, **params: Any) -> None:
        """Begin to take the answer to another request."""
        self._asked, self._heard, self._answering = self._asked + 1, False, True
        self._has_head, self._last = False, b""
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Hand the head of an answer to the parser, and then the rest."""
        while not self._has_head and (end := self._end_of_head(data)):
            self._receive(data[:end])
            data = data[end:]
            if not data or self.transport is None or self.transport.is_closing():
                return
        self._receive(data)

    def _receive(self, data: bytes) -> None:
        if data and not self._answering:
            return self.abort()
        self._heard = self._heard or bool(data)
        return super().data_received(data)

    def _end_of_head(self, data: bytes) -> int | None:
        """Where a head ends in `data`, which may have begun in an earlier packet."""
        found = END_OF_HEAD.search(self._last + data)
        end = found.end() - len(self._last) if found else None
        self._last = b"" if found else (self._last + data[-3:])[-3:]
        return end

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Take the head of an answer from the parser."""
        if not self._answering:
            return self.abort()
        super().feed_data(data, size)
        message, payload = data
        if message.code >= 200:
            self._has_head = True
            payload.on_eof(self._rest)
        return None

    def _rest(self) -> None:
        self._answering = False

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """End the answer that is under way."""
        if self._asked > 1 and not self._heard and isinstance(exc, aiohttp.ServerDisconnectedError | OSError):
            exc = ClosedMeanwhile()
        super().set_exception(exc, *cause)
        # aiohttp leaves whoever reads the body of an answer that stops being HTTP waiting for the rest.
        if self._payload is not None and not self._payload.is_eof() and self._payload.exception() is None:
            self._payload.set_exception(aiohttp.ClientPayloadError())

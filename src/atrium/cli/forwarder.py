"""Forward deliveries to a program on this machine."""

from asyncio import timeout
from collections.abc import Mapping
from time import monotonic
from typing import Self

import httpx

from atrium.cli.event_lines import NO_RESPONSE, REJECTED, Received
from atrium.cli.event_printer import EventPrinter
from atrium.kit.clock import utc_now
from atrium.kit.network.addresses import written_path

EXCERPT = 4096  # bytes of the local response body; Atrium's log keeps the same amount
TIMEOUT = 14.0  # seconds for the local response; Atrium waits for 15


class Forwarder:
    """Forwards deliveries to the local program, if there is one, and has the result of each printed."""

    def __init__(self, url: str | None, printer: EventPrinter) -> None:
        self.url, self.printer = url, printer
        self._client = httpx.AsyncClient(timeout=TIMEOUT, trust_env=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def forward(self, headers: Mapping[str, str], body: bytes) -> tuple[int, bytes]:
        """Return the local program's response: its status and the beginning of its body; 502 if it does not respond,
        and 200 if there is no program."""
        if self.url is None:
            self.printer.add(Received(utc_now(), headers, body))
            return 200, b""
        began, error, status, excerpt = monotonic(), None, 502, b""
        try:
            async with timeout(TIMEOUT):
                exactly = {"target": written_path(self.url).encode()}
                response = await self._client.post(self.url, content=body, headers=headers, extensions=exactly)
            status, excerpt = response.status_code, response.content[:EXCERPT]
        except (httpx.HTTPError, TimeoutError) as failure:
            late = isinstance(failure, TimeoutError | httpx.TimeoutException)
            error = f"{NO_RESPONSE} within {TIMEOUT:g} seconds" if late else f"{NO_RESPONSE}: {failure}"
        took_ms = round((monotonic() - began) * 1000)
        self.printer.add(Received(utc_now(), headers, body, None if error else status, error, took_ms))
        return status, excerpt or (error or "").encode()

    def reject(self, headers: Mapping[str, str], why: str) -> None:
        """Print a delivery that is not forwarded, without its content, which is not verified."""
        self.printer.add(Received(utc_now(), headers, error=f"{REJECTED}: {why}"))

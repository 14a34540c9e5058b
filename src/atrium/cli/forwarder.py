"""Forward deliveries to a program on this machine, and print them."""

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Self

import httpx
from rich.text import Text

from atrium.cli.output import console, print_json_line
from atrium.cli.printable import printable
from atrium.kit.clock import rfc3339, utc_now

EXCERPT = 4096  # bytes of the local response body; Atrium's log keeps the same amount
TIMEOUT = 14.0  # seconds for the local response; Atrium waits for 15


class Forwarder:
    """Forwards deliveries to the local program, and prints the result of each."""

    def __init__(self, url: str, *, as_json: bool) -> None:
        self.url, self._as_json = url, as_json
        self._client = httpx.AsyncClient(timeout=TIMEOUT, trust_env=False)
        self._notes = console(stderr=as_json)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def forward(self, headers: Mapping[str, str], body: bytes) -> tuple[int, bytes]:
        """Return the local program's response: its status and the beginning of its body; 502 if it does not respond."""
        began, error, status, excerpt = monotonic(), None, 502, b""
        try:
            async with asyncio.timeout(TIMEOUT):
                response = await self._client.post(self.url, content=body, headers=headers)
            status, excerpt = response.status_code, response.content[:EXCERPT]
        except (httpx.HTTPError, TimeoutError) as failure:
            late = isinstance(failure, TimeoutError | httpx.TimeoutException)
            error = f"no response within {TIMEOUT:g} seconds" if late else f"no response: {failure}"
        self.report(headers, None if error else status, error, round((monotonic() - began) * 1000))
        return status, excerpt or (error or "").encode()

    def report(self, headers: Mapping[str, str], status: int | None, error: str | None, took_ms: int = 0) -> None:
        """Print a line about a delivery. `status` is the local program's, None if it did not respond."""
        shown = {
            "at": rfc3339(utc_now()), "event": headers.get("X-Service-Event"),
            "delivery_id": headers.get("X-Service-Delivery"), "status": status, "error": error, "took_ms": took_ms,
        }  # fmt: skip
        if self._as_json:
            print_json_line(shown)
            return
        outcome = f"{status}  {took_ms} ms" if status else f"{error}"
        color = "green" if status and status < 300 else "red"
        about = f"  {shown['event']}  {shown['delivery_id']}  "
        self._notes.print(
            Text.assemble((str(shown["at"])[11:23], "dim"), printable(about), (printable(outcome), color))
        )

    def begin(self, **about: str | None) -> None:
        """Print what the command listens to."""
        shown = {**about, "forward_to": self.url}
        if self._as_json:
            print_json_line(shown)
            return
        for name, value in shown.items():
            self._notes.print(Text.assemble((f"{name.replace('_', ' '):12}", "dim"), printable(str(value))))
        self.note("Press Ctrl-C to stop.\n")

    def note(self, text: str) -> None:
        """Print a note."""
        self._notes.print(Text(printable(text), "yellow"))

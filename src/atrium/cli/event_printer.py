"""Print the deliveries of `atrium webhooks listen` in the order of their results."""

import asyncio
import json
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

import typer
from rich.json import JSON
from rich.text import Text

from atrium.cli.event_lines import Received, event_lines
from atrium.cli.event_names import Names, decoded
from atrium.cli.output import Color, console, print_json_line
from atrium.cli.printable import printable
from atrium.kit.clock import rfc3339

INDENT = 12  # columns of a name in what `begin` prints
LAST_WAIT = 2.0  # seconds for names of the last events, when the command ends


@dataclass(frozen=True)
class Display:
    """What is printed of the events, and how."""

    as_json: bool = False
    verbose: bool = False
    only_failed: bool = False
    color: Color = Color.AUTO


class EventPrinter:
    """Prints deliveries, each with the names of what it is about. Reading them delays no delivery."""

    def __init__(self, names: Names, display: Display) -> None:
        self._names, self._display = names, display
        self._console = console(stderr=display.as_json, color=display.color)
        self._waiting, self._begun = asyncio.Queue[Received](), asyncio.Event()

    async def __aenter__(self) -> Self:
        self.printing = asyncio.create_task(self._until_closed())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._begun.is_set():
            everything = asyncio.create_task(self._waiting.join())
            await asyncio.wait((everything, self.printing), timeout=LAST_WAIT, return_when=asyncio.FIRST_COMPLETED)
            everything.cancel()
        self.printing.cancel()
        with suppress(asyncio.CancelledError):
            await self.printing  # raises an error of its own, such as that of a closed pipe

    def add(self, received: Received) -> None:
        """Print a delivery, after those that were added before."""
        if received.failed or not self._display.only_failed:
            self._waiting.put_nowait(received)

    def begin(self, events: Sequence[str] = (), **about: str | None) -> None:
        """Print what the command listens to, and then the deliveries."""
        self._begun.set()
        if self._display.as_json:
            print_json_line(about)
            return
        for name, value in {**about, "events": self._wrapped(", ".join(events))}.items():
            if value:
                self._console.print(Text.assemble((f"{name.replace('_', ' '):{INDENT}}", "dim"), printable(value)))
        self.note("Press Ctrl-C to stop.\n")

    def note(self, text: str) -> None:
        """Print a note."""
        self._console.print(Text(printable(text), "yellow"))

    def _wrapped(self, text: str) -> str:
        """Return a text in lines that begin where a value of `begin` does, if it is printed on a terminal."""
        if not self._console.file.isatty():
            return text
        lines = textwrap.wrap(text, max(self._console.width - INDENT, 1), break_long_words=False)
        return ("\n" + " " * INDENT).join(lines)

    async def _print_all(self) -> None:
        await self._begun.wait()
        while True:
            received = await self._waiting.get()
            if self._display.as_json:
                print_json_line(_as_json(received))
            else:
                await self._print(received)
            self._waiting.task_done()

    async def _until_closed(self) -> None:
        try:
            await self._print_all()
        except SystemExit as closed:  # of rich, for a closed pipe; it would end the loop before the webhook is deleted
            raise typer.Exit(1) from closed

    async def _print(self, received: Received) -> None:
        described = await self._names.describe(decoded(received.body))
        width = self._console.width if self._console.file.isatty() else None
        for line in event_lines(received, described, width):
            self._console.print(line)
        if self._display.verbose and received.body:
            self._print_body(received.body)

    def _print_body(self, body: bytes) -> None:
        content = _content(body)
        if isinstance(content, str):
            self._console.print(Text(printable(content)))
        else:
            self._console.print(JSON(printable(json.dumps(content, ensure_ascii=False))))


def _as_json(received: Received) -> dict[str, Any]:
    return {
        "at": rfc3339(received.at),
        "event": received.headers.get("X-Service-Event"),
        "delivery_id": received.headers.get("X-Service-Delivery"),
        "status": received.status,
        "error": received.error,
        "took_ms": received.took_ms,
        "body": _content(received.body) if received.body else None,
    }


def _content(body: bytes) -> Any:
    """Return the JSON of the body, or its text if it is not JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")

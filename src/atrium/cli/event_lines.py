"""How an event looks: a line with its time, type, subject, actor and result, and one with its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rich.text import Text

from atrium.cli.event_names import Described
from atrium.cli.printable import printable
from atrium.kit.clock import rfc3339

INDENT, GAP = 10, "  "
TYPE_WIDTH, NAME_WIDTHS, RESULT_WIDTH = 16, (8, 28), 13  # columns
NO_RESPONSE, REJECTED = "no response", "rejected"  # with a reason, an error begins with one of these and a colon
GONE, CHANGED = ("deleted", "removed", "deactivated"), ("edited", "updated", "archived")


@dataclass(frozen=True)
class Received:
    """A delivery and its result. `status` is that of the local program, None if there is none or it did not respond."""

    at: datetime
    headers: Mapping[str, str]
    body: bytes = b""
    status: int | None = None
    error: str | None = None
    took_ms: int = 0

    @property
    def event_type(self) -> str:
        """The type of the event, as its header has it."""
        return self.headers.get("X-Service-Event") or ""

    @property
    def failed(self) -> bool:
        """Whether the local program did not accept it, or it was rejected."""
        return self.error is not None or (self.status is not None and self.status >= 300)

    @property
    def rejected(self) -> bool:
        """Whether it was not forwarded, because its signature is invalid."""
        return (self.error or "").startswith(REJECTED)


def event_lines(received: Received, described: Described, width: int | None) -> list[Text]:
    """Return one or two lines. On a terminal they fit its `width`, elsewhere they are complete."""
    kind = _one_line(received.event_type)
    names = _name_width(width, max(TYPE_WIDTH, len(kind)))
    cells = [
        Text(rfc3339(received.at)[11:19], "dim"),
        _cell(kind, color_of(kind), TYPE_WIDTH, crop=False),
        _cell(described.subject, "bold", names, crop=width is not None),
        _cell(described.actor, "", names, crop=width is not None),
        _result(received),
    ]
    first = Text(GAP).join(cells)
    first.rstrip()
    second = _second(received, described)
    if width is not None:
        second.truncate(max(width - INDENT, 1), overflow="ellipsis")
    return [first, Text(" " * INDENT) + second] if second else [first]


def color_of(event_type: str) -> str:
    """Return the color of an event: what is new, changed or gone."""
    verb = event_type.rpartition("_")[2]
    return "red" if verb in GONE else "yellow" if verb in CHANGED else "cyan"


def _name_width(width: int | None, type_width: int) -> int:
    """Return the width of the two names, so that the line fits the terminal."""
    least, most = NAME_WIDTHS
    if width is None:
        return most
    fixed = INDENT + type_width + RESULT_WIDTH + 3 * len(GAP)
    return max(least, min((width - fixed) // 2, most))


def _cell(text: str, style: str, width: int, *, crop: bool) -> Text:
    cell = Text(_one_line(text), style)
    if crop:
        cell.truncate(width, overflow="ellipsis")
    cell.pad_right(max(width - cell.cell_len, 0))
    return cell


def _result(received: Received) -> Text:
    if received.status is None:
        return Text(REJECTED if received.rejected else NO_RESPONSE if received.error else "", "red")
    return Text(f"{received.status}  {received.took_ms} ms", "red" if received.failed else "green")


def _second(received: Received, described: Described) -> Text:
    reason = (received.error or "").removeprefix(f"{NO_RESPONSE}: ").removeprefix(f"{REJECTED}: ")
    parts = [(_one_line(reason), "red"), (_one_line(described.excerpt), "")]
    return Text(GAP).join(Text(text, style) for text, style in parts if text)


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))

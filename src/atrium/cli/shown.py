"""Lists on a terminal: a table where it is wide enough, else an entry after the other."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from atrium.cli.printable import printable

WIDEST = 1000
Row = Mapping[str, str | Text | None]


def show_rows(console: Console, rows: Sequence[Row]) -> None:
    """The rows, whose first column names them. Nothing is cut off: an id that is not whole is of no use."""
    table = _table(rows)
    width = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
    if width <= console.width:
        console.print(table)
        return
    for number, row in enumerate(rows):
        if number:
            console.print()
        _show_entry(console, row)


def _table(rows: Sequence[Row]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for header in rows[0] if rows else ():
        table.add_column(header, no_wrap=True)
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    return table


def _show_entry(console: Console, row: Row) -> None:
    (_, title), *others = row.items()
    console.print(Text.assemble((_cell(title).plain, "bold")), soft_wrap=True)
    for header, value in others:
        if value is not None:
            console.print(Text.assemble("  ", (f"{header:<10} ", "dim"), _cell(value)), soft_wrap=True)


def _cell(value: str | Text | None) -> Text:
    return value if isinstance(value, Text) else Text(printable(value or "").replace("\n", " "))


def day(timestamp: str | None) -> str | None:
    """`2026-11-21 09:07` of an RFC 3339 time, in UTC."""
    return None if timestamp is None else timestamp[:16].replace("T", " ")

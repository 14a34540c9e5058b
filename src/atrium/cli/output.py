"""Print the output of commands: tables that fit the terminal; in a pipe or a file, complete rows separated by tabs."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from atrium.cli.printable import printable

WIDEST = 1000
Cell = str | int | Text | None
Row = Mapping[str, Cell]


class Color(StrEnum):
    """When to use colors; `auto`: on a terminal, unless `NO_COLOR` is set."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def console(*, stderr: bool = False, wrap: bool = False, color: Color = Color.AUTO) -> Console:
    """Return a console with colors on a terminal and none elsewhere, independent of what else is in the environment.

    Lines are not wrapped, because a broken key or link cannot be copied; `wrap` is for text that fits the terminal.
    """
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    always = color is Color.ALWAYS
    return Console(
        stderr=stderr,
        highlight=False,
        soft_wrap=not wrap,
        no_color=False if always else None,
        force_terminal=terminal if color is Color.AUTO else always,
        color_system="standard" if always else "auto",
    )


def notes_console() -> Console:
    """Return a console for notes: standard output if it is a terminal, else standard error."""
    return console(stderr=not sys.stdout.isatty())


def print_json(shown: Any) -> None:
    """Print JSON."""
    print(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())


def print_json_line(shown: Any) -> None:
    """Print JSON in one line, immediately. Unlike `print_json`, it takes any text, lone surrogates included."""
    print(json.dumps(shown), flush=True)


def show_rows(rows: Sequence[Row]) -> None:
    """Print rows. The first column is the title of each row. Nothing is truncated."""
    if not sys.stdout.isatty():
        for row in rows:
            print_row(row.values())
        return
    terminal, table = console(), _table(rows)
    width = Measurement.get(terminal, terminal.options.update(max_width=WIDEST), table).maximum
    if width <= terminal.width:
        terminal.print(table, soft_wrap=False)
        return
    for number, row in enumerate(rows):
        if number:
            terminal.print()
        _show_entry(terminal, row)


def print_row(cells: Iterable[Cell]) -> None:
    """Print a row for a pipe. Cells contain no tabs or line breaks, so that `cut` and `while read` work."""
    print("\t".join(str(each) if isinstance(each, int) else _plain(each) for each in cells))


def _plain(value: str | Text | None) -> str:
    return _cell(value).plain.replace("\t", " ").strip()


def _table(rows: Sequence[Row]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for header, value in (rows[0] if rows else {}).items():
        table.add_column(header, no_wrap=True, justify="right" if isinstance(value, int) else "left")
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    return table


def _show_entry(terminal: Console, row: Row) -> None:
    (_, title), *others = row.items()
    terminal.print(Text.assemble((_cell(title).plain, "bold")))
    for header, value in others:
        if value is not None:
            terminal.print(Text.assemble("  ", (f"{header:<10} ", "dim"), _cell(value)))


def _cell(value: Cell) -> Text:
    if isinstance(value, int):
        return Text(f"{value:,}")
    return value if isinstance(value, Text) else Text(printable(value or "").replace("\n", " "))


def day(timestamp: str | None) -> str | None:
    """Return an RFC 3339 time as `2026-11-21 09:07`, in UTC."""
    return None if timestamp is None else timestamp[:16].replace("T", " ")

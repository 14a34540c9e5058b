"""`--help` and errors of the command line: plain text that fits the terminal."""

import shutil
import sys
from typing import Any

import typer
from typer.core import TyperGroup

UNLIMITED = 10_000  # columns, where lines are not wrapped
MIN_WIDTH, MAX_WIDTH = 60, 100


class Group(TyperGroup):
    """A group of commands, whose help shows complete descriptions."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands; click would truncate lines at the edge of the terminal."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(UNLIMITED)) for name, each in found if each])


def command_group(text: str) -> typer.Typer:
    """Return a group of commands, which shows its help if no command is given."""
    return typer.Typer(cls=Group, no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=text)


def columns() -> int:
    """Return the width of help text: the terminal's, from 60 to 100 columns. Elsewhere, lines are not wrapped."""
    if not sys.stdout.isatty():
        return UNLIMITED
    return max(MIN_WIDTH, min(shutil.get_terminal_size().columns, MAX_WIDTH))

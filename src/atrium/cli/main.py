"""The `atrium` command: one file a command group, each of which calls one action."""

import os
import sys
from typing import Annotated

import typer
from rich.markup import escape

from atrium import __version__
from atrium.cli.arguments import hide_secrets
from atrium.cli.lazy import LazyGroup
from atrium.cli.refusal import Refusal
from atrium.cli.shown import console

app = typer.Typer(
    cls=LazyGroup, no_args_is_help=True, add_completion=True, rich_markup_mode=None, pretty_exceptions_enable=False,
    help="Atrium: a team-collaboration server you run yourself.",
    epilog="Exit status: 0 done; 1 refused or failed; 2 the command line is wrong; 130 interrupted.",
)  # fmt: skip


def _say_version(asked: bool) -> None:
    if asked:
        print(f"Atrium {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the release.")]


@app.callback()
def atrium(version: Version = False) -> None:
    """Leave everything to the command that was named; typer makes a group of what has this."""


def main() -> None:
    """Run the command; a refusal is one clear line and exit status 1, never a traceback."""
    hide_secrets(sys.argv[1:])
    try:
        app()
    except Refusal as refusal:
        console(stderr=True).print(f"[bold red]atrium:[/] {escape(str(refusal))}")
        sys.exit(1)
    finally:
        _hand_over()


def _hand_over() -> None:
    """Write what is left to say; that nobody reads it any more, as behind `| head -1`, is no fault to complain of."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)

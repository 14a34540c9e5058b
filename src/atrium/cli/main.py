"""The `atrium` command; each command group has a file, and each command calls one action."""

import os
import sys
from typing import Annotated

import typer
from rich.markup import escape

from atrium import __version__
from atrium.cli.arguments import hide_secrets
from atrium.cli.errors import CommandError
from atrium.cli.lazy import LazyGroup
from atrium.cli.output import console

app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Atrium: a team-collaboration server you run yourself.",
    epilog="Exit status: 0 success; 1 failure; 2 usage error; 130 interrupted.",
)


def _print_version(requested: bool) -> None:
    if requested:
        print(f"Atrium {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")]


@app.callback()
def atrium(version: Version = False) -> None:
    """Do nothing; typer needs this to make a group of the commands."""


def main() -> None:
    """Run the command. An error is one line and exit status 1, without a traceback."""
    hide_secrets(sys.argv[1:])
    try:
        app()
    except CommandError as error:
        console(stderr=True).print(f"[bold red]atrium:[/] {escape(str(error))}")
        sys.exit(1)
    finally:
        _flush_output()


def _flush_output() -> None:
    """Flush standard output. A closed pipe (`| head -1`) is not an error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)

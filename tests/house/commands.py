"""The commands of `atrium`, and the page that documents them."""

from collections.abc import Iterator
from typing import Any

import typer.main

from atrium.cli.main import app
from tests.house.sources import ROOT

COMMANDS = ROOT / "docs" / "commands.md"


def commands(command: Any, words: str = "atrium") -> Iterator[tuple[str, Any]]:
    """Yield each runnable command by the words that call it."""
    below = getattr(command, "commands", None)
    if below is None:
        yield words, command
    for name, each in (below or {}).items():
        yield from commands(each, f"{words} {name}")


FOUND = dict(commands(typer.main.get_command(app)))

"""Every setting and command is documented, and everything documented exists."""

import re
from collections.abc import Iterator
from typing import Any

import typer.main

from atrium.cli.main import app
from atrium.kit.settings import Settings
from tests.house.sources import ROOT

SETTINGS = ROOT / "docs" / "settings.md"
COMMANDS = ROOT / "docs" / "commands.md"


def commands(command: Any, words: str = "atrium") -> Iterator[tuple[str, Any]]:
    """Yield each runnable command by the words that call it."""
    below = getattr(command, "commands", None)
    if below is None:
        yield words, command
    for name, each in (below or {}).items():
        yield from commands(each, f"{words} {name}")


FOUND = dict(commands(typer.main.get_command(app)))


def test_each_setting_is_documented_in_its_own_row() -> None:
    rows = re.findall(r"^\| `(ATRIUM_\w+)` \|", SETTINGS.read_text(), re.M)
    assert sorted(rows) == sorted(f"ATRIUM_{field.upper()}" for field in Settings.model_fields)
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_each_command_is_documented_with_its_options() -> None:
    text = COMMANDS.read_text()
    general = text.partition("| command")[0]  # options of every command are documented once
    for words, command in FOUND.items():
        row = re.search(rf"^\| `{words}\b.*$", text, re.M)
        assert row, f"{words} has no row in {COMMANDS}"
        options = [name for each in command.params if each.param_type_name == "option" for name in each.opts]
        assert [option for option in options if option not in row[0] + general] == [], words
        assert command.help, words


def test_every_documented_command_exists() -> None:
    rows = re.findall(r"^\| `(atrium(?: [a-z][a-z-]*)+)", COMMANDS.read_text(), re.M)
    assert sorted(rows) == sorted(FOUND)

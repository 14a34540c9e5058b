"""Every setting and command is documented, and everything documented exists."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
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


@pytest.mark.parametrize("field", Settings.model_fields)
def test_each_setting_is_documented_in_its_own_row(field: str) -> None:
    assert re.search(rf"^\| `ATRIUM_{field.upper()}` \|", SETTINGS.read_text(), re.M)
    assert Settings.model_fields[field].description


def test_every_documented_setting_exists() -> None:
    rows = re.findall(r"^\| `(ATRIUM_\w+)` \|", SETTINGS.read_text(), re.M)
    assert sorted(rows) == sorted(f"ATRIUM_{field.upper()}" for field in Settings.model_fields)


@pytest.mark.parametrize("words", FOUND)
def test_each_command_is_documented_with_its_options(words: str) -> None:
    row = re.search(rf"^\| `{words}\b.*$", COMMANDS.read_text(), re.M)
    assert row, f"{words} has no row in {COMMANDS}"
    general = COMMANDS.read_text().partition("| command")[0]  # options of every command are documented once
    for option in (name for each in FOUND[words].params if each.param_type_name == "option" for name in each.opts):
        assert option in row[0] or option in general, f"{words} {option}"
    assert FOUND[words].help


def test_every_documented_command_exists() -> None:
    rows = re.findall(r"^\| `(atrium(?: [a-z][a-z-]*)+)", COMMANDS.read_text(), re.M)
    assert sorted(rows) == sorted(FOUND)

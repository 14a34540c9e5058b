"""Every setting and command is documented, and everything documented exists."""

import re

from atrium.kit.settings import Settings
from tests.house.commands import COMMANDS, FOUND
from tests.house.sources import ROOT

SETTINGS = ROOT / "docs" / "settings.md"


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

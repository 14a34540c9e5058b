"""The commands by name. A command's module is imported when the command is run, so that none waits for the others."""

from collections.abc import MutableMapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand

from atrium.cli.help_text import Group, columns


class Listed(NamedTuple):
    """A command, or a group of them: `module:name` under `atrium.cli`, and what `atrium --help` says of it."""

    where: str
    summary: str


COMMANDS = {
    "serve": Listed("serve:serve", "Serve the API and its reference, and deliver webhook events."),
    "worker": Listed("worker:worker", "Deliver webhook events."),
    "init": Listed("init:init", "Make the first organization, its super_admin, a space and a room."),
    "doctor": Listed("doctor:doctor", "Look for what is wrong with this installation, and say what to do."),
    "backup": Listed("backup:backup", "Write the whole installation to a file, also while it serves."),
    "restore": Listed("restore:restore", "Make an installation of a backup, in an empty folder or database."),
    "people": Listed("people:app", "The people of an organization: invite, change, let in, keep out."),
    "keys": Listed("keys:app", "API keys: of integrations, and of people."),
    "mail": Listed("mail:mail", "Show the mail of the last 30 days, newest first."),
    "webhooks": Listed("listen:app", "Webhooks, from the receiving end."),
    "receive": Listed("receive:receive", "Receive webhooks on any path: verify each delivery, print it."),
    "import": Listed("slack:app", "Bring history in from elsewhere."),
    "mcp": Listed(
        "mcp:mcp", "Serve the Model Context Protocol on standard input and output, for an agent that acts as a person."
    ),
    "export": Listed("export:export", "Write every message of a room to a file, newest first."),
}


class LazyGroup(Group):
    """The group of all commands. What it lists, it knows without importing them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._listing = False

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run what was named."""
        self.context_settings["terminal_width"] = columns()
        return super().main(*arguments, **options)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary) if self._listing else loaded(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help of the group, for which no command has to be there."""
        self._listing = True
        super().format_help(ctx, formatter)
        self._listing = False

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What a word may become; nobody who presses Tab waits for a command to be imported."""
        self._listing = True
        found = super().shell_complete(ctx, incomplete)
        self._listing = False
        return found

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Every command, imported."""
        return {name: loaded(name) for name in COMMANDS}

    @commands.setter
    def commands(self, _none: MutableMapping[str, Any]) -> None:
        """Nothing is added: the table is all there is."""


def loaded(name: str) -> Any:
    """The command of that name, imported now."""
    module, _, attribute = COMMANDS[name].where.partition(":")
    found = getattr(import_module(f"atrium.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        group = typer.main.get_group(found)
        group.name = name
        return group
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(found)
    return typer.main.get_command(alone)

"""The commands by name. A command's module is imported only when it runs, so that commands start quickly."""

from collections.abc import MutableMapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand

from atrium.cli.help_text import Group, columns
from atrium.kit.process.memory import paused_garbage_collector


class CommandEntry(NamedTuple):
    """A command or a group of commands: `module:name` under `atrium.cli`, and its line in `atrium --help`."""

    where: str
    summary: str


COMMANDS = {
    "serve": CommandEntry("serve:serve", "Run the server: the API, the web application and a worker."),
    "worker": CommandEntry(
        "worker:worker", "Run one more worker: webhook deliveries, mail, the search index, transcripts."
    ),
    "init": CommandEntry("init:init", "Create the first organization, its super_admin, a space and a room."),
    "doctor": CommandEntry("doctor:doctor", "Check this installation and say how to fix what is wrong."),
    "backup": CommandEntry("backup:backup", "Back up the installation to a file; the server can keep running."),
    "restore": CommandEntry("restore:restore", "Restore a backup into an empty folder or database."),
    "people": CommandEntry("people:app", "Manage the people of an organization."),
    "keys": CommandEntry("keys:app", "Manage API keys of integrations and people."),
    "mail": CommandEntry("mail:mail", "Show the mail of the last 30 days, newest first."),
    "webhooks": CommandEntry("listen:app", "Receive webhooks during development."),
    "receive": CommandEntry("receive:receive", "Receive webhooks on any path: verify and print each delivery."),
    "import": CommandEntry("slack:app", "Import history from another service."),
    "mcp": CommandEntry("mcp:mcp", "Serve the Model Context Protocol on standard input and output, for an AI agent."),
    "export": CommandEntry("export:export", "Export every message of a room to a file, newest first."),
}


class LazyGroup(Group):
    """The group of all commands, which it lists without importing them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._listing = False

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run the named command."""
        self.context_settings["terminal_width"] = columns()
        return super().main(*arguments, **options)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, in the order in which a new user needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with that name, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary) if self._listing else load_command(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the group without importing commands."""
        self._listing = True
        super().format_help(ctx, formatter)
        self._listing = False

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete a word without importing commands."""
        self._listing = True
        found = super().shell_complete(ctx, incomplete)
        self._listing = False
        return found

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Import and return every command."""
        return {name: load_command(name) for name in COMMANDS}

    @commands.setter
    def commands(self, _none: MutableMapping[str, Any]) -> None:
        """Ignore additions: COMMANDS is the list."""


def load_command(name: str) -> Any:
    """Import the command with that name."""
    module, _, attribute = COMMANDS[name].where.partition(":")
    with paused_garbage_collector():
        found = getattr(import_module(f"atrium.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        group = typer.main.get_group(found)
        group.name = name
        return group
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(found)
    return typer.main.get_command(app)

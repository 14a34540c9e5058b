"""The `atrium` command: one file a command group, each of which calls one action."""

import sys

import typer
from rich.console import Console
from rich.markup import escape

from atrium.cli import export, init, listen, mail, receive, serve, slack, worker
from atrium.cli.refusal import Refusal

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Atrium: a team-collaboration server you run yourself."
)
imports = typer.Typer(no_args_is_help=True, help="Bring history in from elsewhere.")
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("init")(init.init)
app.command("export")(export.export)
app.command("mail")(mail.mail)
app.command("receive")(receive.receive)
webhooks = typer.Typer(no_args_is_help=True, help="Webhooks, from the receiving end.")
webhooks.command("listen")(listen.listen)
imports.command("slack")(slack.import_slack)
app.add_typer(imports, name="import")
app.add_typer(webhooks, name="webhooks")


def main() -> None:
    """Run the command; a refusal is one clear line and exit status 1, never a traceback."""
    try:
        app()
    except Refusal as refusal:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]atrium:[/] {escape(str(refusal))}")
        sys.exit(1)

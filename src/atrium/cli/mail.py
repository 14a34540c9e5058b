"""`atrium mail`: what was sent or waits to be, for an evening without a mail server and for whoever misses a mail."""

import asyncio
from typing import Annotated
from uuid import UUID

import asyncpg
import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from atrium.cli.opened import DataDir, opened, settings_with
from atrium.cli.printable import printable
from atrium.cli.refusal import Refusal
from atrium.kit.mail import KeptMail, newest_mails, read_mail
from atrium.kit.settings import Settings

SHOWN = 20
COLORS = {"waiting": "yellow", "sent": "green", "refused": "red"}

Everything = Annotated[bool, typer.Option("--all", help="Show every mail that is kept, not the newest 20.")]
MailId = Annotated[UUID | None, typer.Option("--id", metavar="ID", help="Show this one, with its text.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, with texts: a list, or with --id one object.")]


def mail(
    everything: Everything = False, mail_id: MailId = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Show the mail of the last 30 days, newest first. Without ATRIUM_SMTP_URL it is kept here, and nothing is lost."""
    with opened(settings_with(data_dir=data_dir)) as settings:
        if mail_id is None:
            found = asyncio.run(_newest(settings, None if everything else SHOWN))
            _print_json(found) if as_json else _show_list(found, settings)
            return
        one = asyncio.run(_one(settings, mail_id))
    if one is None:
        raise Refusal(f"no mail {mail_id} is kept")
    _print_json(one) if as_json else _show(one)


async def _newest(settings: Settings, limit: int | None) -> list[KeptMail]:
    db = await asyncpg.connect(settings.database_url)
    try:
        return await newest_mails(db, limit=limit)
    finally:
        await db.close()


async def _one(settings: Settings, mail_id: UUID) -> KeptMail | None:
    db = await asyncpg.connect(settings.database_url)
    try:
        return await read_mail(db, mail_id)
    finally:
        await db.close()


def _print_json(shown: KeptMail | list[KeptMail]) -> None:
    print(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())


def _show_list(found: list[KeptMail], settings: Settings) -> None:
    console = Console(highlight=False)
    if not found:
        console.print("No mail is kept.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for header, whole in (("id", True), ("put down", True), ("state", True), ("to", False), ("subject", False)):
        table.add_column(header, no_wrap=whole, overflow="fold")
    for each in found:
        state = Text(each.state, COLORS[each.state])
        when = each.created_at[:16].replace("T", " ")
        table.add_row(str(each.mail_id), when, state, Text(printable(each.to)), Text(printable(each.subject)))
    console.print(table)
    console.print("\nWhole, with its text: [bold]atrium mail --id ID[/]")
    if settings.smtp_url is None:
        console.print("ATRIUM_SMTP_URL is not set here: what waits goes once the server runs with it.")


def _show(kept: KeptMail) -> None:
    console = Console(highlight=False, soft_wrap=True)
    fields = {
        "id": str(kept.mail_id), "to": kept.to, "subject": kept.subject, "put down": kept.created_at,
        "state": kept.state, "sent": kept.sent_at, "attempts": str(kept.attempts),
        "next attempt": kept.next_attempt_at, "last error": kept.last_error,
    }  # fmt: skip
    for name, value in fields.items():
        if value is not None:
            console.print(Text.assemble((f"{name:13}", "dim"), printable(value)))
    console.print(Text(f"\n{printable(kept.text)}"))

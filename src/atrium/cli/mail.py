"""`atrium mail`: what was sent or waits to be, for an evening without a mail server and for whoever misses a mail."""

import asyncio
from typing import Annotated
from uuid import UUID

import asyncpg
import typer
from rich.text import Text

from atrium.cli.opened import DataDir, opened, settings_with
from atrium.cli.printable import printable
from atrium.cli.refusal import Refusal
from atrium.cli.shown import Row, aside, console, day, print_json, show_rows
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
            print_json(found) if as_json else _show_list(found, settings)
            return
        one = asyncio.run(_one(settings, mail_id))
    if one is None:
        raise Refusal(f"no mail {mail_id} is kept")
    print_json(one) if as_json else _show(one)


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


def _show_list(found: list[KeptMail], settings: Settings) -> None:
    if not found:
        aside().print("No mail is kept.")
        return
    show_rows([_row(each) for each in found])
    aside().print("\nWhole, with its text: [bold]atrium mail --id ID[/]")
    if settings.smtp_url is None:
        aside().print("ATRIUM_SMTP_URL is not set here: what waits goes once the server runs with it.")


def _row(kept: KeptMail) -> Row:
    return {
        "subject": kept.subject, "to": kept.to, "state": Text(kept.state, COLORS[kept.state]),
        "put down": day(kept.created_at), "id": str(kept.mail_id),
    }  # fmt: skip


def _show(kept: KeptMail) -> None:
    out = console()
    fields = {
        "id": str(kept.mail_id), "to": kept.to, "subject": kept.subject, "put down": kept.created_at,
        "state": kept.state, "sent": kept.sent_at, "attempts": str(kept.attempts),
        "next attempt": kept.next_attempt_at, "last error": kept.last_error,
    }  # fmt: skip
    for name, value in fields.items():
        if value is not None:
            out.print(Text.assemble((f"{name:13}", "dim"), printable(value)))
    out.print(Text(f"\n{printable(kept.text)}"))

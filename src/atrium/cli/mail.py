"""`atrium mail`: show sent and queued mail, to test without a mail server or to find out why mail did not arrive."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer
from rich.text import Text

from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.cli.output import Row, console, day, notes_console, print_json, show_rows
from atrium.cli.printable import printable
from atrium.kit.mail.queue import StoredMail, list_mail, read_mail
from atrium.kit.postgres.hosts import connect
from atrium.kit.settings import Settings

SHOWN = 20
COLORS = {"waiting": "yellow", "sent": "green", "refused": "red"}

Everything = Annotated[bool, typer.Option("--all", help="Show all stored mail, not only the newest 20.")]
MailId = Annotated[UUID | None, typer.Option("--id", metavar="ID", help="Show this mail, with its text.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON with texts: a list, or one object with --id.")]


def mail(
    everything: Everything = False, mail_id: MailId = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Show the mail of the last 30 days, newest first. Without ATRIUM_SMTP_URL, mail is stored and not sent."""
    with open_database(settings_with(data_dir=data_dir)) as settings:
        if mail_id is None:
            found = asyncio.run(_newest(settings, None if everything else SHOWN))
            print_json(found) if as_json else _show_list(found, settings)
            return
        one = asyncio.run(_one(settings, mail_id))
    if one is None:
        raise CommandError(f"mail {mail_id} not found")
    print_json(one) if as_json else _show(one)


async def _newest(settings: Settings, limit: int | None) -> list[StoredMail]:
    db = await connect(settings.database_url or "")
    try:
        return await list_mail(db, limit=limit)
    finally:
        await db.close()


async def _one(settings: Settings, mail_id: UUID) -> StoredMail | None:
    db = await connect(settings.database_url or "")
    try:
        return await read_mail(db, mail_id)
    finally:
        await db.close()


def _show_list(found: list[StoredMail], settings: Settings) -> None:
    if not found:
        notes_console().print("No mail.")
        return
    show_rows([_row(each) for each in found])
    notes_console().print("\nShow one with its text: [bold]atrium mail --id ID[/]")
    if settings.smtp_url is None:
        notes_console().print("ATRIUM_SMTP_URL is not set. Queued mail is sent once the server runs with it.")


def _row(mail: StoredMail) -> Row:
    return {
        "subject": mail.subject,
        "to": mail.to,
        "state": Text(mail.state, COLORS[mail.state]),
        "created": day(mail.created_at),
        "id": str(mail.mail_id),
    }


def _show(mail: StoredMail) -> None:
    out = console()
    fields = {
        "id": str(mail.mail_id),
        "to": mail.to,
        "subject": mail.subject,
        "created": mail.created_at,
        "state": mail.state,
        "sent": mail.sent_at,
        "attempts": str(mail.attempts),
        "next attempt": mail.next_attempt_at,
        "last error": mail.last_error,
    }
    for name, value in fields.items():
        if value is not None:
            out.print(Text.assemble((f"{name:13}", "dim"), printable(value)))
    out.print(Text(f"\n{printable(mail.text)}"))

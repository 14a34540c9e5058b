"""`atrium import slack`: import the history of a Slack workspace into rooms."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from atrium.cli.errors import CommandError
from atrium.cli.help_text import command_group
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.cli.output import notes_console, show_rows
from atrium.cli.phases import bars, note
from atrium.imports.actions import WrongDestination, exclusive_import, import_export
from atrium.imports.archive import Archive, BrokenExport, open_archive
from atrium.imports.contents import ExportContents
from atrium.imports.run import Count, Counters, Destination, Run
from atrium.imports.scan import scan_export
from atrium.kit.clock import utc_now
from atrium.kit.postgres.hosts import connect
from atrium.kit.settings import Settings

File = Annotated[Path, typer.Argument(metavar="FILE.zip", help="The export file from Slack.", show_default=False)]
OrganizationId = Annotated[UUID, typer.Option("--organization", metavar="ID", help="The organization to import into.")]
SpaceId = Annotated[UUID, typer.Option("--space", metavar="ID", help="The space in which channels become rooms.")]


app = command_group("Import history from another service.")


@app.command("slack")
def import_slack(file: File, organization: OrganizationId, space: SpaceId, data_dir: DataDir = None) -> None:
    """Import a standard Slack export: people, public channels as rooms, messages, threads, reactions.

    You can run it again, after an interruption or with a later export: it adds only what is missing.
    """
    try:
        with open_archive(file, utc_now()) as archive:
            with _progress() as progress:
                contents = _check(archive, progress)
            with open_database(settings_with(data_dir=data_dir)) as settings, _progress() as progress:
                into = Destination(organization, space)
                counters = asyncio.run(_import(settings, archive, contents, into, progress))
    except BrokenExport as error:
        raise CommandError(f"nothing was imported: {error}") from None
    except WrongDestination as error:
        raise CommandError(str(error)) from None
    _show(counters, contents)


def _progress() -> Progress:
    return bars(TextColumn("{task.description:20}"), BarColumn(bar_width=40), MofNCompleteColumn())


def _check(archive: Archive, progress: Progress) -> ExportContents:
    days = sum(map(len, archive.days.values()))
    task = progress.add_task("Checking day files", total=days)
    contents = scan_export(archive, lambda more: progress.advance(task, more))
    progress.update(task, total=progress.tasks[task].completed)
    return contents


async def _import(
    settings: Settings, archive: Archive, contents: ExportContents, into: Destination, progress: Progress
) -> Counters:
    task = progress.add_task("Importing messages", total=contents.messages)
    db = await connect(settings.database_url or "")
    try:
        async with exclusive_import(db, into, lambda: progress.console.print("Waiting for another import …")):
            run = Run(db, into, settings.base_url, utc_now(), lambda more: progress.advance(task, more))
            return await import_export(run, archive, contents)
    finally:
        await db.close()


def _show(counters: Counters, contents: ExportContents) -> None:
    show_rows([{"": name, "added": count.added, "already there": count.known} for name, count in _counts(counters)])
    for each in (*counters.warnings, *contents.left_out):
        note(notes_console(), each)


def _counts(counters: Counters) -> list[tuple[str, Count]]:
    bots = [("bots", counters.bots)] if counters.bots.added or counters.bots.known else []
    return [
        ("people", counters.people),
        *bots,
        ("rooms", counters.rooms),
        ("messages", counters.messages),
        ("  of them replies", counters.replies),
        ("reactions", counters.reactions),
    ]

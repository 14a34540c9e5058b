"""`atrium doctor`: check this installation."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, running_database, settings_with
from atrium.cli.operator import AsJson
from atrium.cli.output import console, notes_console, print_json, print_row
from atrium.cli.printable import printable
from atrium.kit.clock import Clock, utc_now
from atrium.kit.settings import Settings
from atrium.operations.checks import Finding, Verdict, fail, warn
from atrium.operations.checks.database import check_database
from atrium.operations.checks.external import check_external
from atrium.operations.checks.machine import check_machine

MARKS = {Verdict.OK: ("ok  ", "green"), Verdict.WARN: ("warn", "bold yellow"), Verdict.FAIL: ("FAIL", "bold red")}
COLUMN, INDENT, NARROW = 16, 6, 60


def doctor(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Check this installation and say how to fix what is wrong. Nothing is changed, no mail is sent.

    The exit status is 1 if a check fails.
    """
    findings = []
    for finding in _findings(data_dir):
        findings.append(finding)
        if not as_json:
            _show(finding)
    if as_json:
        print_json([_as_json(each) for each in findings])
    else:
        _sum_up(findings)
    if any(each.verdict is Verdict.FAIL for each in findings):
        raise typer.Exit(1)


def _as_json(finding: Finding) -> dict[str, str | None]:
    check, verdict, summary, advice = finding
    return {"check": check, "verdict": verdict, "summary": summary, "advice": advice}


def _findings(data_dir: Path | None) -> Iterator[Finding]:
    try:
        settings = settings_with(data_dir=data_dir)
    except CommandError as error:
        yield fail("settings", str(error), "See docs/settings.md for the valid values.")
        return
    yield from check_machine(settings)
    yield from _of_database(settings)
    yield from asyncio.run(_all(check_external(settings)))


def _of_database(settings: Settings, clock: Clock = utc_now) -> Iterator[Finding]:
    if settings.database_url is None and not (settings.data_dir / "postgres" / "PG_VERSION").exists():
        yield warn("PostgreSQL", "the data folder has no database yet", "Run atrium init.")
        return
    try:
        with running_database(settings) as running:
            yield from asyncio.run(_all(check_database(running, clock)))
    except (psycopg.Error, OSError, AssertionError, RuntimeError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        advice = f"Its log is {settings.data_dir / 'postgres' / 'log'}."
        yield fail("PostgreSQL", f"the embedded server does not start: {reason[:300]}", advice)


async def _all(findings: AsyncIterator[Finding]) -> list[Finding]:
    return [each async for each in findings]


def _show(finding: Finding) -> None:
    """Print a check, its finding, and what to do; below each other on a narrow terminal."""
    if not sys.stdout.isatty():
        print_row((finding.verdict, finding.check, finding.summary, finding.advice))
        return
    terminal = console(wrap=True)
    mark, color = MARKS[finding.verdict]
    text = Text(printable(finding.summary))
    if finding.advice:
        text.append(f"\n→ {finding.advice}")
    if terminal.width < NARROW:
        terminal.print(Text.assemble((mark, color), "  ", finding.check))
        terminal.print(Padding(text, (0, 0, 0, INDENT), expand=False))
        return
    grid = Table.grid(padding=(0, 2, 0, 0))
    for column in (len(mark), COLUMN, None):
        grid.add_column(width=column)
    grid.add_row(Text(mark, color), finding.check, text)
    terminal.print(grid)


def _sum_up(findings: list[Finding]) -> None:
    failed = sum(each.verdict is Verdict.FAIL for each in findings)
    warned = sum(each.verdict is Verdict.WARN for each in findings)
    if failed or warned:
        notes_console().print(
            Text.assemble(
                "\n",
                (f"{failed} failed", "bold red" if failed else ""),
                f", {warned} warning{'' if warned == 1 else 's'}.",
            )
        )
    else:
        notes_console().print(Text.assemble("\n", ("Everything is OK.", "green")))

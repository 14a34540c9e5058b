"""`atrium init`: create the first organization of a server, and its super_admin."""

import asyncio
import json
import sys
from typing import Annotated

import typer
from rich.markup import escape

from atrium.bootstrap.actions import lock_if_empty, set_up_with_keys
from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, next_command, open_database, settings_with
from atrium.cli.output import console, notes_console, print_row
from atrium.kit.clock import utc_now
from atrium.kit.postgres.hosts import connect
from atrium.kit.settings import Settings
from atrium.kit.text.types import is_name


def init(
    organization: Annotated[str, typer.Option(help="Name of the organization.")],
    email: Annotated[str, typer.Option(help="Email address of its first super_admin.")],
    name: Annotated[str | None, typer.Option(help="Name of the super_admin; by default from the address.")] = None,
    data_dir: DataDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Create the first organization, its super_admin, a space and a room. Print its keys, once."""
    if "@" not in email.strip("@"):
        raise CommandError(f"{email} is not an email address")
    if not all(is_name(each) for each in (organization, name) if each is not None):
        raise CommandError("a name must be a single line with at least one visible character")
    with open_database(settings_with(data_dir=data_dir)) as settings:
        created = asyncio.run(_in_database(settings, organization.strip(), email, name or email.partition("@")[0]))
    if as_json:
        print(json.dumps(created, indent=2))
    else:
        _show(created, next_command("serve", data_dir))


async def _in_database(settings: Settings, organization: str, email: str, name: str) -> dict[str, str]:
    db = await connect(settings.database_url or "")
    try:
        async with db.transaction():
            if not await lock_if_empty(db):
                raise CommandError(
                    "this server already has an organization. init runs once, on an empty database "
                    f"(this one is in {settings.data_dir}; choose another with --data-dir or ATRIUM_DATABASE_URL)"
                )
            return await set_up_with_keys(
                db, settings.base_url, organization=organization, email=email, name=name, now=utc_now()
            )
    finally:
        await db.close()


def _show(created: dict[str, str], next_step: str) -> None:
    width = max(map(len, created))
    for field, value in created.items():
        if sys.stdout.isatty():
            console().print(f"[dim]{field:{width}}[/]  {escape(value)}")
        else:
            print_row((field, value))
    notes_console().print(f"\nSave the two keys: they are shown only once. Next: [bold]{escape(next_step)}[/]")

"""`atrium init`: the first organization of a new server, with someone to run it."""

import asyncio
import json
import sys
from datetime import datetime
from typing import Annotated

import asyncpg
import msgspec
import typer
from rich.markup import escape

from atrium.audit import trail
from atrium.cli.opened import DataDir, opened, settings_with
from atrium.cli.refusal import Refusal
from atrium.cli.shown import aside, console, print_row
from atrium.founding.actions import found, founded_change, is_first
from atrium.integrations.actions import add_integration
from atrium.integrations.model import SpaceGrant
from atrium.keys.actions import issue_key
from atrium.keys.tokens import PERSONAL_PREFIX
from atrium.kit.clock import utc_now
from atrium.kit.database import Connection
from atrium.kit.settings import Settings
from atrium.kit.texts import is_name
from atrium.people.actions import make_sign_in_link
from atrium.permissions import OrganizationRole, SpaceRole


def init(
    organization: Annotated[str, typer.Option(help="Name of the organization.")],
    email: Annotated[str, typer.Option(help="E-mail address of its first super_admin.")],
    name: Annotated[str | None, typer.Option(help="Name of the super_admin; else taken from the address.")] = None,
    data_dir: DataDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make the first organization, its super_admin, a space and a room. The keys printed are shown this once."""
    if "@" not in email.strip("@"):
        raise Refusal(f"{email} is not an e-mail address")
    if not all(is_name(each) for each in (organization, name) if each is not None):
        raise Refusal("a name is one line with something visible in it")
    with opened(settings_with(data_dir=data_dir)) as settings:
        made = asyncio.run(_in_database(settings, organization.strip(), email, name or email.partition("@")[0]))
    if as_json:
        print(json.dumps(made, indent=2))
    else:
        _show(made)


async def _in_database(settings: Settings, organization: str, email: str, name: str) -> dict[str, str]:
    db = await asyncpg.connect(settings.database_url)
    try:
        async with db.transaction():
            if not await is_first(db):
                raise Refusal(
                    "this server has an organization already; init runs once, on an empty database (its "
                    f"folder is {settings.data_dir}; --data-dir names another, ATRIUM_DATABASE_URL another database)"
                )
            return await set_up(db, settings.base_url, organization=organization, email=email, name=name, now=utc_now())
    finally:
        await db.close()


async def set_up(
    db: Connection, base_url: str, *, organization: str, email: str, name: str, now: datetime
) -> dict[str, str]:
    """An organization that can be used at once; the ids and, this once, the keys."""
    made = await found(db, organization=organization, email=email, name=name, now=now)
    await trail.record(db, trail.system("atrium init", now), founded_change(made, organization, name))
    person_id = made.person_id
    personal = await issue_key(
        db, prefix=PERSONAL_PREFIX, owner=person_id, name="First key", created_by=person_id, now=now
    )
    integration = await add_integration(
        db, made.organization_id, name="First integration", description="Made by atrium init",
        role=OrganizationRole.ADMIN, spaces=[SpaceGrant(made.space_id, SpaceRole.ADMIN)], created_by=person_id, now=now,
    )  # fmt: skip
    return {name: str(value) for name, value in msgspec.structs.asdict(made).items()} | {
        "organization_key": integration.key,
        "personal_key": personal.key,
        "sign_in_url": await make_sign_in_link(db, person_id, base_url=base_url, now=now),
    }


def _show(made: dict[str, str]) -> None:
    width = max(map(len, made))
    for field, value in made.items():
        if sys.stdout.isatty():
            console().print(f"[dim]{field:{width}}[/]  {escape(value)}")
        else:
            print_row((field, value))
    aside().print("\nThe two keys are shown this once; keep them. Next: [bold]atrium serve[/]")

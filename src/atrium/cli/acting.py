"""Acting as the command line: by the same rules as through the API, as nobody who has an account, and in the audit
trail under a name of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar
from uuid import UUID

import asyncpg
import typer

from atrium.audit.trail import Origin, system
from atrium.cli import queries
from atrium.cli.opened import opened, settings_with
from atrium.cli.refusal import Refusal
from atrium.keys.caller import NOBODY, Call
from atrium.kit.addresses import AddressRules
from atrium.kit.clock import rfc3339, utc_now
from atrium.kit.errors import Problem
from atrium.kit.outbound import Outbound
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from atrium.kit.texts import OrganizationId
from atrium.organizations.actions import find_member
from atrium.organizations.membership import Member
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole

NAME = "atrium command line"
T = TypeVar("T")

InOrganization = Annotated[
    str | None,
    typer.Option("--organization", metavar="ORGANIZATION", help="Its id or name; not needed where there is one alone."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True)
class CommandCall(Call):
    """What a handler is called with from here."""

    @property
    def origin(self) -> Origin:
        """Nobody's account: whoever may run commands on the machine."""
        return system(NAME, self.now)


def act(data_dir: Path | None, action: Callable[[CommandCall], Awaitable[T]]) -> T:
    """Do it in one transaction, whether or not a server runs. Raises Refusal for what the house's rules refuse."""
    with opened(settings_with(data_dir=data_dir)) as settings:
        try:
            return asyncio.run(_in_transaction(settings, action))
        except Problem as problem:
            raise Refusal(problem.detail) from None


async def _in_transaction(settings: Settings, action: Callable[[CommandCall], Awaitable[T]]) -> T:
    db = await asyncpg.connect(settings.database_url)
    try:
        async with db.transaction():
            outbound = Outbound(AddressRules(settings.allowed_networks))
            return await action(
                CommandCall(
                    db,
                    NOBODY,
                    utc_now(),
                    settings,
                    outbound,
                    open_storage(settings),
                    writing=True,
                    address=None,
                    request_id="",
                    headers={},
                )
            )
    finally:
        await db.close()


async def find_organization(call: Call, given: str | None) -> Organization:
    """The organization of that id or name, or the only one; the command line may in it what a super_admin may."""
    rows = await call.db.fetch(queries.ORGANIZATIONS)
    names = {row: (str(row["organization_id"]), row["name"].lower()) for row in rows}
    wanted = [row for row in rows if given is None or given.lower() in names[row]]
    if len(wanted) == 1:
        row = wanted[0]
        id_ = OrganizationId(row["organization_id"])
        return Organization(id_, row["name"], rfc3339(row["created_at"]), OrganizationRole.SUPER_ADMIN)
    if not rows:
        raise Refusal("there is no organization yet; make one with atrium init")
    known = ", ".join(f"{row['name']} ({row['organization_id']})" for row in (wanted or rows)[:20])
    raise Refusal(f"which organization? --organization names one of {known}")


async def find_person(call: Call, organization: Organization, given: str) -> Member:
    """The member of that id or e-mail address."""
    found: UUID | None = await call.db.fetchval(queries.PERSON, organization.organization_id, given)
    if found is None:
        raise Refusal(f"{organization.name} has nobody with the id or e-mail address {given}")
    return await find_member(call.db, organization.organization_id, found)

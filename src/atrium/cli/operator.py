"""Run actions as the operator of this machine, who has no account. The API's rules apply; the audit log names the
command line as the actor."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from atrium.audit.trail import Origin, system
from atrium.cli.errors import CommandError
from atrium.cli.installation import open_database, settings_with
from atrium.keys.caller import NOBODY, Call
from atrium.kit.clock import utc_now
from atrium.kit.errors import Problem
from atrium.kit.http.paging import ListPage
from atrium.kit.http.peer import UNKNOWN_NETWORK
from atrium.kit.http.request import Paging
from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.outbound import Outbound
from atrium.kit.postgres.hosts import connect
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from atrium.organizations.membership import Member
from atrium.organizations.reach import Organization, find_member_by_id_or_email, list_all_organizations

NAME = "atrium command line"
MAX_LIMIT = 200
T = TypeVar("T")

InOrganization = Annotated[
    str | None,
    typer.Option("--organization", metavar="ORGANIZATION", help="Its id or name; not needed if there is only one."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True)
class CommandCall(Call):
    """The context of an action that a command calls."""

    @property
    def origin(self) -> Origin:
        """Return the command line as the origin of the change."""
        return system(NAME, self.now)


def act(data_dir: Path | None, action: Callable[[CommandCall], Awaitable[T]]) -> T:
    """Run an action in a transaction, with or without a running server. Raise CommandError for its errors."""
    with open_database(settings_with(data_dir=data_dir)) as settings:
        try:
            return asyncio.run(_in_transaction(settings, action))
        except Problem as problem:
            raise CommandError(problem.detail) from None


async def _in_transaction(settings: Settings, action: Callable[[CommandCall], Awaitable[T]]) -> T:
    db = await connect(settings.database_url or "")
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
                    network=UNKNOWN_NETWORK,
                    request_id="",
                    headers={},
                )
            )
    finally:
        await db.close()


async def find_organization(call: Call, given: str | None) -> Organization:
    """Return the organization with that id or name, or the only one, with the rights of a super_admin."""
    organizations = await list_all_organizations(call)
    matches = [
        each
        for each in organizations
        if given is None or given.lower() in (str(each.organization_id), each.name.lower())
    ]
    if len(matches) == 1:
        return matches[0]
    if not organizations:
        raise CommandError("there is no organization yet; create one with atrium init")
    choices = ", ".join(f"{each.name} ({each.organization_id})" for each in (matches or organizations)[:20])
    raise CommandError(f"choose an organization with --organization: {choices}")


async def find_person(call: Call, organization: Organization, given: str) -> Member:
    """Return the member with that id or email address."""
    found = await find_member_by_id_or_email(call, organization, given)
    if found is None:
        raise CommandError(f"{organization.name} has no member with the id or email address {given}")
    return found


async def all_pages(read: Callable[[Paging], Awaitable[ListPage[T]]]) -> list[T]:
    """Return the entries of all pages of a list."""
    entries, cursor = list[T](), None
    while True:
        page, cursor = await read(Paging(limit=MAX_LIMIT, cursor=cursor))
        entries += page
        if cursor is None:
            return entries

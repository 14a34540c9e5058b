"""Acting as the command line: by the same rules as through the API, as nobody who has an account, and in the audit
trail under a name of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import asyncpg
import typer

from atrium.audit.trail import Origin, system
from atrium.cli.opened import opened, settings_with
from atrium.cli.refusal import Refusal
from atrium.keys.caller import NOBODY, Call
from atrium.kit.addresses import AddressRules
from atrium.kit.clock import utc_now
from atrium.kit.errors import Problem
from atrium.kit.outbound import Outbound
from atrium.kit.paging import Page
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from atrium.kit.web import Paging
from atrium.organizations.membership import Member
from atrium.organizations.reach import Organization, find_member_called, list_all_organizations

NAME = "atrium command line"
MAX_LIMIT = 200
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
    known = await list_all_organizations(call)
    wanted = [
        each for each in known if given is None or given.lower() in (str(each.organization_id), each.name.lower())
    ]
    if len(wanted) == 1:
        return wanted[0]
    if not known:
        raise Refusal("there is no organization yet; make one with atrium init")
    named = ", ".join(f"{each.name} ({each.organization_id})" for each in (wanted or known)[:20])
    raise Refusal(f"which organization? --organization names one of {named}")


async def find_person(call: Call, organization: Organization, given: str) -> Member:
    """The member of that id or e-mail address."""
    found = await find_member_called(call, organization, given)
    if found is None:
        raise Refusal(f"{organization.name} has nobody with the id or e-mail address {given}")
    return found


async def all_pages(read: Callable[[Paging], Awaitable[Page[T]]]) -> list[T]:
    """Return the entries of all pages of a list."""
    entries, cursor = list[T](), None
    while True:
        page, cursor = await read(Paging(limit=MAX_LIMIT, cursor=cursor))
        entries += page
        if cursor is None:
            return entries

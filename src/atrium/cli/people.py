"""`atrium people`: manage the people of an organization on the server's machine."""

from typing import Annotated

import msgspec
import typer
from rich.text import Text

from atrium.cli.errors import CommandError
from atrium.cli.help_text import command_group
from atrium.cli.installation import DataDir
from atrium.cli.operator import AsJson, CommandCall, InOrganization, act, all_pages, find_organization, find_person
from atrium.cli.output import Row, console, day, notes_console, print_json, show_rows
from atrium.kit.http.request import decode_body
from atrium.organizations.actions import change_member, create_sign_in_link
from atrium.organizations.invitations.actions import create_invitation
from atrium.organizations.invitations.api import InvitationCreate
from atrium.organizations.membership import Member
from atrium.organizations.model import InvitationAnswer
from atrium.organizations.reach import list_members
from atrium.permissions import OrganizationRole

app = command_group("Manage the people of an organization.")
ROLES = ", ".join(OrganizationRole)

Person = Annotated[str, typer.Argument(metavar="PERSON", help="Email address or id.")]
Address = Annotated[str, typer.Argument(metavar="EMAIL", help="The email address to invite.")]
NewRole = Annotated[OrganizationRole, typer.Argument(metavar="ROLE", help=f"One of {ROLES}.")]
InvitedRole = Annotated[OrganizationRole, typer.Option("--role", metavar="ROLE", help=f"One of {ROLES}.")]


@app.command("list")
def list_people(organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the people of an organization with their roles."""

    async def read(call: CommandCall) -> list[Member]:
        chosen = await find_organization(call, organization)
        return await all_pages(lambda paging: list_members(call, chosen, paging))

    people = act(data_dir, read)
    if as_json:
        print_json(people)
        return
    show_rows([_row(each) for each in people])


@app.command()
def invite(
    email: Address, role: InvitedRole = OrganizationRole.MEMBER, organization: InOrganization = None,
    as_json: AsJson = False, data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Invite a person and email them. The token can be used once, within 14 days."""
    body = msgspec.json.encode({"email": email, "role": role})

    async def create(call: CommandCall) -> InvitationAnswer:
        content = decode_body(body, InvitationCreate)
        chosen = await find_organization(call, organization)
        return await create_invitation(call, chosen, email=content.email, role=content.role)

    created = act(data_dir, create)
    if as_json:
        print_json(created)
        return
    notes_console().print(
        Text.assemble(created.invitation.email, " was invited as ", (created.invitation.role, "bold"), ".\n")
    )
    console().print(created.token, markup=False)
    notes_console().print(
        "\nThe email contains a link with this token, which is shown only once and expires",
        day(created.invitation.expires_at),
    )


@app.command()
def role(
    person: Person, role: NewRole, organization: InOrganization = None, as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Change the role of a person. An organization keeps at least one super_admin."""
    _print_member(act(data_dir, lambda call: _change(call, organization, person, role=role)), as_json=as_json)


@app.command()
def deactivate(
    person: Person, organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Deactivate a person's account: keys and sessions stop immediately; messages are kept."""
    _print_member(act(data_dir, lambda call: _change(call, organization, person, active=False)), as_json=as_json)


@app.command()
def reactivate(
    person: Person, organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Reactivate a person's account, with its former role."""
    _print_member(act(data_dir, lambda call: _change(call, organization, person, active=True)), as_json=as_json)


@app.command("sign-in-link")
def sign_in_link(
    person: Person, organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Create a sign-in link. It works once, within 7 days."""

    async def create_link(call: CommandCall) -> str:
        chosen = await find_organization(call, organization)
        member = await find_person(call, chosen, person)
        if not member.active:
            raise CommandError(f"{member.name}'s account is deactivated; reactivate it with atrium people reactivate")
        return await create_sign_in_link(call, chosen, member)

    link = act(data_dir, create_link)
    print_json({"sign_in_url": link}) if as_json else print(link)


async def _change(
    call: CommandCall, organization: str | None, person: str, *, role: OrganizationRole | None = None,
    active: bool | None = None,
) -> Member:  # fmt: skip
    chosen = await find_organization(call, organization)
    member = await find_person(call, chosen, person)
    return await change_member(call, chosen, member.person_id, role=role, active=active)


def _print_member(member: Member, *, as_json: bool) -> None:
    if as_json:
        print_json(member)
    else:
        show_rows([_row(member)])


def _row(member: Member) -> Row:
    state = Text("active", "green") if member.active else Text("deactivated", "red")
    return {
        "name": member.name, "email": member.email, "role": member.role, "account": state,
        "since": day(member.created_at), "id": str(member.person_id),
    }  # fmt: skip

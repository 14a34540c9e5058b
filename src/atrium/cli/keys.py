"""`atrium keys`: manage API keys on the server's machine."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar
from uuid import UUID

import msgspec
import typer
from msgspec import UNSET

from atrium.cli.errors import CommandError
from atrium.cli.help_text import command_group
from atrium.cli.installation import DataDir
from atrium.cli.operator import AsJson, CommandCall, InOrganization, act, all_pages, find_organization, find_person
from atrium.cli.output import Row, console, day, notes_console, print_json, show_rows
from atrium.integrations.actions import add_api_key, create_api_key, revoke_api_key, rotate_api_key, update_api_key
from atrium.integrations.model import ApiKey, ApiKeyCreate, ApiKeyUpdate, FurtherKeyCreate, ShownApiKey
from atrium.integrations.reach import IntegrationNotFound, KeyOwner, find_key_owner, list_api_keys
from atrium.keys.actions import create_personal_key, revoke_personal_key, rotate_personal_key, update_personal_key
from atrium.keys.model import PersonalKey, PersonalKeyCreate, PersonalKeyUpdate, ShownPersonalKey
from atrium.keys.reach import ApiKeyNotFound, list_personal_keys
from atrium.kit.clock import rfc3339
from atrium.kit.http.request import decode_body
from atrium.kit.settings import duration
from atrium.organizations.model import SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole, Scope, SpaceRole
from atrium.spaces.reach import list_space_ids

app = command_group("Manage API keys of integrations and people.")
Content = TypeVar("Content")
ROLES = ", ".join(OrganizationRole)

OfPerson = Annotated[
    str | None, typer.Option("--person", metavar="PERSON", help="List the keys of this person: email address or id.")
]
ForPerson = Annotated[
    str | None,
    typer.Option("--person", metavar="PERSON", help="Create a personal key for them: email address or id."),
]
Name = Annotated[str, typer.Option(help="The name of the key; of an organization key, its integration's name.")]
Role = Annotated[OrganizationRole, typer.Option("--role", metavar="ROLE", help=f"The integration's role: {ROLES}.")]
Spaces = Annotated[
    list[str] | None,
    typer.Option("--space", metavar="ID=ROLE", help="A space that the integration can access; can be repeated."),
]
OfIntegration = Annotated[
    str | None, typer.Option("--integration", metavar="ID", help="Create another key for this integration.")
]
Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="SCOPE", help=f"All that the key may do; can be repeated: {', '.join(Scope)}."),
]
Networks = Annotated[
    list[str] | None,
    typer.Option("--network", metavar="CIDR", help="Where the key may be used; can be repeated."),
]
Expires = Annotated[
    str | None, typer.Option("--expires", metavar="WHEN", help="When it expires: 90d, or ISO 8601 time.")
]
KeyId = Annotated[UUID, typer.Argument(metavar="KEY_ID", help="The id of the key, as in the list.")]


@app.command("list")
def list_keys(
    person: OfPerson = None, organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """List the keys of the organization or a person. The secret values are not shown."""

    async def read(call: CommandCall) -> Sequence[ApiKey | PersonalKey]:
        chosen = await find_organization(call, organization)
        if person is None:
            return await all_pages(lambda paging: list_api_keys(call, chosen, paging))
        owner = await find_person(call, chosen, person)
        return await all_pages(lambda paging: list_personal_keys(call, owner.person_id, paging))

    keys = act(data_dir, read)
    if as_json:
        print_json(keys)
    elif keys:
        show_rows([_row(each) for each in keys])
    else:
        notes_console().print("No keys.")


@app.command()
def create(
    *, name: Name, person: ForPerson = None, role: Role = OrganizationRole.MEMBER, space: Spaces = None,
    integration: OfIntegration = None, scope: Scopes = None, network: Networks = None, expires: Expires = None,
    organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Create an integration with its organization key, another key of it, or a personal key.

    The key is shown only once.
    """
    if (person or integration) and (space or role is not OrganizationRole.MEMBER):
        raise CommandError("the key has the access of its person or integration; leave out --role and --space")
    if person and integration:
        raise CommandError("--person and --integration exclude each other")

    async def create_key(call: CommandCall) -> ShownApiKey | ShownPersonalKey:
        chosen = await find_organization(call, organization)
        limits = {
            "expires_at": _until(expires, call.now), "scopes": scope or None, "allowed_networks": network or None
        }  # fmt: skip
        if person is not None:
            return await _create_personal_key(call, chosen, person, {"name": name, **limits})
        if integration is not None:
            return await _create_further_key(call, chosen, integration, {"key_name": name, **limits})
        fields = {"name": name, "organization_role": role, "spaces": list(map(_grant, space or [])), **limits}
        return await _create_integration(call, chosen, _content(fields, ApiKeyCreate))

    _show_key(act(data_dir, create_key), as_json=as_json)


@app.command()
def narrow(
    *, key_id: KeyId, scope: Scopes = None, network: Networks = None, expires: Expires = None, as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Narrow what a key may do and from where, or change when it expires. It applies immediately.

    Scopes and networks cannot be widened: create another key for that.
    """
    if not (scope or network or expires):
        raise CommandError("nothing to change; use --scope, --network or --expires")

    async def narrow_key(call: CommandCall) -> ApiKey | PersonalKey:
        owner = await _owner(call, key_id)
        wanted = {
            "expires_at": _until(expires, call.now), "scopes": scope or None, "allowed_networks": network or None
        }  # fmt: skip
        fields = {name: value for name, value in wanted.items() if value is not None}
        if owner.organization_id is None:
            return await update_personal_key(call, owner.actor_id, key_id, _content(fields, PersonalKeyUpdate))
        organization = await find_organization(call, str(owner.organization_id))
        return await update_api_key(call, organization, key_id, _content(fields, ApiKeyUpdate))

    key = act(data_dir, narrow_key)
    if as_json:
        print_json(key)
    else:
        show_rows([_row(key)])


@app.command()
def rotate(key_id: KeyId, expires: Expires = None, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Rotate a key: the new one is shown only once, the old one stops working immediately.

    Use --expires to renew an expired key.
    """

    async def rotate_key(call: CommandCall) -> ShownApiKey | ShownPersonalKey:
        owner, until = await _owner(call, key_id), _until(expires, call.now)
        ends = UNSET if until is None else until
        if owner.organization_id is None:
            return await rotate_personal_key(call, owner.actor_id, key_id, ends)
        organization = await find_organization(call, str(owner.organization_id))
        return await rotate_api_key(call, organization, key_id, ends)

    _show_key(act(data_dir, rotate_key), as_json=as_json)


@app.command()
def revoke(key_id: KeyId, data_dir: DataDir = None) -> None:
    """Revoke a key. It stops working immediately."""

    async def revoke_key(call: CommandCall) -> str:
        owner = await _owner(call, key_id)
        if owner.organization_id is None:
            return f"{owner.name}'s {(await revoke_personal_key(call, owner.actor_id, key_id)).name}"
        organization = await find_organization(call, str(owner.organization_id))
        return (await revoke_api_key(call, organization, key_id)).name

    name = act(data_dir, revoke_key)
    console().print(f"Revoked the key of {name}.", markup=False)


async def _create_integration(call: CommandCall, organization: Organization, content: ApiKeyCreate) -> ShownApiKey:
    spaces = await list_space_ids(call, organization)
    for grant in content.spaces:
        if grant.space_id not in spaces:
            raise CommandError(f"{organization.name} has no space {grant.space_id}")
    return await create_api_key(call, organization, content)


async def _create_further_key(
    call: CommandCall, organization: Organization, integration: str, fields: Mapping[str, Any]
) -> ShownApiKey:
    try:
        return await add_api_key(call, organization, UUID(integration), _content(fields, FurtherKeyCreate))
    except (IntegrationNotFound, ValueError):
        raise CommandError(f"{organization.name} has no integration {integration} with keys") from None


async def _create_personal_key(
    call: CommandCall, organization: Organization, person: str, fields: Mapping[str, Any]
) -> ShownPersonalKey:
    member = await find_person(call, organization, person)
    if not member.active:
        raise CommandError(f"{member.name}'s account is deactivated, so a key for it would not work")
    return await create_personal_key(call, member.person_id, _content(fields, PersonalKeyCreate))


def _content(fields: Mapping[str, Any], kind: type[Content]) -> Content:
    return decode_body(msgspec.json.encode(fields), kind)


async def _owner(call: CommandCall, key_id: UUID) -> KeyOwner:
    try:
        return await find_key_owner(call, key_id)
    except ApiKeyNotFound:
        raise CommandError(f"key {key_id} not found; it may have been revoked") from None


def _grant(text: str) -> SpaceGrant:
    space_id, _, role = text.partition("=")
    try:
        return msgspec.convert({"space_id": space_id, "role": role or SpaceRole.MEMBER}, SpaceGrant)
    except msgspec.ValidationError:
        raise CommandError(f"--space {text}: use ID=ROLE, with a role of {', '.join(SpaceRole)}") from None


def _until(text: str | None, now: datetime) -> str | None:
    """Return the expiry as the API takes it: `90d` from now, or the time itself."""
    if text is None:
        return None
    try:
        return rfc3339(now + duration(text))
    except (ValueError, OverflowError):
        return text


def _row(key: ApiKey | PersonalKey) -> Row:
    row: dict[str, Any] = {"name": key.name, "ends with": key.last_four}
    if isinstance(key, ApiKey):
        row |= {"role": key.organization_role, "spaces": len(key.spaces)}
    return row | {
        "limits": _limits(key), "created": day(key.created_at), "last used": day(key.last_used_at) or "never",
        "expires": day(key.expires_at) or "never", "id": str(key.api_key_id),
    }  # fmt: skip


def _limits(key: ApiKey | PersonalKey) -> str:
    """Return the scopes and networks in a few words."""
    networks = key.allowed_networks or ()
    return ", ".join([*(key.scopes or ()), *(f"from {network}" for network in networks)]) or "none"


def _show_key(shown: ShownApiKey | ShownPersonalKey, *, as_json: bool) -> None:
    if as_json:
        print_json(shown)
        return
    console().print(shown.key, markup=False)
    notes_console().print(f"\nSave this key: it is shown only once. Its id is {shown.api_key.api_key_id}.", style="dim")

"""`atrium keys`: API keys, from the machine that they open."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
import typer
from msgspec import UNSET

from atrium.audit.trail import Change, Target
from atrium.cli import queries
from atrium.cli.acting import AsJson, CommandCall, InOrganization, act, find_organization, find_person
from atrium.cli.help_text import command_group
from atrium.cli.opened import DataDir
from atrium.cli.refusal import Refusal
from atrium.cli.shown import Row, aside, console, day, print_json, show_rows
from atrium.integrations.actions import SpaceGrant, create_integration
from atrium.integrations.api import (
    ApiKey,
    ApiKeyCreate,
    ShownApiKey,
    find_api_key,
    list_api_keys,
    revoke_api_key,
    rotate_api_key,
)  # fmt: skip
from atrium.keys.actions import issue_key, require_room_for_key, revoke_key, rotate_key
from atrium.keys.api import PersonalKey, PersonalKeyCreate, ShownPersonalKey, list_own_keys, own_key
from atrium.keys.caller import ActorKind, Caller
from atrium.keys.expiry import KeyRotation, expiry, renewed_expiry
from atrium.keys.tokens import PERSONAL_PREFIX
from atrium.kit.clock import rfc3339
from atrium.kit.decoding import decode_body
from atrium.kit.settings import duration
from atrium.kit.texts import ActorId, ApiKeyId
from atrium.kit.web import Content, Paging
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole, SpaceRole

app = command_group("API keys: of integrations, and of people.")
MOST = 200
ROLES = ", ".join(OrganizationRole)

OfPerson = Annotated[
    str | None, typer.Option("--person", metavar="PERSON", help="A person's own keys, by e-mail address or id.")
]
ForPerson = Annotated[
    str | None, typer.Option("--person", metavar="PERSON", help="Make a personal key of this person: address or id.")
]
Name = Annotated[str, typer.Option(help="What the key is for; of an organization key, its integration's name.")]
Role = Annotated[OrganizationRole, typer.Option("--role", metavar="ROLE", help=f"Of the integration: {ROLES}.")]
Spaces = Annotated[
    list[str] | None,
    typer.Option("--space", metavar="ID=ROLE", help="A space that the integration reaches; as often as you like."),
]
Expires = Annotated[str | None, typer.Option("--expires", metavar="WHEN", help="After 90d, or at an ISO 8601 time.")]
KeyId = Annotated[UUID, typer.Argument(metavar="KEY_ID", help="The key's id, as the list shows it.")]


@app.command("list")
def list_keys(
    person: OfPerson = None, organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """List the organization's keys, or a person's. The keys themselves are never shown again."""

    async def found(call: CommandCall) -> Sequence[ApiKey | PersonalKey]:
        chosen = await find_organization(call, organization)
        return await (_organization_keys(call, chosen) if person is None else _personal_keys(call, chosen, person))

    keys = act(data_dir, found)
    if as_json:
        print_json(keys)
    elif keys:
        show_rows([_row(each) for each in keys])
    else:
        aside().print("No keys.")


@app.command()
def create(
    *, name: Name, person: ForPerson = None, role: Role = OrganizationRole.MEMBER, space: Spaces = None,
    expires: Expires = None, organization: InOrganization = None, as_json: AsJson = False, data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Make an integration with its organization key, or a person's own key. The key is shown this once."""
    if person is not None and (space or role is not OrganizationRole.MEMBER):
        raise Refusal("a personal key reaches what its person reaches; leave out --role and --space")

    async def made(call: CommandCall) -> ShownApiKey | ShownPersonalKey:
        chosen = await find_organization(call, organization)
        until = _until(expires, call.now)
        if person is not None:
            return await _make_personal(call, chosen, person, name, until)
        fields = {
            "name": name,
            "organization_role": role,
            "spaces": list(map(_grant, space or [])),
            "expires_at": until,
        }
        content = decode_body(msgspec.json.encode(fields), ApiKeyCreate)
        return await _make_integration(call, chosen, content)

    _show_key(act(data_dir, made), as_json=as_json)


@app.command()
def rotate(key_id: KeyId, expires: Expires = None, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Replace a key: the new one is shown this once, the old one stops working at once.

    --expires renews one that has expired.
    """

    async def rotated(call: CommandCall) -> ShownApiKey | ShownPersonalKey:
        owner, until = await _owner(call, key_id), _until(expires, call.now)
        rotation = KeyRotation(UNSET if until is None else until)
        if isinstance(owner, Organization):
            made: ShownApiKey = await rotate_api_key(call, owner, key_id, Content(rotation))
            return made
        found = await own_key(owner, key_id)
        ends = renewed_expiry(found.expires_at, rotation.expires_at, call.now)
        key = await rotate_key(call.db, found.api_key_id, prefix=PERSONAL_PREFIX, expires_at=ends)
        shown = ShownPersonalKey(await own_key(owner, key_id), key)
        await _record_personal(call, owner, Change("personal_key.rotated", _target(found), None, found, shown.api_key))
        return shown

    _show_key(act(data_dir, rotated), as_json=as_json)


@app.command()
def revoke(key_id: KeyId, data_dir: DataDir = None) -> None:
    """Revoke a key: it stops working at once and for good."""

    async def revoked(call: CommandCall) -> str:
        owner = await _owner(call, key_id)
        if isinstance(owner, Organization):
            found: ApiKey | PersonalKey = await find_api_key(call, owner, key_id)
            await revoke_api_key(call, owner, key_id)
            return found.name
        found = await own_key(owner, key_id)
        await revoke_key(call.db, found.api_key_id, now=call.now)
        await _record_personal(call, owner, Change("personal_key.revoked", _target(found), before=found))
        return f"{owner.caller.name}'s {found.name}"

    name = act(data_dir, revoked)
    console().print(f"The key of {name} is revoked.", markup=False)


async def _organization_keys(call: CommandCall, organization: Organization) -> Sequence[ApiKey]:
    keys, cursor = list[ApiKey](), None
    while True:
        page = await list_api_keys(call, organization, Paging(limit=MOST, cursor=cursor))
        keys, cursor = keys + page.api_keys, page.next_cursor
        if cursor is None:
            return keys


async def _personal_keys(call: CommandCall, organization: Organization, person: str) -> Sequence[PersonalKey]:
    member = await find_person(call, organization, person)
    as_owner, keys, cursor = _as_owner(call, member.person_id, member.name), list[PersonalKey](), None
    while True:
        page = await list_own_keys(as_owner, Paging(limit=MOST, cursor=cursor))
        keys, cursor = keys + page.integrations, page.next_cursor
        if cursor is None:
            return keys


async def _make_integration(call: CommandCall, organization: Organization, content: ApiKeyCreate) -> ShownApiKey:
    known = {row["space_id"] for row in await call.db.fetch(queries.SPACES, organization.organization_id)}
    for grant in content.spaces:
        if grant.space_id not in known:
            raise Refusal(f"{organization.name} has no space {grant.space_id}")
    issued = await create_integration(
        call.db, organization.organization_id, name=content.name, description=content.description,
        role=content.organization_role, spaces=content.spaces, created_by=None, now=call.now,
        expires_at=expiry(content.expires_at, call.now),
    )  # fmt: skip
    made = await find_api_key(call, organization, issued.api_key_id)
    target = Target("api_key", made.api_key_id, made.name)
    await call.record(Change("api_key.created", target, organization.organization_id, after=made))
    return ShownApiKey(made, issued.key)


async def _make_personal(
    call: CommandCall, organization: Organization, person: str, name: str, until: str | None
) -> ShownPersonalKey:
    member = await find_person(call, organization, person)
    if not member.active:
        raise Refusal(f"{member.name}'s account is deactivated; a key of it would not work")
    content = decode_body(msgspec.json.encode({"name": name, "expires_at": until}), PersonalKeyCreate)
    await require_room_for_key(call.db, member.person_id)
    issued = await issue_key(
        call.db, prefix=PERSONAL_PREFIX, owner=member.person_id, name=content.name, created_by=None, now=call.now,
        expires_at=expiry(content.expires_at, call.now),
    )  # fmt: skip
    owner = _as_owner(call, member.person_id, member.name)
    made = await own_key(owner, issued.api_key_id)
    await _record_personal(call, owner, Change("personal_key.created", _target(made), after=made))
    return ShownPersonalKey(made, issued.key)


async def _owner(call: CommandCall, key_id: UUID) -> Organization | CommandCall:
    """The organization that an organization key is of, or a call as the person that a personal key is of."""
    row = await call.db.fetchrow(queries.KEY_OWNER, key_id)
    if row is None:
        raise Refusal(f"there is no key {key_id}; it may have been revoked")
    if row["organization_id"] is not None:
        return await find_organization(call, str(row["organization_id"]))
    return _as_owner(call, row["actor_id"], row["name"])


def _as_owner(call: CommandCall, person_id: ActorId, name: str) -> CommandCall:
    return replace(call, caller=Caller(person_id, ActorKind.PERSON, name, ApiKeyId(UUID(int=0))))


async def _record_personal(call: CommandCall, owner: CommandCall, change: Change) -> None:
    """Tell each organization that the owner belongs to."""
    for row in await call.db.fetch(queries.ORGANIZATIONS_OF, owner.caller.actor_id):
        await call.record(replace(change, organization_id=row["organization_id"]))


def _target(key: PersonalKey) -> Target:
    return Target("personal_key", key.api_key_id, key.name)


def _grant(text: str) -> SpaceGrant:
    space_id, _, role = text.partition("=")
    try:
        return msgspec.convert({"space_id": space_id, "role": role or SpaceRole.MEMBER}, SpaceGrant)
    except msgspec.ValidationError:
        raise Refusal(f"--space {text}: write ID=ROLE, with a role of {', '.join(SpaceRole)}") from None


def _until(text: str | None, now: datetime) -> str | None:
    """The time at which a key ends, as the API takes it: `90d` from now, or the time itself."""
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
        "made": day(key.created_at), "last used": day(key.last_used_at) or "never",
        "expires": day(key.expires_at) or "never", "id": str(key.api_key_id),
    }  # fmt: skip


def _show_key(shown: ShownApiKey | ShownPersonalKey, *, as_json: bool) -> None:
    if as_json:
        print_json(shown)
        return
    console().print(shown.key, markup=False)
    aside().print(f"\nThis key is shown once; keep it. Its id is {shown.api_key.api_key_id}.", style="dim")

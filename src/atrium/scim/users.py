"""What a directory does to users: people of the organization, their membership, name and address.

All of it under the organization's lock, so that names are taken once and the last super_admin stays.
"""

from typing import Any
from uuid import UUID

from scim2_models import Context

from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.texts import ActorId
from atrium.organizations import queries as organization_queries
from atrium.organizations.actions import add_member, find_member, set_member, take_out_member
from atrium.organizations.reach import Organization
from atrium.people.actions import add_person
from atrium.people.queries import BY_EMAIL
from atrium.permissions import OrganizationRole
from atrium.scim import profile, queries, requests
from atrium.scim.errors import NotUnique, ResourceNotFound
from atrium.scim.etags import require_match
from atrium.scim.kinds import USERS, Entry, entries
from atrium.scim.resources import USER, User

Json = dict[str, Any]


async def read_user(call: Call, organization: Organization, user_id: UUID) -> Entry:
    """The user. Raises ResourceNotFound."""
    found = await entries(call, organization, USERS, [user_id])
    if not found:
        raise ResourceNotFound
    return found[0]


async def create_user(call: Call, organization: Organization, payload: Json) -> Entry:
    """A new person who is a member, or the organization's own person of that name or address, taken over.

    Raises ScimRefusal, NotUnique, LastSuperAdmin.
    """
    user = requests.whole(USER, payload, Context.RESOURCE_CREATION_REQUEST)
    await call.db.execute(organization_queries.LOCK, organization.organization_id)
    person_id = await _person_for(call, organization, user)
    if user.active is None:
        user.active = (await find_member(call.db, organization.organization_id, person_id)).active
    await _write(call, organization, person_id, user)
    return await read_user(call, organization, person_id)


async def replace_user(
    call: Call, organization: Organization, user_id: UUID, payload: Json, version: str | None
) -> Entry:
    """The user as he is now said to be. Raises ResourceNotFound, VersionMismatch and what `create_user` does."""
    entry = await _held(call, organization, user_id, version)
    user = requests.whole(USER, payload, Context.RESOURCE_REPLACEMENT_REQUEST)
    if user.active is None:  # whoever is locked out does not come back by what is left unsaid
        user.active = entry.document.get("active")
    return await _change(call, organization, entry, user)


async def patch_user(
    call: Call, organization: Organization, user_id: UUID, payload: Json, version: str | None
) -> Entry:
    """The user with the operations applied. Raises what `replace_user` does."""
    entry = await _held(call, organization, user_id, version)
    patch = requests.patch(USER, requests.operations(payload))
    user = requests.apply(patch, USER.model_validate(entry.document, scim_ctx=None))
    return await _change(call, organization, entry, user)


async def delete_user(call: Call, organization: Organization, user_id: UUID, version: str | None) -> None:
    """The person leaves the organization; history keeps the name. Raises ResourceNotFound, LastSuperAdmin."""
    await _held(call, organization, user_id, version)
    member = await find_member(call.db, organization.organization_id, user_id)
    await take_out_member(call, organization, member)


async def _held(call: Call, organization: Organization, user_id: UUID, version: str | None) -> Entry:
    """The user, under the organization's lock. Raises ResourceNotFound, VersionMismatch."""
    await call.db.execute(organization_queries.LOCK, organization.organization_id)
    entry = await read_user(call, organization, user_id)
    require_match(entry.etag, version)
    return entry


async def _change(call: Call, organization: Organization, entry: Entry, user: User) -> Entry:
    """Write what differs; where nothing does, nothing is written and nothing is noted."""
    before = USER.model_validate(entry.document, scim_ctx=None)
    if profile.attributes_of(user) == profile.attributes_of(before):
        return entry
    await _require_free_name(call, organization, entry.id, user)
    await _write(call, organization, entry.id, user)
    return await read_user(call, organization, entry.id)


async def _write(call: Call, organization: Organization, person_id: UUID, user: User) -> None:
    member = await find_member(call.db, organization.organization_id, person_id)
    if user.active is not None and user.active != member.active:
        await set_member(call, organization, member, role=member.role, active=user.active)
    attributes, keys = profile.attributes_of(user), profile.keys_of(user)
    where = (organization.organization_id, person_id)
    await call.db.execute(queries.WRITE_USER, *where, requests.as_text(attributes), *keys, call.now)
    if not await call.db.fetchval(queries.ELSEWHERE, *where):
        await call.db.execute(queries.RENAME, person_id, profile.name_of(user))
        if _may_readdress(organization, member.role):
            await _readdress(call, person_id, user)


def _may_readdress(organization: Organization, role: OrganizationRole) -> bool:
    """An admin's mail goes elsewhere only by a super_admin's word: whoever gets it can set his password."""
    return organization.role is OrganizationRole.SUPER_ADMIN or not role.holds(OrganizationRole.ADMIN)


async def _readdress(call: Call, person_id: UUID, user: User) -> None:
    address = profile.address_of(user)
    if address is None:
        return
    owner = await call.db.fetchval(BY_EMAIL, address)
    if owner is not None and owner != person_id:
        raise NotUnique(f"Another account has the address {address}.")
    await call.db.execute(queries.READDRESS, person_id, address)


async def _person_for(call: Call, organization: Organization, user: User) -> ActorId:
    """Whom a new user is about, as a member of the organization. Raises NotUnique where a directory has him already."""
    where, address = organization.organization_id, profile.address_of(user)
    found = await _directory_row(call, organization, queries.DIRECTORY_BY_NAME, profile.keys_of(user).user_name)
    if found is None and address is not None:
        person_id: ActorId | None = await call.db.fetchval(BY_EMAIL, address)
        found = await _directory_row(call, organization, queries.DIRECTORY_BY_ID, person_id)
    else:
        person_id = None
    if found is not None:
        if found["provisioned"]:
            raise NotUnique(f"A user named {user.user_name} or with that address is in the directory already.")
        return ActorId(found["id"])
    if person_id is None:
        person_id = await add_person(call.db, name=profile.name_of(user), email=address, now=call.now)
    await add_member(call.db, where, person_id, role=OrganizationRole.MEMBER, now=call.now)
    return person_id


async def _directory_row(call: Call, organization: Organization, statement: str, key: object) -> Record | None:
    return await call.db.fetchrow(statement, organization.organization_id, key)


async def _require_free_name(call: Call, organization: Organization, user_id: UUID, user: User) -> None:
    key = profile.keys_of(user).user_name
    owner = await _directory_row(call, organization, queries.DIRECTORY_BY_NAME, key)
    if owner is not None and owner["id"] != user_id:
        raise NotUnique(f"A user named {user.user_name} is in the directory already.")

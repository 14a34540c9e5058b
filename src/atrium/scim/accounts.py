"""Map SCIM users to people: their membership, name and email address.

All functions run under the organization's lock.
"""

from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.postgres.database import Record
from atrium.kit.text.types import ActorId
from atrium.organizations.actions import add_member, set_member
from atrium.organizations.adoption import Addition, join_by_address
from atrium.organizations.queries import BELONGS_ELSEWHERE, TO_BE_ACTIVE
from atrium.organizations.reach import Organization, find_member
from atrium.people.actions import add_person
from atrium.people.queries import BY_EMAIL, LOCK, LOCK_BY_EMAIL
from atrium.permissions import OrganizationRole
from atrium.scim import profile, queries, requests
from atrium.scim.errors import NotUnique
from atrium.scim.resources import User


async def person_for(call: Call, organization: Organization, user: User) -> ActorId:
    """Return the person for a new user, as a member. Raise NotUnique if the `userName` is taken.

    The first of these that exists:
    1. a member with this name or address whom no directory has provisioned;
    2. another organization's person with this address, who is activated once they accept;
    3. a new person.
    """
    row = await _row(call, organization, queries.DIRECTORY_BY_NAME, profile.keys_of(user).user_name)
    if row is not None and row["provisioned"]:
        raise NotUnique(f"A user named {user.user_name} is already in the directory.")
    address = profile.address_of(user)
    taken = None if address is None else await call.db.fetchrow(LOCK_BY_EMAIL, address)
    owner = ActorId(taken["person_id"]) if taken is not None and taken["is_same"] else None
    row = row or await _row(call, organization, queries.DIRECTORY_BY_ID, owner)
    if row is not None and not row["provisioned"]:
        return ActorId(row["id"])
    person_id = owner if row is None else None  # the address belongs to another user here: two people share it
    where = organization.organization_id
    if person_id is not None and address is not None:
        added = Addition(profile.name_of(user), address, user.active is not False)
        await join_by_address(call.db, where, person_id, added, base_url=call.settings.base_url, now=call.now)
    else:
        free = address if taken is None else None
        person_id = await add_person(call.db, name=profile.name_of(user), email=free, now=call.now)
        await add_member(call.db, where, person_id, role=OrganizationRole.MEMBER, now=call.now)
    return person_id


async def will_be_active(call: Call, organization: Organization, person_id: UUID) -> bool:
    """Return whether the member is active, or will be once the person accepts."""
    found: bool = await call.db.fetchval(TO_BE_ACTIVE, organization.organization_id, person_id)
    return found


async def require_free_name(call: Call, organization: Organization, user_id: UUID, user: User) -> None:
    """Raise NotUnique if another user of the organization has the `userName`."""
    row = await _row(call, organization, queries.DIRECTORY_BY_NAME, profile.keys_of(user).user_name)
    if row is not None and row["id"] != user_id:
        raise NotUnique(f"A user named {user.user_name} is already in the directory.")


async def write_user(call: Call, organization: Organization, person_id: UUID, user: User) -> None:
    """Store the directory's attributes and update membership, name and address. Raise LastSuperAdmin.

    The name and the address of people who belong to several organizations do not change, so that no organization can
    rename them or redirect their mail. Until they accept, the organization has a name and an address of its own for
    them. Only a super_admin changes the address of an admin, because access to that mailbox is enough to reset the
    password.
    """
    await call.db.execute(LOCK, person_id)
    member = await find_member(call.db, organization.organization_id, person_id)
    if user.active is not None and user.active != await will_be_active(call, organization, person_id):
        await set_member(call, organization, member, role=member.role, active=user.active)
    attributes, where = requests.as_text(profile.attributes_of(user)), (organization.organization_id, person_id)
    await call.db.execute(queries.WRITE_USER, *where, attributes, *profile.keys_of(user), call.now)
    named = (profile.name_of(user), profile.address_of(user))
    if await call.db.fetchval(queries.WRITE_PENDING, *where, *named) is not None:
        return
    if await call.db.fetchval(BELONGS_ELSEWHERE, *where):
        return
    await call.db.execute(queries.RENAME, person_id, profile.name_of(user))
    if organization.role is OrganizationRole.SUPER_ADMIN or not member.role.holds(OrganizationRole.ADMIN):
        await _update_email(call, person_id, user)


async def _update_email(call: Call, person_id: UUID, user: User) -> None:
    """Set the directory's address, unless another account has it."""
    address = profile.address_of(user)
    owner = None if address is None else await call.db.fetchval(BY_EMAIL, address)
    if address is not None and owner in (None, person_id):
        await call.db.execute(queries.SET_EMAIL, person_id, address, call.now)


async def _row(call: Call, organization: Organization, statement: str, key: object) -> Record | None:
    return await call.db.fetchrow(statement, organization.organization_id, key)

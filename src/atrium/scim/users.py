"""Create, replace, patch and delete users, each with an entry in the audit log.

Everything runs under the organization's lock, so that names stay unique and a super_admin remains.
"""

from typing import Any
from uuid import UUID

from scim2_models import Context

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.organizations import queries as organization_queries
from atrium.organizations.actions import remove_membership
from atrium.organizations.member_keys.actions import with_working_keys
from atrium.organizations.reach import Organization, find_member
from atrium.scim import accounts, profile, requests
from atrium.scim.errors import ResourceNotFound
from atrium.scim.etags import require_match
from atrium.scim.kinds import USERS, Entry, entries
from atrium.scim.resources import USER, User

Json = dict[str, Any]


async def read_user(call: Call, organization: Organization, user_id: UUID) -> Entry:
    """Return the user. Raise ResourceNotFound."""
    found = await entries(call, organization, USERS, [user_id])
    if not found:
        raise ResourceNotFound
    return found[0]


async def create_user(call: Call, organization: Organization, payload: Json) -> Entry:
    """Create a member, or take over the organization's own person with that name or address.

    Raise ScimError, NotUnique, LastSuperAdmin.
    """
    user = requests.full_resource(USER, payload, Context.RESOURCE_CREATION_REQUEST)
    profile.require_new_names(user)
    await call.lock(organization_queries.LOCK, organization.organization_id)
    person_id = await accounts.person_for(call, organization, user)
    if user.active is None:
        user.active = await accounts.will_be_active(call, organization, person_id)
    await accounts.write_user(call, organization, person_id, user)
    entry = await read_user(call, organization, person_id)
    await call.record(_change("user.created", organization, after=entry))
    return entry


async def replace_user(
    call: Call, organization: Organization, user_id: UUID, payload: Json, version: str | None
) -> Entry:
    """Replace the user. Raise ResourceNotFound, VersionMismatch and the errors of `create_user`."""
    entry = await _lock_user(call, organization, user_id, version)
    user = requests.full_resource(USER, payload, Context.RESOURCE_REPLACEMENT_REQUEST)
    if user.active is None:  # omitting `active` does not reactivate a user
        user.active = entry.document.get("active")
    return await _update(call, organization, entry, user)


async def patch_user(
    call: Call, organization: Organization, user_id: UUID, payload: Json, version: str | None
) -> Entry:
    """Apply the operations to the user. Raise the errors of `replace_user`."""
    entry = await _lock_user(call, organization, user_id, version)
    operations = requests.operations(payload)
    user = requests.apply(requests.patch(USER, operations), _model(entry)) if operations else _model(entry)
    return await _update(call, organization, entry, user)


async def delete_user(call: Call, organization: Organization, user_id: UUID, version: str | None) -> None:
    """Remove the person from the organization; history keeps the name. Raise ResourceNotFound, LastSuperAdmin."""
    entry = await _lock_user(call, organization, user_id, version)
    member = await find_member(call.db, organization.organization_id, user_id)
    await remove_membership(call, organization, member)
    await call.record(_change("user.deleted", organization, before=entry))


async def _lock_user(call: Call, organization: Organization, user_id: UUID, version: str | None) -> Entry:
    """Lock the organization and return the user. Raise ResourceNotFound, VersionMismatch."""
    await call.lock(organization_queries.LOCK, organization.organization_id)
    entry = await read_user(call, organization, user_id)
    require_match(entry.etag, version)
    return entry


async def _update(call: Call, organization: Organization, before: Entry, user: User) -> Entry:
    """Write and log what differs, if anything does."""
    if profile.attributes_of(user) == profile.attributes_of(_model(before)):
        return before
    profile.require_new_names(user, _model(before))
    await accounts.require_free_name(call, organization, before.id, user)
    await accounts.write_user(call, organization, before.id, user)
    after = await read_user(call, organization, before.id)
    turned = (before.document.get("active", True), after.document.get("active", True))
    action = {(True, False): "user.deactivated", (False, True): "user.reactivated"}.get(turned, "user.updated")
    change = _change(action, organization, before=before, after=after)
    if action == "user.reactivated":
        change = await with_working_keys(call, organization.organization_id, before.id, change)
    await call.record(change)
    return after


def _model(entry: Entry) -> User:
    return USER.model_validate(entry.document, scim_ctx=None)


def _change(
    action: str, organization: Organization, *, before: Entry | None = None, after: Entry | None = None
) -> Change:
    """Return the change of a user for the audit log: the directory's attributes before and after."""
    attributes = [None if entry is None else profile.attributes_of(_model(entry)) for entry in (before, after)]
    entry = after or before
    if entry is None:
        raise ValueError("a change of a user needs the state before or after")
    target = Target("person", entry.id, profile.name_of(_model(entry)))
    return Change(action, target, organization.organization_id, *attributes)

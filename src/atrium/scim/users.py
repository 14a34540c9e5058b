"""What a directory does to users: created, replaced, patched, deleted, each with its entry in the audit trail.

All of it under the organization's lock, so that a name is taken once and the last super_admin stays.
"""

from typing import Any
from uuid import UUID

from scim2_models import Context

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.organizations import queries as organization_queries
from atrium.organizations.actions import take_out_member
from atrium.organizations.reach import Organization, find_member
from atrium.scim import accounts, profile, requests
from atrium.scim.errors import ResourceNotFound
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
    profile.require_new_names(user)
    await call.db.execute(organization_queries.LOCK, organization.organization_id)
    person_id = await accounts.person_for(call, organization, user)
    if user.active is None:
        user.active = await accounts.is_to_be_active(call, organization, person_id)
    await accounts.write(call, organization, person_id, user)
    entry = await read_user(call, organization, person_id)
    await call.record(_change("user.created", organization, after=entry))
    return entry


async def replace_user(
    call: Call, organization: Organization, user_id: UUID, payload: Json, version: str | None
) -> Entry:
    """The user as he is now said to be. Raises ResourceNotFound, VersionMismatch and what `create_user` does."""
    entry = await _held(call, organization, user_id, version)
    user = requests.whole(USER, payload, Context.RESOURCE_REPLACEMENT_REQUEST)
    if user.active is None:  # whoever is locked out does not come back by what is left unsaid
        user.active = entry.document.get("active")
    return await _update(call, organization, entry, user)


async def patch_user(
    call: Call, organization: Organization, user_id: UUID, payload: Json, version: str | None
) -> Entry:
    """The user with the operations applied. Raises what `replace_user` does."""
    entry = await _held(call, organization, user_id, version)
    patch = requests.patch(USER, requests.operations(payload))
    return await _update(call, organization, entry, requests.apply(patch, _model(entry)))


async def delete_user(call: Call, organization: Organization, user_id: UUID, version: str | None) -> None:
    """The person leaves the organization; history keeps the name. Raises ResourceNotFound, LastSuperAdmin."""
    entry = await _held(call, organization, user_id, version)
    member = await find_member(call.db, organization.organization_id, user_id)
    await take_out_member(call, organization, member)
    await call.record(_change("user.deleted", organization, before=entry))


async def _held(call: Call, organization: Organization, user_id: UUID, version: str | None) -> Entry:
    """The user, under the organization's lock. Raises ResourceNotFound, VersionMismatch."""
    await call.db.execute(organization_queries.LOCK, organization.organization_id)
    entry = await read_user(call, organization, user_id)
    require_match(entry.etag, version)
    return entry


async def _update(call: Call, organization: Organization, before: Entry, user: User) -> Entry:
    """Write what differs; where nothing does, nothing is written and nothing is noted."""
    if profile.attributes_of(user) == profile.attributes_of(_model(before)):
        return before
    profile.require_new_names(user, _model(before))
    await accounts.require_free_name(call, organization, before.id, user)
    await accounts.write(call, organization, before.id, user)
    after = await read_user(call, organization, before.id)
    turned = (before.document.get("active", True), after.document.get("active", True))
    action = {(True, False): "user.deactivated", (False, True): "user.reactivated"}.get(turned, "user.updated")
    await call.record(_change(action, organization, before=before, after=after))
    return after


def _model(entry: Entry) -> User:
    return USER.model_validate(entry.document, scim_ctx=None)


def _change(
    action: str, organization: Organization, *, before: Entry | None = None, after: Entry | None = None
) -> Change:
    """What the audit trail is told of a change of a user: what the directory says of him, on both sides."""
    said = [None if each is None else profile.attributes_of(_model(each)) for each in (before, after)]
    entry = after or before
    if entry is None:
        raise ValueError("a change of a user has a side")
    target = Target("person", entry.id, profile.name_of(_model(entry)))
    return Change(action, target, organization.organization_id, *said)

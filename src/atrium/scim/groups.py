"""Create, replace, patch and delete groups. Changes of one group are serialized, those of several are concurrent."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from scim2_models import Context, ScimFilter

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Record
from atrium.organizations.reach import Organization
from atrium.scim import queries, requests
from atrium.scim.errors import ResourceNotFound, ScimError
from atrium.scim.etags import require_match
from atrium.scim.kinds import GROUPS, Entry, Members, entries
from atrium.scim.members import Add, Remove, RemoveMatching, Replace, Step, ids, split_member_operations
from atrium.scim.normalization import exact, folded, require_bounded, require_names
from atrium.scim.resources import Group, library_errors

Json = dict[str, Any]


class MemberChanges(NamedTuple):
    """The ids of the members that a step added and removed."""

    added: list[str]
    removed: list[str]


NOT_STORED = {"id", "meta", "schemas", "members"}


async def read_group(
    call: Call, organization: Organization, group_id: UUID, *, members: Members = Members.IDS
) -> Entry:
    """Return the group. Raise ResourceNotFound."""
    found = await entries(call, organization, GROUPS, [group_id], members=members)
    if not found:
        raise ResourceNotFound
    return found[0]


async def create_group(call: Call, organization: Organization, payload: Json) -> UUID:
    """Create a group with its members. Raise ScimError."""
    group = requests.full_resource(Group, payload, Context.RESOURCE_CREATION_REQUEST)
    require_names([group.display_name])
    await call.lock(queries.LOCK_SHARED, organization.organization_id)
    group_id = new_id(call.now)
    display_key, external_key, attributes = _columns(group)
    row = (organization.organization_id, group_id, display_key, external_key, requests.as_text(attributes), call.now)
    await call.db.execute(queries.ADD_GROUP, *row)
    changes = await _apply(call, organization, group_id, Add(ids(_members(group))))
    after = {**attributes, "members_added": changes.added}
    await call.record(_change_of("group.created", organization, group_id, None, after))
    return group_id


async def replace_group(
    call: Call, organization: Organization, group_id: UUID, payload: Json, version: str | None
) -> None:
    """Replace the group. Raise ResourceNotFound, VersionMismatch, ScimError."""
    before = await _lock_group(call, organization, group_id, version)
    group = requests.full_resource(Group, payload, Context.RESOURCE_REPLACEMENT_REQUEST)
    await _change(call, organization, before, group, [Replace(ids(_members(group)))])


async def patch_group(
    call: Call, organization: Organization, group_id: UUID, payload: Json, version: str | None
) -> None:
    """Apply the operations to the group. Raise ResourceNotFound, VersionMismatch, ScimError."""
    before = await _lock_group(call, organization, group_id, version)
    steps, others = split_member_operations(requests.operations(payload))
    group = _model(before)
    if others:
        group = requests.apply(requests.patch(Group, others), group)
    await _change(call, organization, before, group, steps)


async def delete_group(call: Call, organization: Organization, group_id: UUID, version: str | None) -> None:
    """Delete the group and the roles that it gave. Raise ResourceNotFound, VersionMismatch."""
    await _lock_group(call, organization, group_id, version)
    entry = await read_group(call, organization, group_id)
    await call.db.execute(queries.DELETE_GROUP, organization.organization_id, group_id)
    members = [each["value"] for each in msgspec.json.decode(entry.members or "[]")]
    before = {**_columns(_model(entry))[2], "members": members}
    await call.record(_change_of("group.deleted", organization, group_id, before, None))


async def _lock_group(call: Call, organization: Organization, group_id: UUID, version: str | None) -> Entry:
    """Lock the group and return it without its members. Raise ResourceNotFound, VersionMismatch."""
    await call.db.execute(queries.LOCK_SHARED, organization.organization_id)
    await call.lock(queries.LOCK_GROUP, organization.organization_id, group_id)
    entry = await read_group(call, organization, group_id, members=Members.NONE)
    require_match(entry.etag, version)
    return entry


async def _change(call: Call, organization: Organization, before: Entry, group: Group, steps: list[Step]) -> None:
    """Write and log what differs, if anything does. An unchanged name is not validated again."""
    old_group = _model(before)
    if group.display_name != old_group.display_name:
        require_names([group.display_name])
    changes = [await _apply(call, organization, before.id, step) for step in steps]
    (display_key, external_key, attributes), (*_, old) = _columns(group), _columns(old_group)
    if not any(map(any, changes)) and attributes == old:
        return
    row = (before.id, display_key, external_key, requests.as_text(attributes), call.now)
    await call.db.execute(queries.WRITE_GROUP, *row)
    added = [each for step in changes for each in step.added]
    removed = [each for step in changes for each in step.removed]
    after = {**attributes, "members_added": added, "members_removed": removed}
    no_members: Json = {"members_added": [], "members_removed": []}
    await call.record(_change_of("group.updated", organization, before.id, {**old, **no_members}, after))


def _change_of(
    action: str, organization: Organization, group_id: UUID, before: Json | None, after: Json | None
) -> Change:
    """Return the change of a group for the audit log, with the members added and removed."""
    name = (after or before or {}).get("displayName")
    return Change(action, Target("group", group_id, name), organization.organization_id, before, after)


async def _apply(call: Call, organization: Organization, group_id: UUID, step: Step) -> MemberChanges:
    """Apply a step to the members. Raise ScimError for unknown users."""
    where = (organization.organization_id, group_id)
    match step:
        case Add(added):
            return MemberChanges(await _add(call, organization, group_id, added), [])
        case Replace(members):
            new = await _add(call, organization, group_id, members)
            return MemberChanges(new, _ids(await call.db.fetch(queries.REMOVE_OTHER_MEMBERS, *where, members)))
        case Remove(removed):
            return MemberChanges([], _ids(await call.db.fetch(queries.REMOVE_MEMBERS, *where, removed)))
        case RemoveMatching(selection):
            removed = await _matching(call, organization, group_id, selection)
            return MemberChanges([], _ids(await call.db.fetch(queries.REMOVE_MEMBERS, *where, removed)))


def _ids(rows: Sequence[Record]) -> list[str]:
    return [str(row["actor_id"]) for row in rows]


async def _add(call: Call, organization: Organization, group_id: UUID, added: list[UUID]) -> list[str]:
    if not added:
        return []
    unknown = await call.db.fetchval(queries.UNKNOWN_USERS, organization.organization_id, added)
    if unknown is not None:
        raise ScimError.of(f"User {unknown} does not exist.", "invalidValue")
    where = (organization.organization_id, group_id)
    return _ids(await call.db.fetch(queries.ADD_MEMBERS, *where, sorted(set(added))))


async def _matching(call: Call, organization: Organization, group_id: UUID, selection: str) -> list[UUID]:
    """Return the members that a filter matches. It reads all members, for the rare `remove` without ids."""
    entry = await read_group(call, organization, group_id, members=Members.NAMED)
    with library_errors():
        matches = ScimFilter.__class_getitem__(Group)(selection).match
        members = getattr(entry.model, "members", None) or []
        found = [each.value for each in members if matches(Group(display_name="-", members=[each]))]
    return ids(found)


def _members(group: Group) -> list[Json]:
    return [{"value": each.value, "$ref": each.ref} for each in group.members or ()]


def _model(entry: Entry) -> Group:
    return Group.model_validate(entry.document, scim_ctx=None)


def _columns(group: Group) -> tuple[str, str | None, Json]:
    """Return the index keys and attributes of a group. Raise ScimError if a key is too long for an index."""
    require_bounded("displayName or externalId", [group.display_name, group.external_id])
    document = group.model_dump(scim_ctx=Context.DEFAULT)
    attributes = {name: value for name, value in document.items() if name not in NOT_STORED}
    external_key = None if group.external_id is None else exact(group.external_id)
    return folded(group.display_name or ""), external_key, attributes

"""What a directory does to groups. Two changes of one group come one after the other, of two groups side by side."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from scim2_models import Context, ScimFilter

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.ids import new_id
from atrium.organizations.reach import Organization
from atrium.scim import queries, requests
from atrium.scim.errors import ResourceNotFound, ScimRefusal
from atrium.scim.etags import require_match
from atrium.scim.keys import exact, folded, require_bounded, require_names
from atrium.scim.kinds import GROUPS, Entry, Members, entries
from atrium.scim.members import Add, Keep, Remove, RemoveMatching, Step, ids, split
from atrium.scim.resources import Group, as_the_library_reads

Json = dict[str, Any]


class Taken(NamedTuple):
    """Who came and who went by a step."""

    added: list[str]
    removed: list[str]


NOT_KEPT = {"id", "meta", "schemas", "members"}


async def read_group(
    call: Call, organization: Organization, group_id: UUID, *, members: Members = Members.IDS
) -> Entry:
    """The group. Raises ResourceNotFound."""
    found = await entries(call, organization, GROUPS, [group_id], members=members)
    if not found:
        raise ResourceNotFound
    return found[0]


async def create_group(call: Call, organization: Organization, payload: Json) -> UUID:
    """A new group with its members. Raises ScimRefusal."""
    group = requests.whole(Group, payload, Context.RESOURCE_CREATION_REQUEST)
    require_names([group.display_name])
    await call.db.execute(queries.HOLD, organization.organization_id)
    group_id = new_id(call.now)
    display_key, external_key, attributes = _kept(group)
    row = (organization.organization_id, group_id, display_key, external_key, requests.as_text(attributes), call.now)
    await call.db.execute(queries.ADD_GROUP, *row)
    taken = await _take(call, organization, group_id, Add(ids(_members(group))))
    after = {**attributes, "members_added": taken.added}
    await call.record(_noted("group.created", organization, group_id, None, after))
    return group_id


async def replace_group(
    call: Call, organization: Organization, group_id: UUID, payload: Json, version: str | None
) -> None:
    """The group as it is now said to be. Raises ResourceNotFound, VersionMismatch, ScimRefusal."""
    before = await _held(call, organization, group_id, version)
    group = requests.whole(Group, payload, Context.RESOURCE_REPLACEMENT_REQUEST)
    await _change(call, organization, before, group, [Keep(ids(_members(group)))])


async def patch_group(
    call: Call, organization: Organization, group_id: UUID, payload: Json, version: str | None
) -> None:
    """The group with the operations applied. Raises ResourceNotFound, VersionMismatch, ScimRefusal."""
    before = await _held(call, organization, group_id, version)
    steps, others = split(requests.operations(payload))
    group = _model(before)
    if others:
        group = requests.apply(requests.patch(Group, others), group)
    await _change(call, organization, before, group, steps)


async def delete_group(call: Call, organization: Organization, group_id: UUID, version: str | None) -> None:
    """The group is gone, and with it what it gave. Raises ResourceNotFound, VersionMismatch."""
    await _held(call, organization, group_id, version)
    entry = await read_group(call, organization, group_id)
    await call.db.execute(queries.DELETE_GROUP, organization.organization_id, group_id)
    members = [each["value"] for each in msgspec.json.decode(entry.members or "[]")]
    before = {**_kept(_model(entry))[2], "members": members}
    await call.record(_noted("group.deleted", organization, group_id, before, None))


async def _held(call: Call, organization: Organization, group_id: UUID, version: str | None) -> Entry:
    """The group without its members, locked. Raises ResourceNotFound, VersionMismatch."""
    await call.db.execute(queries.HOLD, organization.organization_id)
    await call.db.execute(queries.LOCK_GROUP, organization.organization_id, group_id)
    entry = await read_group(call, organization, group_id, members=Members.NONE)
    require_match(entry.etag, version)
    return entry


async def _change(call: Call, organization: Organization, before: Entry, group: Group, steps: list[Step]) -> None:
    """Write what differs; where nothing does, nothing is written and nothing is noted. A name that it has may stay."""
    old_group = _model(before)
    if group.display_name != old_group.display_name:
        require_names([group.display_name])
    taken = [await _take(call, organization, before.id, step) for step in steps]
    (display_key, external_key, attributes), (*_, old) = _kept(group), _kept(old_group)
    if not any(map(any, taken)) and attributes == old:
        return
    row = (before.id, display_key, external_key, requests.as_text(attributes), call.now)
    await call.db.execute(queries.WRITE_GROUP, *row)
    added = [each for step in taken for each in step.added]
    removed = [each for step in taken for each in step.removed]
    after = {**attributes, "members_added": added, "members_removed": removed}
    nobody: Json = {"members_added": [], "members_removed": []}
    await call.record(_noted("group.updated", organization, before.id, {**old, **nobody}, after))


def _noted(action: str, organization: Organization, group_id: UUID, before: Json | None, after: Json | None) -> Change:
    """What the audit trail is told of a change of a group; of its members, who came and who went."""
    name = (after or before or {}).get("displayName")
    return Change(action, Target("group", group_id, name), organization.organization_id, before, after)


async def _take(call: Call, organization: Organization, group_id: UUID, step: Step) -> Taken:
    """Take a step on the members. Raises ScimRefusal for users who are not there."""
    where = (organization.organization_id, group_id)
    match step:
        case Add(added):
            return Taken(await _add(call, organization, group_id, added), [])
        case Keep(kept):
            new = await _add(call, organization, group_id, kept)
            return Taken(new, _ids(await call.db.fetch(queries.REMOVE_OTHER_MEMBERS, *where, kept)))
        case Remove(removed):
            return Taken([], _ids(await call.db.fetch(queries.REMOVE_MEMBERS, *where, removed)))
        case RemoveMatching(selection):
            removed = await _matching(call, organization, group_id, selection)
            return Taken([], _ids(await call.db.fetch(queries.REMOVE_MEMBERS, *where, removed)))


def _ids(rows: Sequence[Record]) -> list[str]:
    return [str(row["actor_id"]) for row in rows]


async def _add(call: Call, organization: Organization, group_id: UUID, added: list[UUID]) -> list[str]:
    if not added:
        return []
    unknown = await call.db.fetchval(queries.UNKNOWN_USERS, organization.organization_id, added)
    if unknown is not None:
        raise ScimRefusal.of(f"There is no user {unknown}.", "invalidValue")
    where = (organization.organization_id, group_id)
    return _ids(await call.db.fetch(queries.ADD_MEMBERS, *where, sorted(set(added))))


async def _matching(call: Call, organization: Organization, group_id: UUID, selection: str) -> list[UUID]:
    """The members that a filter matches, looked at one by one: the rare `remove` that names nobody by id."""
    entry = await read_group(call, organization, group_id, members=Members.NAMED)
    with as_the_library_reads():
        matches = ScimFilter.__class_getitem__(Group)(selection).match
        members = getattr(entry.model, "members", None) or []
        found = [each.value for each in members if matches(Group(display_name="-", members=[each]))]
    return ids(found)


def _members(group: Group) -> list[Json]:
    return [{"value": each.value, "$ref": each.ref} for each in group.members or ()]


def _model(entry: Entry) -> Group:
    return Group.model_validate(entry.document, scim_ctx=None)


def _kept(group: Group) -> tuple[str, str | None, Json]:
    """The keys and the attributes of a group. Raises ScimRefusal where a key is too long for an index."""
    require_bounded("displayName or externalId", [group.display_name, group.external_id])
    document = group.model_dump(scim_ctx=Context.DEFAULT)
    attributes = {name: value for name, value in document.items() if name not in NOT_KEPT}
    external_key = None if group.external_id is None else exact(group.external_id)
    return folded(group.display_name or ""), external_key, attributes

"""What a directory does to groups. Two changes of one group come one after the other, of two groups side by side."""

from typing import Any
from uuid import UUID

from scim2_models import Context, ScimFilter

from atrium.keys.caller import Call
from atrium.kit.ids import new_id
from atrium.organizations.reach import Organization
from atrium.scim import queries, requests
from atrium.scim.errors import ResourceNotFound, ScimRefusal, as_the_library_reads
from atrium.scim.etags import require_match
from atrium.scim.keys import exact, folded, require_bounded
from atrium.scim.kinds import GROUPS, Entry, Members, entries
from atrium.scim.members import Add, Keep, Remove, RemoveMatching, Step, ids, split
from atrium.scim.resources import Group

Json = dict[str, Any]
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
    await call.db.execute(queries.HOLD, organization.organization_id)
    group_id = new_id(call.now)
    display_key, external_key, attributes = _kept(group)
    row = (organization.organization_id, group_id, display_key, external_key, requests.as_text(attributes), call.now)
    await call.db.execute(queries.ADD_GROUP, *row)
    await _take(call, organization, group_id, Add(ids(_members(group))))
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
    await call.db.execute(queries.DELETE_GROUP, organization.organization_id, group_id)


async def _held(call: Call, organization: Organization, group_id: UUID, version: str | None) -> Entry:
    """The group without its members, locked. Raises ResourceNotFound, VersionMismatch."""
    await call.db.execute(queries.HOLD, organization.organization_id)
    await call.db.execute(queries.LOCK_GROUP, organization.organization_id, group_id)
    entry = await read_group(call, organization, group_id, members=Members.NONE)
    require_match(entry.etag, version)
    return entry


async def _change(call: Call, organization: Organization, before: Entry, group: Group, steps: list[Step]) -> None:
    """Write what differs; where nothing does, nothing is written and nothing is noted."""
    changed = [await _take(call, organization, before.id, step) for step in steps]
    kept = _kept(group)
    if any(changed) or kept != _kept(_model(before)):
        display_key, external_key, attributes = kept
        row = (before.id, display_key, external_key, requests.as_text(attributes), call.now)
        await call.db.execute(queries.WRITE_GROUP, *row)


async def _take(call: Call, organization: Organization, group_id: UUID, step: Step) -> list[UUID]:
    """Take a step on the members; whom it added or removed. Raises ScimRefusal for users who are not there."""
    where = (organization.organization_id, group_id)
    match step:
        case Add(added):
            return await _add(call, organization, group_id, added)
        case Remove(removed):
            rows = await call.db.fetch(queries.REMOVE_MEMBERS, *where, removed)
        case Keep(kept):
            added = await _add(call, organization, group_id, kept)
            rows = await call.db.fetch(queries.REMOVE_OTHER_MEMBERS, *where, kept)
            return added + [row["actor_id"] for row in rows]
        case RemoveMatching(selection):
            matching = await _matching(call, organization, group_id, selection)
            rows = await call.db.fetch(queries.REMOVE_MEMBERS, *where, matching)
    return [row["actor_id"] for row in rows]


async def _add(call: Call, organization: Organization, group_id: UUID, added: list[UUID]) -> list[UUID]:
    if not added:
        return []
    unknown = await call.db.fetchval(queries.UNKNOWN_USERS, organization.organization_id, added)
    if unknown is not None:
        raise ScimRefusal.of(f"There is no user {unknown}.", "invalidValue")
    rows = await call.db.fetch(queries.ADD_MEMBERS, organization.organization_id, group_id, sorted(set(added)))
    return [row["actor_id"] for row in rows]


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

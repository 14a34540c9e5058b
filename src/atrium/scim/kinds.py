"""The two kinds of resource: their queries, and their conversion from rows to models and JSON."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from scim2_models import Context, Resource
from scim2_models import ResponseParameters as Selection

from atrium.keys.caller import Call
from atrium.kit.clock import rfc3339
from atrium.kit.postgres.database import Record
from atrium.organizations.reach import Organization
from atrium.scim import queries
from atrium.scim.dialect import BASE
from atrium.scim.resources import GROUP_SCHEMA, MODELS, USER_SCHEMA

Json = dict[str, Any]


class Members(IntEnum):
    """The extent to which a group's members are read."""

    NONE = 0
    IDS = 1
    NAMED = 2


class Entry(NamedTuple):
    """A resource: its id, its version as an entity tag, and its JSON. `members` is JSON ready to send."""

    kind: str
    id: UUID
    etag: str
    location: str
    document: Json
    members: str | None = None
    members_have_names: bool = False

    @property
    def model(self) -> Resource[Any]:
        """Return the library's model of the resource, with its members."""
        members = {"members": msgspec.json.decode(self.members)} if self.members else {}
        return MODELS[self.kind].model_validate(self.document | members, scim_ctx=None)

    def shown(self, selection: "Selection[Any] | None" = None) -> Json:
        """Return the JSON for a response, with the requested attributes."""
        unchanged = self.members is not None and not self.members_have_names and _sends_members_unchanged(selection)
        model = MODELS[self.kind].model_validate(self.document, scim_ctx=None) if unchanged else self.model
        body = model.model_dump(scim_ctx=Context.RESOURCE_QUERY_RESPONSE, response_parameters=selection)
        if "meta" in body:  # times in the same format as in the rest of the API
            body["meta"] = {name: self.document["meta"][name] for name in body["meta"]}
        if unchanged and self.members is not None:
            body["members"] = msgspec.Raw(self.members.encode())
        return body


def _sends_members_unchanged(selection: "Selection[Any] | None") -> bool:
    """Return whether `members` are sent unchanged, so that thousands of them are not converted to models."""
    if selection is None or not (selection.attributes or selection.excluded_attributes):
        return True
    named = {str(path).lower().rpartition(":")[2] for path in selection.attributes or ()}
    excluded = {str(path).lower().rpartition(":")[2] for path in selection.excluded_attributes or ()}
    return ("members" in named) if named else not any(path.partition(".")[0] == "members" for path in excluded)


@dataclass(frozen=True)
class Kind:
    """The queries for a kind of resource: pages of ids, their count, and ids by an attribute's key."""

    name: str
    page: str
    count: str
    after: str
    lookups: Mapping[str, str]


USERS = Kind(
    "User",
    queries.USERS_PAGE,
    queries.USERS_COUNT,
    queries.USERS_AFTER,
    {
        "id": queries.USER_BY_ID,
        "userName": queries.USERS_BY_NAME,
        "externalId": queries.USERS_BY_EXTERNAL_ID,
        "displayName": queries.USERS_BY_DISPLAY_NAME,
        "emails": queries.USERS_BY_EMAIL,
        "groups": queries.USERS_OF_GROUP,
    },
)
GROUPS = Kind(
    "Group",
    queries.GROUPS_PAGE,
    queries.GROUPS_COUNT,
    queries.GROUPS_AFTER,
    {
        "id": queries.GROUP_BY_ID,
        "displayName": queries.GROUPS_BY_DISPLAY_NAME,
        "externalId": queries.GROUPS_BY_EXTERNAL_ID,
        "members": queries.GROUPS_OF_USER,
    },
)
KINDS = {kind.name: kind for kind in (USERS, GROUPS)}


async def entries(
    call: Call, organization: Organization, kind: Kind, ids: list[UUID], *, members: Members = Members.IDS
) -> list[Entry]:
    """Return the existing resources with these ids, in order of id; groups with `members` if requested."""
    base = call.settings.base_url + BASE
    if kind is USERS:
        rows = await call.db.fetch(queries.USERS, organization.organization_id, ids)
        return [user_entry(row, base) for row in rows]
    rows = await call.db.fetch(queries.GROUPS, organization.organization_id, ids, members, base)
    return [group_entry(row, base, members) for row in rows]


def user_entry(row: Record, base: str) -> Entry:
    """Return a row of `directory` as a resource. Its version is a hash of its contents."""
    shown = (row["attributes"], row["active"], row["groups"], row["updated_at"].isoformat())
    etag = f'W/"{hashlib.sha256(repr(shown).encode()).hexdigest()[:16]}"'
    groups = msgspec.json.decode(row["groups"]) if row["groups"] else []
    own: Json = {"groups": [{**each, "$ref": f"{base}/Groups/{each['value']}"} for each in groups]}
    entry = _entry("User", row, base, etag, {"schemas": [USER_SCHEMA], **own})
    if "active" in entry.document:  # a directory may have removed this attribute
        entry.document["active"] = row["active"]
    return entry


def group_entry(row: Record, base: str, members: Members) -> Entry:
    """Return a row of GROUPS as a resource."""
    entry = _entry("Group", row, base, f'W/"{row["version"]}"', {"schemas": [GROUP_SCHEMA]})
    return entry._replace(members=row["all"], members_have_names=members is Members.NAMED)


def _entry(kind: str, row: Record, base: str, etag: str, own: Json) -> Entry:
    location = f"{base}/{kind}s/{row['id']}"
    meta = {
        "resourceType": kind,
        "created": rfc3339(row["created_at"]),
        "lastModified": rfc3339(row["updated_at"]),
        "location": location,
        "version": etag,
    }
    document = {"id": str(row["id"]), "meta": meta}
    attributes = msgspec.json.decode(row["attributes"])
    return Entry(kind, UUID(str(row["id"])), etag, location, {**attributes, **document, **own})

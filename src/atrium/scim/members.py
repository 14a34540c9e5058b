"""Read a PATCH of a group as steps on its members, so that adding one member never reads thousands."""

from typing import Any, NamedTuple
from uuid import UUID

from scim2_models import Path
from scim2_models.path import AttrPath, CompareOperator, Comparison, FilterNode, LogicalExpr, LogicalOperator, ValuePath

from atrium.kit.text.types import UUID_TEXT
from atrium.scim import requests
from atrium.scim.errors import ScimError
from atrium.scim.resources import Group

Json = dict[str, Any]


class Add(NamedTuple):
    """Add these members."""

    ids: list[UUID]


class Remove(NamedTuple):
    """Remove these members, if they are in the group."""

    ids: list[UUID]


class Replace(NamedTuple):
    """Replace all members with these."""

    ids: list[UUID]


class RemoveMatching(NamedTuple):
    """Remove the members that a filter matches."""

    selection: str


Step = Add | Remove | Replace | RemoveMatching


def split_member_operations(operations: list[Json]) -> tuple[list[Step], list[Json]]:
    """Split operations into steps on members and other operations. Raise ScimError."""
    steps: list[Step] = []
    others: list[Json] = []
    for operation in operations:
        step, other = _part(operation)
        steps += [] if step is None else [step]
        others += [] if other is None else [other]
    return steps, others


def _part(operation: Json) -> tuple[Step | None, Json | None]:
    """Split an operation into a step on members and the rest of it."""
    verb, path, value = str(operation.get("op")).lower(), operation.get("path"), operation.get("value")
    if path is None:
        name = next((key for key in value if key.lower() == "members"), None) if isinstance(value, dict) else None
        if name is None or not isinstance(value, dict) or verb not in ("add", "replace"):
            return None, operation
        rest = {key: each for key, each in value.items() if key != name}
        return _member_step(verb, value[name]), {**operation, "value": rest} if rest else None
    bound = requests.path_of(Group, path)
    binding = bound.resolve() if bound.model is None else None
    if binding is None or binding.field_name != "members":
        return None, operation
    if binding.sub_field_name is not None:
        raise ScimError.of("Members can be added or removed, not changed.", "mutability")
    if bound.value_filter is not None:
        return _filtered_step(verb, bound), None
    return _member_step(verb, value), None


def _member_step(verb: str, value: Any) -> Step:
    match verb:
        case "add":
            return Add(ids(value))
        case "replace":
            return Replace(ids(value))
        case "remove":
            return Replace([]) if value is None else Remove(ids(value, strict=False))
    raise ScimError.of(f"{verb!r} is not an operation: use add, remove or replace.", "invalidValue")


def _filtered_step(verb: str, path: Path[Any]) -> Step:
    """Read `members[value eq "…"]`, which removes or, as some providers send it, adds members."""
    node = path.ast
    named = _ids_in_filter(node.val_filter) if isinstance(node, ValuePath) else None
    if verb == "remove":
        return RemoveMatching(str(path)) if named is None else Remove(named)
    if verb == "add" and named is not None:
        return Add(named)
    raise ScimError.of("Members can be added or removed, not changed.", "mutability")


def _ids_in_filter(node: FilterNode) -> list[UUID] | None:
    """Return the ids in a filter that only lists ids, or None if the filter must be evaluated."""
    match node:
        case Comparison(attr_path=AttrPath(attr=name, sub_attr=None), op=CompareOperator.eq, value=str(value)):
            return ids(value, strict=False) if name.lower() == "value" else None
        case LogicalExpr(op=LogicalOperator.or_, terms=terms):
            found = [_ids_in_filter(term) for term in terms]
            return None if None in found else [each for some in found for each in some or ()]
    return None


def ids(value: Any, *, strict: bool = True) -> list[UUID]:
    """Return the ids in a `members` value: a list of entries, one entry, or plain ids. Raise ScimError."""
    entries = [] if value is None else value if isinstance(value, list) else [value]
    texts = [_id_text(each) for each in entries]
    found = [UUID(text) for text in texts if UUID_TEXT.fullmatch(text)]
    if strict and len(found) < len(texts):
        raise ScimError.of("A member's `value` must be the id of a user.", "invalidValue")
    return found


def _id_text(entry: Any) -> str:
    if isinstance(entry, dict):
        named = {str(key).lower(): each for key, each in entry.items()}
        return str(named.get("value") or str(named.get("$ref", "")).rpartition("/")[2])
    return str(entry)

"""What a PATCH of a group does to its members, as steps on sets: a group of thousands is never read to add one."""

from typing import Any, NamedTuple
from uuid import UUID

from scim2_models import Path
from scim2_models.path import AttrPath, CompareOperator, Comparison, FilterNode, LogicalExpr, LogicalOperator, ValuePath

from atrium.kit.texts import UUID_TEXT
from atrium.scim import requests
from atrium.scim.errors import ScimRefusal
from atrium.scim.resources import Group

Json = dict[str, Any]


class Add(NamedTuple):
    """These join."""

    ids: list[UUID]


class Remove(NamedTuple):
    """These leave, those who are there."""

    ids: list[UUID]


class Keep(NamedTuple):
    """These are the members from now on, and nobody else."""

    ids: list[UUID]


class RemoveMatching(NamedTuple):
    """Whoever a filter on members matches leaves."""

    selection: str


Step = Add | Remove | Keep | RemoveMatching


def split(operations: list[Json]) -> tuple[list[Step], list[Json]]:
    """The steps on members, and the operations on everything else. Raises ScimRefusal."""
    steps: list[Step] = []
    others: list[Json] = []
    for operation in operations:
        step, other = _part(operation)
        steps += [] if step is None else [step]
        others += [] if other is None else [other]
    return steps, others


def _part(operation: Json) -> tuple[Step | None, Json | None]:
    """An operation as its step on members and what it does besides."""
    verb, path, value = str(operation.get("op")).lower(), operation.get("path"), operation.get("value")
    if path is None:
        name = next((key for key in value if key.lower() == "members"), None) if isinstance(value, dict) else None
        if name is None or not isinstance(value, dict) or verb not in ("add", "replace"):
            return None, operation
        rest = {key: each for key, each in value.items() if key != name}
        return _whole(verb, value[name]), {**operation, "value": rest} if rest else None
    bound = requests.path_of(Group, path)
    binding = bound.resolve() if bound.model is None else None
    if binding is None or binding.field_name != "members":
        return None, operation
    if binding.sub_field_name is not None:
        raise ScimRefusal.of("A member is added or removed; nothing about one changes.", "mutability")
    if bound.value_filter is not None:
        return _selected(verb, bound), None
    return _whole(verb, value), None


def _whole(verb: str, value: Any) -> Step:
    match verb:
        case "add":
            return Add(ids(value))
        case "replace":
            return Keep(ids(value))
        case "remove":
            return Keep([]) if value is None else Remove(ids(value, strict=False))
    raise ScimRefusal.of(f"{verb!r} is no operation: add, remove or replace.", "invalidValue")


def _selected(verb: str, path: Path[Any]) -> Step:
    """`members[value eq "…"]`: removed, or (as some send it) added."""
    node = path.ast
    named = _named(node.val_filter) if isinstance(node, ValuePath) else None
    if verb == "remove":
        return RemoveMatching(str(path)) if named is None else Remove(named)
    if verb == "add" and named is not None:
        return Add(named)
    raise ScimRefusal.of("A member is added or removed; nothing about one changes.", "mutability")


def _named(node: FilterNode) -> list[UUID] | None:
    """The ids that a filter is about where it only lists them; None where it has to be evaluated."""
    match node:
        case Comparison(attr_path=AttrPath(attr=name, sub_attr=None), op=CompareOperator.eq, value=str(value)):
            return ids(value, strict=False) if name.lower() == "value" else None
        case LogicalExpr(op=LogicalOperator.or_, terms=terms):
            found = [_named(term) for term in terms]
            return None if None in found else [each for some in found for each in some or ()]
    return None


def ids(value: Any, *, strict: bool = True) -> list[UUID]:
    """The ids in a `members` value: entries, one entry, or plain ids. Raises ScimRefusal for what is none."""
    entries = [] if value is None else value if isinstance(value, list) else [value]
    texts = [_id_text(each) for each in entries]
    found = [UUID(text) for text in texts if UUID_TEXT.fullmatch(text)]
    if strict and len(found) < len(texts):
        raise ScimRefusal.of("A member's `value` is the id of a user.", "invalidValue")
    return found


def _id_text(entry: Any) -> str:
    if isinstance(entry, dict):
        named = {str(key).lower(): each for key, each in entry.items()}
        return str(named.get("value") or str(named.get("$ref", "")).rpartition("/")[2])
    return str(entry)

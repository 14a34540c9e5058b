"""Find the indexed lookup for a filter. The complete filter is then evaluated on the few rows found."""

from typing import Any, NamedTuple

from scim2_models import ScimFilter
from scim2_models.path import (
    AttrPath,
    CompareOperator,
    Comparison,
    FilterNode,
    LogicalExpr,
    LogicalOperator,
    ValuePath,
)

from atrium.scim.normalization import exact, folded
from atrium.scim.resources import GROUP_SCHEMA, USER_SCHEMA

FOLDED = {"username": "userName", "displayname": "displayName", "emails": "emails"}
EXACT = {"id": "id", "externalid": "externalId", "members": "members", "groups": "groups"}
SCHEMAS = {None, USER_SCHEMA.lower(), GROUP_SCHEMA.lower()}


class Lookup(NamedTuple):
    """An attribute, and the key that every match of the filter has."""

    attribute: str
    key: str


def lookup_of(scim_filter: "ScimFilter[Any] | None") -> Lookup | None:
    """Return the lookup that finds every match of the filter, or None if all rows must be evaluated."""
    return None if scim_filter is None else _implied(scim_filter.ast)


def _implied(node: FilterNode) -> Lookup | None:
    match node:
        case Comparison(attr_path=path, op=CompareOperator.eq, value=str(value)):
            return _found(path, value)
        case LogicalExpr(op=LogicalOperator.and_, terms=terms):
            return next(filter(None, map(_implied, terms)), None)
        case ValuePath(attr_path=path, val_filter=inner) if path.sub_attr is None:
            return next((_found(path, value) for value in _values(inner)), None)
    return None


def _values(node: FilterNode) -> list[str]:
    """Return the `value` that every match of the filter in brackets has, or None."""
    match node:
        case Comparison(attr_path=AttrPath(attr=name, sub_attr=None), op=CompareOperator.eq, value=str(value)):
            return [value] if name.lower() == "value" else []
        case LogicalExpr(op=LogicalOperator.and_, terms=terms):
            return [value for term in terms for value in _values(term)]
    return []


def _found(path: AttrPath, value: str) -> Lookup | None:
    name, part = path.attr.lower(), (path.sub_attr or "value").lower()
    if part != "value" or (path.uri and path.uri.lower()) not in SCHEMAS:
        return None
    if path.sub_attr is not None and name not in ("emails", "members", "groups"):
        return None
    if name in FOLDED:
        return Lookup(FOLDED[name], folded(value))
    return Lookup(EXACT[name], exact(value)) if name in EXACT else None

"""Examples of types, from the examples of their fields: for the OpenAPI document and the catalogue of events."""

from typing import Any

from msgspec import inspect as types

STRINGS = {"date-time": "2026-11-21T09:07:13.460Z", "uuid": "01936f4e-8f2a-7c31-9d4b-5e6f70819203"}
BY_NAME = {
    "description": "Where we plan releases", "email": "ada@example.org", "emoji": "👍", "key": "atro_…",
    "name": "Engineering", "language": "python", "text": "Ship on **Friday**.", "token": "mYx0…", "type": "paragraph",
    "url": "https://example.org/plan.png", "endpoint_url": "https://example.org/hooks/atrium",
    "token_url": "https://id.example.org/oauth2/token",
}  # fmt: skip


def example_of(kind: Any) -> Any:
    """Return an example of a type, as JSON in Python values."""
    return _example(types.type_info(kind), "")


def _example(info: types.Type, name: str) -> Any:
    match info:
        case types.Metadata(type=inner, extra_json_schema=schema):
            return _given(schema or {}) or _example(inner, name)
        case types.StructType(fields=fields, tag=tag, tag_field=tag_field):
            own = {tag_field: tag} if tag_field else {}
            return own | {field.encode_name: _example(field.type, field.name) for field in fields}
        case types.ListType(item_type=item) | types.CollectionType(item_type=item):
            return [_example(item, name)]
        case types.UnionType(types=options):
            return _example(next(each for each in options if not _is_absent(each)), name)
        case types.EnumType() | types.LiteralType():
            return _member(info, name)
        case types.DictType(value_type=value):
            return {"X-Team": _example(value, name)}
        case types.UUIDType():
            return STRINGS["uuid"]
        case types.BoolType():
            return False
        case types.IntType(ge=at_least):
            return at_least or 1
        case types.RawType():
            return {"text": BY_NAME["text"]}
    return BY_NAME.get(name, STRINGS["date-time"] if name.endswith(("_at", "_cursor")) else "text")


def _given(schema: dict[str, Any]) -> Any:
    return next(iter(schema.get("examples", ())), None)


def _member(info: types.EnumType | types.LiteralType, name: str) -> Any:
    members = info.values if isinstance(info, types.LiteralType) else [each.value for each in info.cls]
    wanted = BY_NAME.get(name)
    return wanted if wanted in members else members[0]


def _is_absent(info: types.Type) -> bool:
    return isinstance(info, types.NoneType)

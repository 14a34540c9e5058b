"""Convert requests from Okta and Entra to the form that RFC 7644 defines.

The library itself accepts capitalized operations, strings for booleans, dotted keys, a remove with values, a filter in
a path that matches nothing yet, and unknown attributes. The rest is here, as pure functions on JSON.
"""

import re
from collections.abc import Iterator
from typing import Any

from atrium.scim.errors import ScimError
from atrium.scim.resources import ENTERPRISE, GROUP_SCHEMA, USER_SCHEMA

Json = dict[str, Any]
READ_ONLY = {"id", "meta", "schemas", "groups"}
MANAGER = re.compile(rf"({re.escape(ENTERPRISE)}:)?manager", re.I)
CORE = re.compile(rf"(?:{re.escape(USER_SCHEMA)}|{re.escape(GROUP_SCHEMA)})(?::|$)", re.I)
NOT_PLAIN = re.compile(r"members\.|.*\[", re.I)
# `and` or `or` with a term after it; without one it is part of a value, as in `displayName eq Sales and Support`
NEXT_TERM = r"(?:and|or)[ ]+(?:not\b|\(|[\w$.:-]+(?:\[|[ ]+(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)\b))"
BARE_VALUE = re.compile(
    r"""(?P<quoted>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<compared>(?<![\w$.:-])(?:eq|ne|co|sw|ew|gt|ge|lt|le)[ ]+)"""
    rf"""(?P<bare>[^\s"()\[\]]+(?:[ ]+(?!{NEXT_TERM})[^\s"()\[\]]+)*)""",
    re.I,
)
SINGLE_TERM = re.compile(
    rf"""(?P<quoted>)(?P<compared>[\w$.:-]+[ ]+(?:eq|ne|co|sw|ew)[ ]+)(?P<bare>[^\s"](?:(?![ ]{NEXT_TERM})[^"])*)""",
    re.I,
)
SCHEMAS = (USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE)
WORDS = {"true", "false", "null"}


def add_quotes(text: str) -> str:
    """Return a filter or path with quotes around bare values (`userName eq bob@x`); no attribute is a number.

    A bare value may contain spaces. If the text is a single comparison, it may contain brackets, too.
    """
    single = SINGLE_TERM.fullmatch(text.strip())
    return BARE_VALUE.sub(_with_quotes, text) if single is None else _with_quotes(single)


def _with_quotes(found: re.Match[str]) -> str:
    if found["quoted"] or found["bare"].lower() in WORDS:
        return found[0]
    bare = found["bare"].replace("\\", "\\\\")
    return f'{found["compared"]}"{bare}"'


def user(payload: Json) -> Json:
    """Return a user with `manager` as an object."""
    return {
        name: _enterprise(value) if name.lower() == ENTERPRISE.lower() else value for name, value in payload.items()
    }


def operations(op: Json) -> list[Json]:
    """Return an operation with lowercase names and paths without the schema of the resource.

    Keys of an operation without a path are attributes. Each of those that need a path gets an operation of its own.
    """
    known = {name.lower(): value for name, value in op.items()}
    path, value = known.get("path"), known.get("value")
    if isinstance(path, str):
        path = known["path"] = relative(path)
    if path not in (None, ""):
        return [_with_path(known)]
    known.pop("path", None)
    if not isinstance(value, dict) or not value:
        return [known]
    attributes = _without_path(value)
    apart = {name: each for name, each in attributes.items() if NOT_PLAIN.match(name)}
    plain = {name: each for name, each in attributes.items() if name not in apart}
    rest = [{**known, "value": plain}] if plain else []
    return [*rest, *({**known, "path": name, "value": each} for name, each in apart.items())]


def relative(path: str) -> str:
    """Return a path without the schema of users or groups; an empty one if it is only the schema."""
    return CORE.sub("", path.strip(), count=1) if CORE.match(path.strip()) else path.strip()


def is_foreign(path: str) -> bool:
    """Return whether a path is in a schema that Atrium does not have; what is there is ignored."""
    path = path.strip().lower()
    return path.startswith("urn:") and not any(path.startswith(f"{each.lower()}:") for each in SCHEMAS)


def without_filter(path: str) -> str:
    """Return a path without the filter in brackets."""
    return re.sub(r"\[.*\]", "", path, flags=re.S)


def _with_path(known: Json) -> Json:
    if MANAGER.fullmatch(known["path"]):
        known["value"] = manager(known.get("value"))
        if known["value"] is None:
            known = {**known, "op": "remove"}
    if str(known.get("op")).lower() == "remove" and known.get("value") is None:
        known.pop("value", None)
    return known


def manager(value: Any) -> Any:
    """Return a manager as an object: `"7"`, `[{"value": "7"}]` and `{"value": "7"}` are the same; empty is None."""
    if isinstance(value, list):
        return manager(value[0]) if value else None
    if isinstance(value, dict):
        return value if any(value.values()) else None
    return {"value": str(value)} if value not in (None, "") else None


def _without_path(value: Json) -> Json:
    """Return the attributes that are not read-only, by their relative names. Raise ScimError if one is named twice."""
    found, seen = Json(), set[str]()
    for key, part in _attributes_of(value):
        if key.lower() in READ_ONLY:
            continue
        if key.lower() in seen:
            raise ScimError.of(f"{key} is named twice.", "invalidSyntax")
        seen.add(key.lower())
        found[key] = _attribute(key, part)
    return found


def _attributes_of(value: Json) -> Iterator[tuple[str, Any]]:
    """Yield attributes by their relative names, also those in an object named after the schema."""
    for name, each in value.items():
        if relative(name) == "" and isinstance(each, dict):
            yield from ((relative(key), part) for key, part in each.items())
        else:
            yield relative(name), each


def _attribute(name: str, value: Any) -> Any:
    if MANAGER.fullmatch(name):
        return manager(value)
    return _enterprise(value) if name.lower() == ENTERPRISE.lower() else value


def _enterprise(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: manager(each) if name.lower() == "manager" else each for name, each in value.items()}

"""Convert requests from Okta and Entra to the form that RFC 7644 defines.

The library itself accepts capitalized operations, strings for booleans, dotted keys, a remove with values, a filter in
a path that matches nothing yet, and unknown attributes. The rest is here, as pure functions on JSON.
"""

import re
from typing import Any

from atrium.scim.resources import ENTERPRISE

Json = dict[str, Any]
READ_ONLY = {"id", "meta", "schemas", "groups"}
MANAGER = re.compile(rf"({re.escape(ENTERPRISE)}:)?manager", re.I)
BARE_VALUE = re.compile(
    r"""(?P<quoted>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<compared>(?<![\w$.:-])(?:eq|ne|co|sw|ew|gt|ge|lt|le)[ ]+)(?P<bare>[^\s"()\[\]]+)""",
    re.I,
)
WORDS = {"true", "false", "null"}


def add_quotes(text: str) -> str:
    """Return a filter or path with quotes around bare values (`userName eq bob@x`); no attribute is a number."""
    return BARE_VALUE.sub(_with_quotes, text)


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


def operation(op: Json) -> Json:
    """Return an operation with lowercase names, `manager` as an object and no read-only attributes among others."""
    known = {name.lower(): value for name, value in op.items()}
    path, value = known.get("path"), known.get("value")
    if isinstance(path, str) and MANAGER.fullmatch(path.strip()):
        known["value"] = value = manager(value)
        if value is None:
            known = {**known, "op": "remove"}
    if path in (None, ""):
        known.pop("path", None)
        if isinstance(value, dict):
            known["value"] = _without_path(value)
    if str(known.get("op")).lower() == "remove" and _has_no_selector(known):
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
    writable = {name: each for name, each in value.items() if name.lower() not in READ_ONLY}
    return {
        name: manager(each)
        if MANAGER.fullmatch(name)
        else _enterprise(each)
        if name.lower() == ENTERPRISE.lower()
        else each
        for name, each in writable.items()
    }


def _enterprise(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: manager(each) if name.lower() == "manager" else each for name, each in value.items()}


def _has_no_selector(removal: Json) -> bool:
    """Return whether a remove has no value that selects entries: `null`, or the text of a single value."""
    value, of_members = removal.get("value"), str(removal.get("path")).lower().startswith("members")
    return value is None or (not of_members and not isinstance(value, dict | list))

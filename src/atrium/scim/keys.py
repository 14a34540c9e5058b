"""The forms in which texts are compared and looked up: the library's own, written into columns."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import normalize

from atrium.kit.texts import is_name
from atrium.scim.errors import ScimRefusal

LONGEST = 512
MOST_VALUES = 100  # of one attribute of a user
MOST_NESTED = 32  # levels of a body; the library goes down them by recursion
# An escape in a filter or path: a pair of surrogates, or by its number, or of any one character.
ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([0-9a-fA-F]{4})|.)", re.S)
UNKEPT = re.compile(r"0000|[dD][89a-fA-F]..")


def folded(text: str) -> str:
    """The form of a text whose case does not count (as `default_comparison_key` of the library makes it)."""
    return normalize("NFC", normalize("NFC", text).lower())


def exact(text: str) -> str:
    """The form of a text whose case counts."""
    return normalize("NFC", text)


def require_bounded(name: str, texts: Iterable[str | None]) -> None:
    """Raises ScimRefusal for a text too long to be looked up by an index."""
    if any(text is not None and len(text) > LONGEST for text in texts):
        raise ScimRefusal.of(f"{name} holds at most {LONGEST} characters.", "invalidValue")


def require_names(texts: Iterable[str | None]) -> None:
    """Raises ScimRefusal for a name that is not seen, or changes what stands around it."""
    if any(text and not is_name(text) for text in texts):
        raise ScimRefusal.of("A name is one line with something visible in it.", "invalidValue")


def require_few(attributes: Mapping[str, Any]) -> None:
    """Raises ScimRefusal where an attribute has more values than anybody has."""
    for name, value in attributes.items():
        if isinstance(value, list) and len(value) > MOST_VALUES:
            raise ScimRefusal.of(f"{name} holds at most {MOST_VALUES} values.", "invalidValue")


def is_nested_deeper(value: Any, levels: int = MOST_NESTED) -> bool:
    """Whether lists and objects stand in each other more levels deep than that."""
    if not isinstance(value, list | dict):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_nested_deeper(each, levels - 1) for each in inner)


def escapes_unkept(text: str) -> bool:
    """Whether a filter or path names by its number what PostgreSQL cannot keep: a NUL, or half a surrogate pair."""
    return any(found[1] and UNKEPT.fullmatch(found[1]) for found in ESCAPE.finditer(text))


def holds_nul(value: Any) -> bool:
    """Whether a NUL, which PostgreSQL cannot keep, stands anywhere in a JSON value."""
    match value:
        case str():
            return "\x00" in value
        case list():
            return any(map(holds_nul, value))
        case dict():
            return any(map(holds_nul, value)) or any(map(holds_nul, value.values()))
    return False

"""The normalized forms in which texts are compared and indexed, as the library compares them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import normalize

from atrium.kit.text.types import is_name
from atrium.scim.errors import ScimError

MAX_LENGTH = 512
MAX_VALUES = 100  # of one attribute of a user
MAX_DEPTH = 32  # levels of a body; the library reads it recursively
# An escape in a filter or path: a surrogate pair, a code point or a single character.
ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([0-9a-fA-F]{4})|.)", re.S)
UNSTORABLE = re.compile(r"0000|[dD][89a-fA-F]..")


def folded(text: str) -> str:
    """Return the key of a case-insensitive text, as `default_comparison_key` of the library does."""
    return normalize("NFC", normalize("NFC", text).lower())


def exact(text: str) -> str:
    """Return the key of a case-sensitive text."""
    return normalize("NFC", text)


def require_bounded(name: str, texts: Iterable[str | None]) -> None:
    """Raise ScimError if a text is too long for an index."""
    if any(text is not None and len(text) > MAX_LENGTH for text in texts):
        raise ScimError.of(f"{name} has at most {MAX_LENGTH} characters.", "invalidValue")


def require_names(texts: Iterable[str | None]) -> None:
    """Raise ScimError if a name is invisible or contains control or bidirectional override characters."""
    if any(text and not is_name(text) for text in texts):
        raise ScimError.of("A name must be one line with a visible character.", "invalidValue")


def require_max_values(attributes: Mapping[str, Any]) -> None:
    """Raise ScimError if an attribute has more than MAX_VALUES values."""
    for name, value in attributes.items():
        if isinstance(value, list) and len(value) > MAX_VALUES:
            raise ScimError.of(f"{name} has at most {MAX_VALUES} values.", "invalidValue")


def is_nested_deeper(value: Any, levels: int = MAX_DEPTH) -> bool:
    """Return whether lists and objects are nested more than this many levels deep."""
    if not isinstance(value, list | dict):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_nested_deeper(each, levels - 1) for each in inner)


def escapes_unstorable(text: str) -> bool:
    """Return whether a filter or path escapes a character that PostgreSQL cannot store: NUL or a lone surrogate."""
    return any(found[1] and UNSTORABLE.fullmatch(found[1]) for found in ESCAPE.finditer(text))


def contains_nul(value: Any) -> bool:
    """Return whether a JSON value contains NUL, which PostgreSQL cannot store."""
    match value:
        case str():
            return "\x00" in value
        case list():
            return any(map(contains_nul, value))
        case dict():
            return any(map(contains_nul, value)) or any(map(contains_nul, value.values()))
    return False

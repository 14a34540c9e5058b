"""The forms in which texts are compared and looked up: the library's own, written into columns."""

from collections.abc import Iterable
from typing import Any
from unicodedata import normalize

from atrium.scim.errors import ScimRefusal

LONGEST = 512


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

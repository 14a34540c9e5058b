"""Pages of lists. A cursor is the sort key of the last entry of a page, encoded."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar
from uuid import UUID

import msgspec

from atrium.kit.errors import invalid_parameter

T = TypeVar("T")
ListPage: TypeAlias = tuple[list[T], str | None]  # entries, cursor of the next page
FIRST = UUID(int=0)


def after(cursor: str | None) -> UUID:
    """Return the id after which a page begins. Raise InvalidRequest for an invalid cursor."""
    if cursor is None:
        return FIRST
    return decode_cursor(cursor, UUID)


def decode_cursor(cursor: str, kind: type[T]) -> T:
    """Return the sort key in a cursor of `encode_cursor`. Raise InvalidRequest for an invalid cursor."""
    try:
        packed = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
        return msgspec.json.decode(packed, type=kind)
    except (binascii.Error, msgspec.DecodeError, UnicodeError):
        raise invalid_parameter("cursor", "is not a cursor from this list") from None


def encode_cursor(key: object) -> str:
    """Return the cursor for a sort key."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode()


def paginate(rows: Sequence[T], limit: int, key: Callable[[T], object]) -> tuple[Sequence[T], str | None]:
    """Split off the extra row: return up to `limit` of the rows, and the cursor of the next page, None at the end."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], encode_cursor(key(rows[limit - 1]))

"""Convert database rows to the frozen types of the features."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from atrium.kit.clock import rfc3339
from atrium.kit.postgres.database import Record

T = TypeVar("T")


def as_struct(row: Record | Mapping[str, Any], kind: type[T]) -> T:
    """Return a row as `kind`, whose fields are named as the columns. Times become RFC 3339 text."""
    return msgspec.convert({name: _plain(value) for name, value in row.items()}, kind)


def as_structs(rows: Iterable[Record], kind: type[T]) -> list[T]:
    """Return rows as `kind`, in the same order."""
    return [as_struct(row, kind) for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, UUID):  # the driver has its own UUID class
        return str(value)
    return value

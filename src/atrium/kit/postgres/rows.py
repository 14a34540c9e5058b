"""Database rows as the frozen types of the features."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from atrium.kit.clock import rfc3339
from atrium.kit.postgres.database import Record

T = TypeVar("T")


def as_struct(row: Record | Mapping[str, Any], kind: type[T]) -> T:
    """A row as `kind`, column by column; times become RFC 3339 text."""
    return msgspec.convert({name: _plain(value) for name, value in row.items()}, kind)


def as_structs(rows: Iterable[Record], kind: type[T]) -> list[T]:
    """Rows as `kind`, in order."""
    return [as_struct(row, kind) for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, UUID):  # the driver has a UUID class of its own
        return str(value)
    return value

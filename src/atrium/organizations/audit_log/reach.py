"""Read the audit log of an organization."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from atrium.audit import queries
from atrium.keys.caller import Call
from atrium.kit.http.paging import ListPage, decode_cursor, paginate
from atrium.kit.postgres.database import Pool, Record
from atrium.kit.text.csv_table import csv_rows
from atrium.kit.text.types import END_OF_TIME, TimeParameter, Timestamp, time_parameter
from atrium.organizations.reach import Organization

LAST = UUID(int=(1 << 128) - 1)
PART = 1000  # entries read at a time for an export
COLUMNS = (
    "at", "actor_type", "actor_name", "action", "target_type", "target_name", "before", "after", "address",
    "actor_id", "target_id", "api_key_id", "request_id", "entry_id",
)  # fmt: skip


class Actor(Struct, frozen=True):
    """The actor: `type` is person, integration, or system for changes that no request caused; the name at the time."""

    type: Annotated[str, Meta(examples=["integration"])]
    id: UUID | None
    name: Annotated[str, Meta(examples=["Deploy bot"])]


class Target(Struct, frozen=True):
    """The target, with its name at the time."""

    type: Annotated[str, Meta(examples=["space"])]
    id: UUID | None
    name: str | None


class Entry(Struct, frozen=True):
    """An entry: `before` and `after` have the fields that changed, or all fields of what was created or deleted."""

    entry_id: UUID
    at: Timestamp
    actor: Actor
    action: Annotated[str, Meta(examples=["space.created"])]
    target: Target
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    api_key_id: UUID | None
    address: Annotated[str | None, Meta(examples=["203.0.113.7"])]
    request_id: str | None


class AuditLogFilter(Struct, kw_only=True):
    """The filters of the audit log."""

    action: Annotated[str | None, Meta(description="an action such as space.created, or the first part of it")] = None
    actor_id: Annotated[UUID | None, Meta(description="only entries of this actor")] = None
    target_id: Annotated[UUID | None, Meta(description="only entries with this target")] = None
    api_key_id: Annotated[UUID | None, Meta(description="only entries of this key")] = None
    since: Annotated[TimeParameter | None, Meta(description="only entries of this time or later")] = None
    until: Annotated[TimeParameter | None, Meta(description="only entries before this time")] = None


async def list_entries(
    call: Call, organization: Organization, filters: AuditLogFilter, *, cursor: str | None, limit: int
) -> ListPage[Entry]:
    """Return a page of the entries that match, newest first. Raise InvalidRequest."""
    before = LAST if cursor is None else decode_cursor(cursor, UUID)
    rows = await call.db.fetch(queries.ENTRIES, *_parameters(organization, before, filters), limit + 1)
    page, next_cursor = paginate(_entries(rows), limit, lambda entry: entry.entry_id)
    return list(page), next_cursor


def export_entries(
    organization: Organization, filters: AuditLogFilter, encode: Callable[[Sequence[Entry]], bytes], head: bytes = b""
) -> Callable[[Pool], AsyncIterator[bytes]]:
    """Return a generator function that yields `head` and the encoded entries, newest first. Raise InvalidRequest before
    anything is sent."""
    _parameters(organization, LAST, filters)

    async def parts(pool: Pool) -> AsyncIterator[bytes]:
        before: UUID | None = LAST
        yield head
        while before:
            rows = await pool.fetch(queries.ENTRIES, *_parameters(organization, before, filters), PART)
            entries = _entries(rows)
            yield encode(entries)
            before = entries[-1].entry_id if len(entries) == PART else None

    return parts


def as_lines(entries: Sequence[Entry]) -> bytes:
    """Return the entries as JSON Lines."""
    return b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)


def as_rows(entries: Sequence[Entry]) -> bytes:
    """Return the entries as rows of CSV in the order of COLUMNS; `before` and `after` are JSON."""
    return csv_rows([[*map(_cell, _values(entry))] for entry in entries]).encode()


def _values(entry: Entry) -> Sequence[Any]:
    actor, target = entry.actor, entry.target
    return (
        entry.at,
        actor.type,
        actor.name,
        entry.action,
        target.type,
        target.name,
        entry.before,
        entry.after,
        entry.address,
        actor.id,
        target.id,
        entry.api_key_id,
        entry.request_id,
        entry.entry_id,
    )


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode()
    return "" if value is None else str(value)


def _parameters(organization: Organization, before: UUID, query: AuditLogFilter) -> Sequence[Any]:
    return (
        organization.organization_id,
        before,
        query.action,
        query.actor_id,
        query.target_id,
        query.api_key_id,
        time_parameter("since", query.since, 0),
        time_parameter("until", query.until, END_OF_TIME),
    )


def _entries(rows: Sequence[Record]) -> list[Entry]:
    """Read rows of ENTRIES."""
    return [msgspec.json.decode(row["entry"], type=Entry) for row in rows]

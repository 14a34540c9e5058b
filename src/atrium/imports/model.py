"""Imports of uploaded files, as the API shows them."""

from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from atrium.imports.run import Count, Counters
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import ActorId, SpaceId, Timestamp


class ImportNotFound(NotFound):
    """The organization has no import with this id."""

    code = "import_not_found"
    title = "Import not found"


class ImportConflict(Conflict):
    """The import's current state does not allow this. See `status`."""

    code = "import_conflict"
    title = "The import is in another state"


class ImportStatus(StrEnum):
    """The state of an import; the last three are final."""

    UPLOADING = "uploading"
    CHECKING = "checking"
    READY = "ready"
    IMPORTING = "importing"
    DONE = "done"
    FAILED = "failed"
    CANCELED = "canceled"


class ImportCount(Struct, frozen=True):
    """The numbers of new and of existing items."""

    new: Annotated[int, Meta(examples=[351])]
    known: Annotated[int, Meta(examples=[0])]


class ImportCounts(Struct, frozen=True):
    """The contents of an export, counted; `notes` lists what is skipped or changed."""

    people: ImportCount
    bots: ImportCount
    rooms: ImportCount
    messages: Annotated[ImportCount, Meta(description="including replies")]
    notes: list[str]


class CheckResult(Struct, frozen=True):
    """The stored result of a check."""

    counters: Counters
    left_out: tuple[str, ...]


class Import(Struct, frozen=True):
    """An import of an uploaded file."""

    import_id: UUID
    space_id: Annotated[SpaceId, Meta(description="the space in which channels become rooms")]
    name: Annotated[str, Meta(examples=["Acme Slack export.zip"])]
    size: Annotated[int, Meta(description="bytes")]
    received: Annotated[int, Meta(description="bytes that are uploaded")]
    status: ImportStatus
    done: Annotated[int, Meta(description="progress of the running check or import: steps done")]
    total: Annotated[int, Meta(description="steps in total, 0 while unknown")]
    found: Annotated[ImportCounts | None, Meta(description="what the check found; null before")]
    added: Annotated[ImportCounts | None, Meta(description="what was imported so far; null before the start")]
    reason: Annotated[str | None, Meta(description="why it failed or is being retried")]
    created_by: ActorId
    created_at: Timestamp
    ended_at: Timestamp | None


def import_of(row: Record) -> Import:
    """Return a row of IMPORTS or READ."""
    fields: dict[str, Any] = dict(row)
    raw_checked, raw_counters = fields.pop("checked"), fields.pop("counters")
    checked = msgspec.json.decode(raw_checked, type=CheckResult) if raw_checked else None
    counters = msgspec.json.decode(raw_counters, type=Counters) if raw_counters else None
    left_out = checked.left_out if checked else ()
    fields["found"] = checked and msgspec.to_builtins(counts_of(checked.counters, left_out))
    fields["added"] = counters and msgspec.to_builtins(counts_of(counters, left_out))
    return as_struct(fields, Import)


def counts_of(counters: Counters, left_out: tuple[str, ...]) -> ImportCounts:
    """Return the counters of a check or an import as the API shows them."""
    people, bots, rooms, messages = map(_count_of, (counters.people, counters.bots, counters.rooms, counters.messages))
    return ImportCounts(people, bots, rooms, messages, [*counters.warnings, *left_out])


def _count_of(count: Count) -> ImportCount:
    return ImportCount(count.added, count.known)

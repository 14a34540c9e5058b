"""`/v1/organizations/{organization_id}/audit-log`: list and export the audit log."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Cursor, Limit, Request
from atrium.kit.http.responses import CsvTable, JsonLines
from atrium.kit.text.csv_table import BYTE_ORDER_MARK, csv_rows
from atrium.organizations.audit_log import reach
from atrium.organizations.audit_log.reach import AuditLogFilter, Entry
from atrium.organizations.reach import Organization


class AuditLog(Struct, frozen=True):
    """A page of the audit log, newest first."""

    entries: list[Entry]
    next_cursor: str | None


class AuditLogQuery(AuditLogFilter, kw_only=True):
    """The filters of the audit log, and a page of it."""

    limit: Limit = 50
    cursor: Cursor = None


class AuditLogExportQuery(AuditLogFilter, kw_only=True):
    """The filters and the format of an export."""

    format: Annotated[Literal["jsonl", "csv"] | None, Meta(description="takes precedence over the header Accept")] = (
        None
    )


CSV_HEAD = BYTE_ORDER_MARK + csv_rows([reach.COLUMNS])
CSV_EXAMPLE = f"{CSV_HEAD}2026-01-02T03:04:05.678901Z,person,Ada,room.archived,room,lab,,,203.0.113.7,,,,,\r\n"


async def list_audit_log(call: Call, organization: Organization, query: AuditLogQuery) -> AuditLog:
    """List changes and rejected requests, newest first, with actor, target, IP address and changed fields."""
    page = await reach.list_entries(call, organization, query, cursor=query.cursor, limit=query.limit)
    return AuditLog(*page)


async def export_audit_log(
    call: Call, organization: Organization, query: AuditLogExportQuery, request: Request
) -> JsonLines[Entry]:
    """Export the audit log, newest first: as JSON Lines, or as CSV if `format` or the header Accept requests it.

    CSV has a row per entry. `before` and `after` are JSON, and a cell that a spreadsheet would run as a formula begins
    with an apostrophe.
    """
    if query.format == "csv" or (
        query.format is None and request.prefers(CsvTable.media_type, over=JsonLines.media_type)
    ):
        table = reach.export_entries(organization, query, reach.as_rows, CSV_HEAD.encode())
        return CsvTable(lambda pool, _clock: table(pool))
    lines = reach.export_entries(organization, query, reach.as_lines)
    return JsonLines(lambda pool, _clock: lines(pool))

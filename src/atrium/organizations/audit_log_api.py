"""`/v1/organizations/{organization_id}/audit-log`: list and export the audit log."""

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Cursor, Limit
from atrium.kit.http.responses import JsonLines
from atrium.organizations import audit_log
from atrium.organizations.audit_log import Chosen, Entry
from atrium.organizations.reach import Organization


class AuditLog(Struct, frozen=True):
    """A page of the audit log, newest first."""

    entries: list[Entry]
    next_cursor: str | None


class ChosenPage(Chosen, kw_only=True):
    """Which entries to show, and which page of them."""

    limit: Limit = 50
    cursor: Cursor = None


async def list_audit_log(call: Call, organization: Organization, query: ChosenPage) -> AuditLog:
    """List the changes in an organization and the refused requests, newest first: who, what, from where, and the fields
    before and after."""
    page = await audit_log.list_entries(call, organization, query, cursor=query.cursor, limit=query.limit)
    return AuditLog(*page)


async def export_audit_log(call: Call, organization: Organization, query: Chosen) -> JsonLines[Entry]:
    """Export the audit log as JSON Lines, newest first, one entry per line."""
    lines = audit_log.entries_as_lines(organization, query)
    return JsonLines(lambda pool, _clock: lines(pool))

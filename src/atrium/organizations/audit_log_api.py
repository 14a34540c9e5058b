"""`/v1/organizations/{organization_id}/audit-log`: what was changed and refused, read and exported."""

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.answers import JsonLines
from atrium.kit.web import Cursor, Limit
from atrium.organizations import audit_log
from atrium.organizations.audit_log import Chosen, Entry
from atrium.organizations.reach import Organization


class AuditLog(Struct, frozen=True):
    """A page of the audit trail, newest first."""

    entries: list[Entry]
    next_cursor: str | None


class ChosenPage(Chosen, kw_only=True):
    """Which entries to show, and which page of them."""

    limit: Limit = 50
    cursor: Cursor = None


async def list_audit_log(call: Call, organization: Organization, query: ChosenPage) -> AuditLog:
    """List what was changed in an organization and what was refused, newest first: who, what, from where, and the
    fields before and after."""
    page = await audit_log.list_entries(call, organization, query, cursor=query.cursor, limit=query.limit)
    return AuditLog(*page)


async def export_audit_log(call: Call, organization: Organization, query: Chosen) -> JsonLines[Entry]:
    """Export the audit trail as JSON Lines, newest first: an entry a line, as the list shows it."""
    lines = audit_log.entries_as_lines(organization, query)
    return JsonLines(lambda pool, _clock: lines(pool))

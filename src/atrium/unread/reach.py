"""Read the unread counts of a person."""

from atrium.keys.caller import Call, require_person
from atrium.kit.http.paging import ListPage, after, cut
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_structs
from atrium.organizations.reach import Organization
from atrium.unread import queries
from atrium.unread.model import MAX_COUNTED, OWN_WITHIN, UnreadRoom


async def list_unread(call: Call, organization: Organization, paging: Paging) -> ListPage[UnreadRoom]:
    """Return a page of the rooms with unread messages that the caller can access. Raises Forbidden."""
    require_person(call.caller)
    rows = await call.db.fetch(
        queries.UNREAD, organization.organization_id, call.caller.actor_id, after(paging.cursor), paging.limit + 1,
        MAX_COUNTED, OWN_WITHIN,
    )  # fmt: skip
    page, cursor = cut(rows, paging.limit, lambda row: row["room_id"])
    return as_structs(page, UnreadRoom), cursor

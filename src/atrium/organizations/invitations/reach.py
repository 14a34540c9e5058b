"""Read invitations: those that are open, and the one of a token."""

from datetime import datetime

import msgspec

from atrium.keys.caller import Call
from atrium.keys.tokens import hash_of
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.postgres.rows import as_struct
from atrium.organizations.invitations import queries
from atrium.organizations.model import Invitation, InvitationPreview
from atrium.organizations.reach import Organization


class InvitationNotFound(NotFound):
    """The invitation is unknown, used or expired."""

    code = "invitation_not_found"
    title = "Invitation not found"


async def list_invitations(call: Call, organization: Organization, paging: Paging) -> ListPage[Invitation]:
    """Return a page of the pending invitations, oldest first."""
    request = (organization.organization_id, call.now, after(paging.cursor), paging.limit + 1)
    rows = await call.db.fetch(queries.OPEN_INVITATIONS, *request)
    page, cursor = paginate(rows, paging.limit, lambda row: row["invitation_id"])
    return [invitation_of(row) for row in page], cursor


def invitation_of(row: Record) -> Invitation:
    """Return a row of OPEN_INVITATION or OPEN_INVITATIONS."""
    return as_struct({**row, "spaces": msgspec.json.decode(row["spaces"])}, Invitation)


async def require_invitation(db: Connection, token: str, now: datetime) -> None:
    """Raise InvitationNotFound unless the token accepts an invitation."""
    if await db.fetchval(queries.INVITATION, hash_of(token), now) is None:
        raise InvitationNotFound


async def preview_invitation(db: Connection, token: str, now: datetime) -> InvitationPreview:
    """Return the invitation of a token, whether or not it can still be accepted. Raise InvitationNotFound."""
    row = await db.fetchrow(queries.INVITATION_PREVIEW, hash_of(token), now)
    if row is None:
        raise InvitationNotFound
    return as_struct(row, InvitationPreview)

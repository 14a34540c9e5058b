"""Fetch an attachment for an actor who can access its room; before it is sent, only for its uploader."""

from datetime import datetime
from uuid import UUID

from atrium.attachments import queries
from atrium.attachments.model import Attachment, RoomFile
from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import RoomId, Timestamp
from atrium.permissions import Permission, SpaceRole
from atrium.rooms.model import ReachedRoom
from atrium.spaces.reach import require_space_role


class AttachmentNotFound(NotFound):
    """The attachment does not exist, or the caller cannot access its room. Only images have a thumbnail."""

    code = "attachment_not_found"
    title = "Attachment not found"


class ReachedAttachment(Attachment, frozen=True):
    """An attachment that the caller can read, and where it is stored."""

    room_id: RoomId
    object: UUID
    thumbnail: UUID | None
    thumbnail_size: int | None
    stored: Timestamp
    role: SpaceRole

    @property
    def stored_at(self) -> datetime:
        """Return when it was completely stored."""
        return datetime.fromisoformat(self.stored)


async def list_files(call: Call, room: ReachedRoom, paging: Paging) -> ListPage[RoomFile]:
    """Return a page of the files of a room, the last uploaded first."""
    last = None if paging.cursor is None else after(paging.cursor)
    rows = await call.db.fetch(queries.FILES, room.room_id, last, paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["attachment_id"])
    return as_structs(page, RoomFile), cursor


async def reach_attachment(call: Call, attachment_id: UUID, permission: Permission) -> ReachedAttachment:
    """Return the attachment if the caller has a role in its space. Raise AttachmentNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, attachment_id, call.caller.actor_id, call.caller.kind)
    if row is None:
        raise AttachmentNotFound
    call.caller.require_not_barred(row["organization_id"])
    found = as_struct(row, ReachedAttachment)
    require_space_role(found.role, permission)
    return found

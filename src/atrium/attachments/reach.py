"""Fetching an attachment is permitting: it comes to an actor with a role in its room's space; one that is not sent yet
comes to its uploader alone."""

from datetime import datetime
from uuid import UUID

from atrium.attachments import queries
from atrium.attachments.model import Attachment
from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.rows import as_struct
from atrium.kit.texts import RoomId, Timestamp
from atrium.permissions import Permission, SpaceRole
from atrium.spaces.reach import require_space_role


class AttachmentNotFound(NotFound):
    """There is no such attachment, or the caller does not reach its room; an image alone has a thumbnail."""

    code = "attachment_not_found"
    title = "There is no such attachment"


class ReachedAttachment(Attachment, frozen=True):
    """An attachment that the caller reaches, and where it lies."""

    room_id: RoomId
    object: UUID
    thumbnail: UUID | None
    thumbnail_size: int | None
    stored: Timestamp
    role: SpaceRole

    @property
    def stored_at(self) -> datetime:
        """Since when its bytes are whole."""
        return datetime.fromisoformat(self.stored)


async def reach_attachment(call: Call, attachment_id: UUID, permission: Permission) -> ReachedAttachment:
    """The attachment, for an actor with a role in its space. Raises AttachmentNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, attachment_id, call.caller.actor_id, call.caller.kind)
    if row is None:
        raise AttachmentNotFound
    found = as_struct(row, ReachedAttachment)
    require_space_role(found.role, permission)
    return found

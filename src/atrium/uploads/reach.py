"""Fetching an upload is permitting: it comes to whoever began it, in a room that he still reaches."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.rows import as_struct
from atrium.kit.texts import Timestamp
from atrium.permissions import Permission
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import reach_room
from atrium.uploads import queries
from atrium.uploads.model import UploadKind


class UploadNotFound(NotFound):
    """There is no such upload of yours in the room, or it has expired."""

    code = "upload_not_found"
    title = "There is no such upload"


class Upload(Struct, frozen=True):
    """What is on its way."""

    upload_id: UUID
    kind: UploadKind
    name: str
    size: int | None
    received: int
    parts: Annotated[int, Meta(description="pieces that are stored")]
    expires_at: Timestamp
    is_finished: bool


class ReachedUpload(Struct, frozen=True):
    """An upload that the caller began, with its room."""

    upload: Upload
    room: ReachedRoom


async def reach_upload(call: Call, room_id: UUID, upload_id: UUID, permission: Permission) -> ReachedUpload:
    """The upload, for the actor who began it. Raises RoomNotFound, Forbidden, UploadNotFound."""
    room = await reach_room(call, room_id, permission)
    row = await call.db.fetchrow(queries.REACH, room_id, upload_id, call.caller.actor_id, call.now)
    if row is None:
        raise UploadNotFound
    return ReachedUpload(as_struct(row, Upload), room)

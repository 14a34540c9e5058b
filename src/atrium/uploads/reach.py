"""Fetch an upload for the actor who began it, if they can still access its room."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import Timestamp
from atrium.permissions import Permission
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import reach_room
from atrium.uploads import queries
from atrium.uploads.model import SCOPES, UploadKind


class UploadNotFound(NotFound):
    """You have no upload with this id in the room, or it has expired."""

    code = "upload_not_found"
    title = "Upload not found"


class Upload(Struct, frozen=True):
    """An upload."""

    upload_id: UUID
    kind: UploadKind
    name: str
    size: int | None
    received: int
    parts: Annotated[int, Meta(description="stored parts")]
    expires_at: Timestamp
    is_finished: bool


class ReachedUpload(Struct, frozen=True):
    """An upload that the caller began, with its room."""

    upload: Upload
    room: ReachedRoom


async def reach_upload(call: Call, room_id: UUID, upload_id: UUID, permission: Permission) -> ReachedUpload:
    """Return the upload if the caller began it. Raise RoomNotFound, Forbidden, UploadNotFound."""
    room = await reach_room(call, room_id, permission)
    row = await call.db.fetchrow(queries.REACH, room_id, upload_id, call.caller.actor_id, call.now)
    if row is None:
        raise UploadNotFound
    upload = as_struct(row, Upload)
    call.caller.require_scope(SCOPES[upload.kind])
    return ReachedUpload(upload, room)

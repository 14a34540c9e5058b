"""Resumable uploads, by the tus protocol 1.0.0 (creation, expiration, termination)."""

from collections.abc import AsyncIterator
from email.utils import format_datetime
from typing import Any

from atrium.attachments.actions import Examined, add_attachment, examine
from atrium.attachments.model import ImageTooLarge
from atrium.keys.caller import Call
from atrium.kit.answers import Headed, Receiving
from atrium.kit.clock import parse_time
from atrium.kit.database import Pool
from atrium.kit.errors import BodyCut
from atrium.kit.storage import Storage, StorageUnavailable
from atrium.kit.web import Incoming, raises, reads, receives
from atrium.media.parts import read
from atrium.media.sniff import ENOUGH, UnsupportedMedia, media_type_of, require_media
from atrium.recordings.actions import NotAVideoRoom, add_recording, require_takes_recordings
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import RoomArchived, require_open
from atrium.tus.headers import (
    OFFSET_STREAM,
    TUS_RESUMABLE,
    UPLOAD_LENGTH,
    UPLOAD_METADATA,
    UPLOAD_OFFSET,
    WrongContentType,
    WrongTusVersion,
    metadata,
    number,
    require_offset_stream,
    require_version,
)  # fmt: skip
from atrium.uploads import actions
from atrium.uploads.model import (
    KEPT,
    EmptyFile,
    StorageQuotaExceeded,
    Taken,
    UploadConflict,
    UploadKind,
    UploadTooLarge,
)
from atrium.uploads.reach import ReachedUpload, Upload
from atrium.uploads.receive import receive


@raises(WrongTusVersion, EmptyFile, UploadTooLarge, StorageQuotaExceeded, RoomArchived, NotAVideoRoom)
@reads(TUS_RESUMABLE, UPLOAD_LENGTH, UPLOAD_METADATA)
async def create_upload(call: Call, room: ReachedRoom, request: Incoming) -> Headed[None]:
    """Begin a resumable upload of a recording or an attachment.

    The header `Location` names it; the last part of that path becomes the `recording_id` or `attachment_id`. Send the
    file there by PATCH, in one request or many.
    """
    require_version(request)
    kind, name = metadata(request)
    if kind is UploadKind.RECORDING:
        require_takes_recordings(room)
    require_open(room)
    draft = await actions.begin(call, room, kind, name, number(request, "Upload-Length"))
    where = f"/v2/rooms/{room.room_id}/uploads/{draft.upload_id}"
    return Headed(None, ("location", where), ("upload-offset", "0"), _expires(call))


@raises(WrongTusVersion)
@reads(TUS_RESUMABLE)
async def read_upload(upload: ReachedUpload, request: Incoming) -> Headed[Upload]:
    """Ask how many bytes of an upload are there; tus clients ask by HEAD.

    The header `Upload-Offset` says it: go on from there. A finished upload holds all of them.
    """
    require_version(request)
    expires_at = format_datetime(parse_time(upload.upload.expires_at), usegmt=True)
    return Headed(
        upload.upload, ("upload-offset", str(upload.upload.received)), ("upload-length", str(upload.upload.size)),
        ("upload-expires", expires_at), ("cache-control", "no-store"),
    )  # fmt: skip


@raises(
    WrongTusVersion, WrongContentType, UploadConflict, UnsupportedMedia, ImageTooLarge, UploadTooLarge, EmptyFile,
    BodyCut, StorageUnavailable, RoomArchived, NotAVideoRoom,
)  # fmt: skip
@receives(OFFSET_STREAM, TUS_RESUMABLE, UPLOAD_OFFSET)
async def append_to_upload(call: Call, upload: ReachedUpload, request: Incoming) -> Receiving[None]:
    """Send more of an upload.

    With the last byte it becomes the recording or the attachment, under the upload's id. Of two requests for the same
    upload only the later one writes.
    """
    require_version(request)
    require_offset_stream(request)
    draft = await actions.take_over(call, upload.upload, number(request, "Upload-Offset"))
    storage, expires = call.storage, _expires(call)
    look = require_media if draft.kind is UploadKind.RECORDING else media_type_of

    async def take(pool: Pool, body: AsyncIterator[bytes]) -> Taken | Examined:
        taken = await receive(pool, storage, draft, body, look)
        return await _examined(pool, storage, taken) if taken.last is not None else taken

    async def finish(call: Call, upload: ReachedUpload, taken: Taken | Examined) -> Headed[None]:
        received = taken.taken.received if isinstance(taken, Examined) else taken.received
        if isinstance(taken, Examined):
            await _make(call, upload.room, taken)
        return Headed(None, ("upload-offset", str(received)), expires)

    return Receiving(take, finish)


@raises(WrongTusVersion)
@reads(TUS_RESUMABLE)
async def delete_upload(call: Call, upload: ReachedUpload, request: Incoming) -> None:
    """Give an upload up; what was sent is forgotten."""
    require_version(request)
    await actions.remove(call, upload.upload.upload_id)


async def _examined(pool: Pool, storage: Storage, taken: Taken) -> Examined:
    beginning = await _beginning(pool, storage, taken)
    if taken.draft.kind is UploadKind.RECORDING:
        return Examined(taken, require_media(beginning))
    return await examine(pool, storage, taken, beginning)


async def _beginning(pool: Pool, storage: Storage, taken: Taken) -> bytes:
    folder, last = taken.draft.upload_id, taken.last
    found = b"".join([chunk async for chunk in read(pool, storage, folder, 0, ENOUGH)])
    if last is not None and last.starts_at < ENOUGH:
        found += b"".join([chunk async for chunk in storage.read(f"{folder}/{last.part}", 0, min(ENOUGH, last.size))])
    return found


async def _make(call: Call, room: ReachedRoom, examined: Examined) -> Any:
    if examined.taken.draft.kind is UploadKind.RECORDING:
        return await add_recording(call, room, examined.taken, examined.media_type)
    return await add_attachment(call, room, examined)


def _expires(call: Call) -> tuple[str, str]:
    return "upload-expires", format_datetime(call.now + KEPT, usegmt=True)

"""Resumable uploads, by the tus protocol 1.0.0 (creation, expiration, termination)."""

from collections.abc import AsyncIterator
from email.utils import format_datetime
from typing import Any
from uuid import UUID

from atrium.attachments.actions import InspectedUpload, add_attachment, inspect_upload
from atrium.keys.caller import Call
from atrium.kit.clock import parse_time
from atrium.kit.http.request import Request
from atrium.kit.http.responses import ReceivesBody, WithHeaders
from atrium.kit.postgres.database import Pool
from atrium.kit.storage import Storage
from atrium.media.media_type import SNIFF_BYTES, media_type_of, require_media
from atrium.media.parts import read
from atrium.recordings.actions import add_recording, require_accepts_recordings
from atrium.rooms.model import ReachedRoom
from atrium.tus.headers import metadata, number, require_offset_stream, require_version
from atrium.uploads import actions
from atrium.uploads.model import EXPIRES_AFTER, SCOPES, ReceivedUpload, UploadKind
from atrium.uploads.reach import ReachedUpload, Upload
from atrium.uploads.receive import receive


async def create_upload(call: Call, room: ReachedRoom, request: Request) -> WithHeaders[None]:
    """Start a resumable upload of a recording or an attachment.

    The header `Location` is its URL; the last part of the path becomes the `recording_id` or `attachment_id`. Send the
    file there by PATCH, in one or more requests.
    """
    require_version(request)
    kind, name = metadata(request)
    call.caller.require_scope(SCOPES[kind])
    if kind is UploadKind.RECORDING:
        require_accepts_recordings(room)
    draft = await actions.begin(call, room, kind, name, number(request, "Upload-Length"))
    where = f"/v2/rooms/{room.room_id}/uploads/{draft.upload_id}"
    return WithHeaders(None, ("location", where), ("upload-offset", "0"), _expires(call))


async def read_upload(upload: ReachedUpload, request: Request) -> WithHeaders[Upload]:
    """Read how many bytes of an upload are stored; tus clients use HEAD.

    The header `Upload-Offset` is that number: continue from there. A finished upload has all bytes.
    """
    require_version(request)
    expires_at = format_datetime(parse_time(upload.upload.expires_at), usegmt=True)
    return WithHeaders(
        upload.upload,
        ("upload-offset", str(upload.upload.received)),
        ("upload-length", str(upload.upload.size)),
        ("upload-expires", expires_at),
        ("cache-control", "no-store"),
    )


async def append_to_upload(call: Call, upload: ReachedUpload, request: Request) -> ReceivesBody[None]:
    """Send more bytes of an upload.

    With the last byte, the upload becomes the recording or attachment with the upload's id. If two
    requests append to the same upload, only the later one succeeds.
    """
    require_version(request)
    require_offset_stream(request)
    draft = await actions.take_over(call, upload.upload, number(request, "Upload-Offset"))
    storage, expires, organization_id = call.storage, _expires(call), upload.room.organization_id
    inspect = require_media if draft.kind is UploadKind.RECORDING else media_type_of

    async def receive_body(pool: Pool, body: AsyncIterator[bytes]) -> ReceivedUpload | InspectedUpload:
        received = await receive(pool, storage, draft, body, inspect)
        return await _inspected(pool, storage, organization_id, received) if received.last is not None else received

    async def finish(
        call: Call, upload: ReachedUpload, received: ReceivedUpload | InspectedUpload
    ) -> WithHeaders[None]:
        if isinstance(received, InspectedUpload):
            await _add(call, upload.room, received)
            received = received.upload
        return WithHeaders(None, ("upload-offset", str(received.received)), expires)

    return ReceivesBody(receive_body, finish)


async def delete_upload(call: Call, upload: ReachedUpload, request: Request) -> None:
    """Delete an upload and its data."""
    require_version(request)
    await actions.remove(call, upload.upload.upload_id)


async def _inspected(pool: Pool, storage: Storage, organization_id: UUID, upload: ReceivedUpload) -> InspectedUpload:
    beginning = await _beginning(pool, storage, upload)
    if upload.draft.kind is UploadKind.RECORDING:
        return InspectedUpload(upload, require_media(beginning))
    return await inspect_upload(pool, storage, organization_id, upload, beginning)


async def _beginning(pool: Pool, storage: Storage, upload: ReceivedUpload) -> bytes:
    folder, last = upload.draft.upload_id, upload.last
    found = b"".join([chunk async for chunk in read(pool, storage, folder, 0, SNIFF_BYTES)])
    if last is not None and last.starts_at < SNIFF_BYTES:
        found += b"".join(
            [chunk async for chunk in storage.read(f"{folder}/{last.part}", 0, min(SNIFF_BYTES, last.size))]
        )
    return found


async def _add(call: Call, room: ReachedRoom, examined: InspectedUpload) -> Any:
    if examined.upload.draft.kind is UploadKind.RECORDING:
        return await add_recording(call, room, examined.upload, examined.media_type)
    return await add_attachment(call, room, examined)


def _expires(call: Call) -> tuple[str, str]:
    return "upload-expires", format_datetime(call.now + EXPIRES_AFTER, usegmt=True)

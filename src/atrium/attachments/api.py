"""Files attached to messages."""

from collections.abc import AsyncIterator

from msgspec import Struct

from atrium.attachments import actions, reach
from atrium.attachments.actions import InspectedUpload
from atrium.attachments.model import RoomFile, UploadedAttachment
from atrium.attachments.reach import AttachmentNotFound, ReachedAttachment
from atrium.keys.caller import Call
from atrium.kit.http.request import Paging, Request
from atrium.kit.http.responses import FileResponse, ReceivesBody
from atrium.kit.postgres.database import Pool
from atrium.media import parts
from atrium.media.images import THUMBNAIL_TYPE
from atrium.media.serving import StoredFile, serve
from atrium.rooms.model import ReachedRoom
from atrium.uploads.actions import begin, declared_size
from atrium.uploads.model import FileName, UploadKind
from atrium.uploads.receive import receive


class RoomFileList(Struct, frozen=True):
    """A page of files."""

    attachments: list[RoomFile]
    next_cursor: str | None


async def list_attachments(call: Call, room: ReachedRoom, query: Paging) -> RoomFileList:
    """List the files of a room's messages and page, newest first."""
    return RoomFileList(*await reach.list_files(call, room, query))


async def create_attachment(
    call: Call, room: ReachedRoom, query: FileName, request: Request
) -> ReceivesBody[UploadedAttachment]:
    """Upload a file to attach to a message. The file is the body.

    Send a message with its `attachment_id` within a day. Its content determines its media type; an image gets a
    thumbnail.
    """
    draft = await begin(call, room, UploadKind.ATTACHMENT, query.name, declared_size(request))
    beginnings: list[bytes] = []

    async def receive_body(pool: Pool, body: AsyncIterator[bytes]) -> InspectedUpload:
        upload = await receive(pool, call.storage, draft, body, beginnings.append)
        return await actions.inspect_upload(pool, call.storage, room.organization_id, upload, beginnings[-1])

    return ReceivesBody(receive_body, actions.add_attachment)


async def read_attachment_content(call: Call, attachment: ReachedAttachment, request: Request) -> FileResponse[bytes]:
    """Read an attachment, or a range of it. Files that could run in a browser are downloads."""
    file = StoredFile(
        str(attachment.object),
        attachment.name,
        attachment.media_type,
        attachment.size,
        attachment.stored_at,
        lambda pool, storage, start, stop: parts.read(pool, storage, attachment.object, start, stop),
    )
    return serve(request, call.storage, file)


async def read_attachment_thumbnail(call: Call, attachment: ReachedAttachment, request: Request) -> FileResponse[bytes]:
    """Read the thumbnail of an image."""
    if attachment.thumbnail is None or attachment.thumbnail_size is None:
        raise AttachmentNotFound
    piece = f"{attachment.object}/{attachment.thumbnail}"
    file = StoredFile(
        str(attachment.thumbnail),
        f"{attachment.name}.webp",
        THUMBNAIL_TYPE,
        attachment.thumbnail_size,
        attachment.stored_at,
        lambda _pool, storage, start, stop: storage.read(piece, start, stop),
    )
    return serve(request, call.storage, file)

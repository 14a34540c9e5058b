"""Turn finished uploads into attachments, images with a thumbnail."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from atrium.attachments import queries
from atrium.attachments.model import ImageTooLarge, UploadedAttachment
from atrium.keys.caller import Call
from atrium.kit.postgres.database import Pool
from atrium.kit.storage import Storage
from atrium.media.images import TooManyPixels, make_thumbnail
from atrium.media.media_type import IMAGES, media_type_of
from atrium.media.parts import read
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import require_open
from atrium.uploads import actions as uploads
from atrium.uploads.model import ReceivedUpload


@dataclass(frozen=True)
class InspectedUpload:
    """A complete upload with its media type and dimensions. The thumbnail is in the upload's folder."""

    upload: ReceivedUpload
    media_type: str
    width: int | None = None
    height: int | None = None
    thumbnail: UUID | None = None
    thumbnail_size: int | None = None


async def inspect_upload(
    pool: Pool, storage: Storage, organization_id: UUID, upload: ReceivedUpload, beginning: bytes
) -> InspectedUpload:
    """Detect the media type of a complete upload and create its thumbnail. Expire the upload and raise ImageTooLarge if
    it has too many pixels."""
    media_type = media_type_of(beginning)
    if media_type not in IMAGES or upload.last is None:
        return InspectedUpload(upload, media_type)
    folder, last = upload.draft.upload_id, upload.last
    try:
        image = await make_thumbnail(
            organization_id, upload.draft.owner, read(pool, storage, folder, 0, last.starts_at),
            storage.read(f"{folder}/{last.part}", 0, last.size),
        )  # fmt: skip
    except TooManyPixels as error:
        await uploads.expire(pool, folder)
        raise ImageTooLarge(f"An image may have at most {error} pixels.") from None
    if image is None:
        return InspectedUpload(upload, media_type)
    thumbnail = uuid4()
    await storage.put(f"{folder}/{thumbnail}", image.content)
    return InspectedUpload(upload, media_type, image.width, image.height, thumbnail, len(image.content))


async def add_attachment(call: Call, room: ReachedRoom, examined: InspectedUpload) -> UploadedAttachment:
    """Turn the upload into an attachment of the caller. Raise RoomArchived, UploadConflict."""
    require_open(room)
    await uploads.finish(call, examined.upload)
    draft, size = examined.upload.draft, examined.upload.received
    await call.db.execute(
        queries.ADD, room.room_id, draft.upload_id, draft.name, examined.media_type, size, examined.width,
        examined.height, examined.thumbnail, examined.thumbnail_size, call.caller.actor_id, call.now,
    )  # fmt: skip
    url = f"/v2/attachments/{draft.upload_id}"
    return UploadedAttachment(
        draft.upload_id, draft.name, examined.media_type, size, examined.width, examined.height,
        url=f"{url}/content", thumbnail_url=f"{url}/thumbnail" if examined.thumbnail else None,
    )  # fmt: skip

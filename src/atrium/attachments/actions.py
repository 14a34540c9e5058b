"""An upload that is whole becomes an attachment; an image gets its thumbnail before."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from atrium.attachments import queries
from atrium.attachments.model import ImageTooLarge, UploadedAttachment
from atrium.keys.caller import Call
from atrium.kit.database import Pool
from atrium.kit.storage import Storage
from atrium.media.images import TooManyPixels, make_thumbnail
from atrium.media.parts import read
from atrium.media.sniff import IMAGES, media_type_of
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import require_open
from atrium.uploads import actions as uploads
from atrium.uploads.model import Taken


@dataclass(frozen=True)
class Examined:
    """What the bytes of an upload say of it; the thumbnail lies in the upload's folder."""

    taken: Taken
    media_type: str
    width: int | None = None
    height: int | None = None
    thumbnail: UUID | None = None
    thumbnail_size: int | None = None


async def examine(pool: Pool, storage: Storage, taken: Taken, beginning: bytes) -> Examined:
    """Look at the bytes of a whole upload. Raises ImageTooLarge, and gives the upload up."""
    media_type = media_type_of(beginning)
    if media_type not in IMAGES or taken.last is None:
        return Examined(taken, media_type)
    folder, last = taken.draft.upload_id, taken.last
    try:
        picture = await make_thumbnail(
            taken.draft.owner, read(pool, storage, folder, 0, last.starts_at),
            storage.read(f"{folder}/{last.part}", 0, last.size),
        )  # fmt: skip
    except TooManyPixels as error:
        await uploads.give_up(pool, folder)
        raise ImageTooLarge(f"{error} pixels at most are taken.") from None
    if picture is None:
        return Examined(taken, media_type)
    thumbnail = uuid4()
    await storage.put(f"{folder}/{thumbnail}", picture.content)
    return Examined(taken, media_type, picture.width, picture.height, thumbnail, len(picture.content))


async def add_attachment(call: Call, room: ReachedRoom, examined: Examined) -> UploadedAttachment:
    """The upload becomes an attachment of whoever uploaded it. Raises RoomArchived, UploadConflict."""
    require_open(room)
    await uploads.finish(call, examined.taken)
    draft, size = examined.taken.draft, examined.taken.received
    await call.db.execute(
        queries.ADD, room.room_id, draft.upload_id, draft.name, examined.media_type, size, examined.width,
        examined.height, examined.thumbnail, examined.thumbnail_size, call.caller.actor_id, call.now,
    )  # fmt: skip
    url = f"/v2/attachments/{draft.upload_id}"
    return UploadedAttachment(
        draft.upload_id, draft.name, examined.media_type, size, examined.width, examined.height,
        url=f"{url}/content", thumbnail_url=f"{url}/thumbnail" if examined.thumbnail else None,
    )  # fmt: skip

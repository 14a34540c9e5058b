"""What is done with an upload: begun, taken over by the request that brings more, finished, given up."""

from uuid import UUID, uuid4

from atrium.keys.caller import Call
from atrium.kit.database import Pool
from atrium.kit.errors import invalid_parameter
from atrium.kit.ids import new_id
from atrium.kit.storage import Storage
from atrium.kit.web import Incoming
from atrium.media import parts
from atrium.rooms.model import ReachedRoom
from atrium.uploads import queries, quota
from atrium.uploads.model import (
    KEPT,
    Draft,
    Taken,
    UploadConflict,
    UploadKind,
    most_of,
    require_few_parts,
    require_size,
)  # fmt: skip
from atrium.uploads.reach import Upload


async def begin(call: Call, room: ReachedRoom, kind: UploadKind, name: str, size: int | None) -> Draft:
    """A new upload. It is known before its first byte is stored, so that nothing in the storage is forgotten.

    Raises EmptyFile, UploadTooLarge, StorageQuotaExceeded.
    """
    most = most_of(call.settings, kind)
    require_size(size, most)
    left = await quota.left(call, room.organization_id, size)
    owner = call.caller.actor_id
    draft = Draft(new_id(call.now), kind, name, size, 0, uuid4(), most, owner, quota=left)
    await call.db.execute(
        queries.ADD, draft.upload_id, room.room_id, kind, name, size, draft.writer, call.caller.actor_id, call.now,
        call.now + KEPT,
    )  # fmt: skip
    return draft


def announced_size(request: Incoming) -> int | None:
    """The bytes that the body will have, where it says so. Raises InvalidRequest."""
    raw = request.headers.get(b"content-length")
    if raw is None:
        return None
    if not raw.isdigit():
        raise invalid_parameter("Content-Length", "is not a number")
    return int(raw)


async def take_over(call: Call, upload: Upload, offset: int) -> Draft:
    """From now on this request writes, and no earlier one that may still be under way. Raises UploadConflict."""
    require_few_parts(upload.parts, upload.received)
    writer, expires_at = uuid4(), call.now + KEPT
    if upload.is_finished or offset != upload.received:
        raise UploadConflict(f"The upload holds {upload.received} bytes.")
    if not await call.db.fetchval(queries.TAKE_OVER, upload.upload_id, writer, expires_at, offset):
        raise UploadConflict
    most = most_of(call.settings, upload.kind)
    return Draft(
        upload.upload_id, upload.kind, upload.name, upload.size, offset, writer, most, call.caller.actor_id,
        resumable=True,
    )  # fmt: skip


async def finish(call: Call, taken: Taken) -> None:
    """The upload is whole: its last part counts from this transaction on. Raises UploadConflict."""
    draft = taken.draft
    if not await call.db.fetchval(queries.FINISH, draft.upload_id, draft.writer, taken.received, call.now):
        raise UploadConflict
    if taken.last is not None:
        await parts.add_parts(call.db, draft.upload_id, [taken.last])


async def remove(call: Call, upload_id: UUID) -> None:
    """Give an upload up. What is finished is no upload any more."""
    if await call.db.fetchval(queries.REMOVE, upload_id):
        await parts.drop(call.db, [upload_id], call.now)


async def give_up(pool: Pool, upload_id: UUID) -> None:
    """Let an upload that cannot go on expire at once."""
    await pool.execute(queries.EXPIRE_NOW, upload_id)


async def keep(pool: Pool, storage: Storage, draft: Draft, starts_at: int, content: bytes) -> int:
    """Store the next bytes of an upload; where it stands then. Raises UploadConflict, StorageUnavailable."""
    part = await parts.put_part(storage, draft.upload_id, starts_at, content)
    if not await pool.fetchval(queries.KEEP, draft.upload_id, draft.writer, *part):
        raise UploadConflict
    return starts_at + part.size

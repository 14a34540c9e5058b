"""Begin, continue, finish and remove uploads."""

from uuid import UUID, uuid4

from atrium.keys.caller import Call
from atrium.kit.errors import invalid_parameter
from atrium.kit.http.request import Request
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Pool
from atrium.kit.storage import Storage
from atrium.media import parts
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import require_open
from atrium.uploads import queries, quota
from atrium.uploads.model import (
    EXPIRES_AFTER,
    Draft,
    ReceivedUpload,
    UploadConflict,
    UploadKind,
    max_size_of,
    require_few_parts,
    require_size,
)
from atrium.uploads.reach import Upload


async def begin(call: Call, room: ReachedRoom, kind: UploadKind, name: str, size: int | None) -> Draft:
    """Create an upload into a room. Raise RoomArchived, EmptyFile, UploadTooLarge, StorageQuotaExceeded."""
    require_open(room)
    return await begin_in(call, room.organization_id, room.room_id, kind=kind, name=name, size=size)


async def begin_in(
    call: Call, organization_id: UUID, room_id: UUID | None, *, kind: UploadKind, name: str, size: int | None
) -> Draft:
    """Create an upload. Its row exists before its first byte is stored, so that nothing in the storage is left over.

    Raise EmptyFile, UploadTooLarge, StorageQuotaExceeded.
    """
    max_size = max_size_of(call.settings, kind)
    require_size(size, max_size)
    available = await quota.check_quota(call, organization_id, size)
    owner = call.caller.actor_id
    draft = Draft(new_id(call.now), kind, name, size, 0, uuid4(), max_size, owner, quota=available)
    await call.db.execute(
        queries.ADD,
        draft.upload_id,
        room_id,
        kind,
        name,
        size,
        draft.writer,
        call.caller.actor_id,
        call.now,
        call.now + EXPIRES_AFTER,
    )
    return draft


def declared_size(request: Request) -> int | None:
    """Return the declared length of the body in bytes, if there is one. Raise InvalidRequest."""
    raw = request.headers.get(b"content-length")
    if raw is None:
        return None
    if not raw.isdigit():
        raise invalid_parameter("Content-Length", "is not a number")
    return int(raw)


async def take_over(call: Call, upload: Upload, offset: int) -> Draft:
    """Make this request the only writer of the upload. Raise UploadConflict."""
    require_few_parts(upload.parts, upload.received)
    writer, expires_at = uuid4(), call.now + EXPIRES_AFTER
    if upload.is_finished or offset != upload.received:
        raise UploadConflict(f"The upload's offset is {upload.received}.")
    if not await call.db.fetchval(queries.TAKE_OVER, upload.upload_id, writer, expires_at, offset):
        raise UploadConflict
    max_size = max_size_of(call.settings, upload.kind)
    return Draft(
        upload.upload_id,
        upload.kind,
        upload.name,
        upload.size,
        offset,
        writer,
        max_size,
        call.caller.actor_id,
        resumable=True,
    )


async def finish(call: Call, upload: ReceivedUpload) -> None:
    """Complete the upload with its last part. Raise UploadConflict."""
    draft = upload.draft
    if not await call.db.fetchval(queries.FINISH, draft.upload_id, draft.writer, upload.received, call.now):
        raise UploadConflict
    if upload.last is not None:
        await parts.add_parts(call.db, draft.upload_id, [upload.last])


async def remove(call: Call, upload_id: UUID) -> None:
    """Remove an upload, unless it is finished."""
    if await call.db.fetchval(queries.REMOVE, upload_id):
        await parts.drop(call.db, [upload_id], call.now)


async def expire(pool: Pool, upload_id: UUID) -> None:
    """Expire an upload that cannot be continued."""
    await pool.execute(queries.EXPIRE_NOW, upload_id)


async def append(pool: Pool, storage: Storage, draft: Draft, starts_at: int, content: bytes) -> int:
    """Store the next bytes of an upload. Return its new offset. Raise UploadConflict, StorageUnavailable."""
    part = await parts.put_part(storage, draft.upload_id, starts_at, content)
    if not await pool.fetchval(queries.APPEND, draft.upload_id, draft.writer, *part):
        raise UploadConflict
    return starts_at + part.size

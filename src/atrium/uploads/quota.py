"""The storage quota of an organization (`ATRIUM_STORAGE_QUOTA`). An upload reserves the size that it declares.

An upload checks the quota before its first byte, and again at its end if it did not declare its size. The remaining
bytes are counted under a lock that only uploads of the same organization take, and only if there is a quota.
"""

from dataclasses import replace
from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.postgres.database import Connection, Pool, connection
from atrium.uploads import queries
from atrium.uploads.model import Draft, Quota

NO_UPLOAD = UUID(int=0)


async def check_quota(call: Call, organization_id: UUID, size: int | None) -> Quota | None:
    """Return the quota with what is free for a new upload; None without a quota. Raise StorageQuotaExceeded."""
    if call.settings.storage_quota is None:
        return None
    quota = Quota(organization_id, int(call.settings.storage_quota), call.now)
    return await _require_free(call.db, quota, NO_UPLOAD, size or 1)


async def reserve(pool: Pool, draft: Draft, size: int) -> None:
    """Reserve the bytes of an upload that did not declare its size. Raise StorageQuotaExceeded."""
    if draft.quota is not None and draft.size is None:
        async with connection(pool, writing=True) as db:
            await _require_free(db, draft.quota, draft.upload_id, size)
            await db.execute(queries.RESERVE, draft.upload_id, size)


async def _require_free(db: Connection, quota: Quota, upload_id: UUID, size: int) -> Quota:
    await db.execute(queries.LOCK_QUOTA, quota.organization_id)
    used = await db.fetchval(queries.USED, quota.organization_id, upload_id, quota.at)
    current = replace(quota, free=max(0, quota.total - used))
    if size > current.free:
        raise current.exceeded_error()
    return current

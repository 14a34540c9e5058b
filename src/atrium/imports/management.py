"""Upload, check, start and cancel imports of an organization."""

from typing import Any
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.imports import job_queries as queries
from atrium.imports.model import Import, ImportConflict, ImportNotFound, ImportStatus, import_of
from atrium.keys.caller import Call
from atrium.kit.http.paging import ListPage, decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.media import parts
from atrium.organizations.queries import LOCK_FOR_NEW
from atrium.organizations.reach import Organization
from atrium.spaces.reach import SpaceNotFound
from atrium.uploads import actions as uploads
from atrium.uploads.model import EXPIRES_AFTER, Draft, ReceivedUpload, UploadKind
from atrium.uploads.reach import Upload

NEWEST = UUID(int=(1 << 128) - 1)


async def list_imports(call: Call, organization: Organization, paging: Paging) -> ListPage[Import]:
    """Return a page of the imports of an organization, newest first."""
    before = NEWEST if paging.cursor is None else decode_cursor(paging.cursor, UUID)
    rows = await call.db.fetch(queries.IMPORTS, organization.organization_id, before, paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["import_id"])
    return [import_of(row) for row in page], cursor


async def find_import(call: Call, organization: Organization, import_id: UUID) -> Import:
    """Return an import of the organization. Raise ImportNotFound."""
    return import_of(await _row(call, organization, import_id))


async def _row(call: Call, organization: Organization, import_id: UUID) -> Record:
    row: Record | None = await call.db.fetchrow(queries.READ, organization.organization_id, import_id)
    if row is None:
        raise ImportNotFound
    return row


async def create_import(call: Call, organization: Organization, space_id: UUID, name: str, size: int) -> Draft:
    """Create an import and its upload. Raise SpaceNotFound, EmptyFile, UploadTooLarge, StorageQuotaExceeded."""
    where = organization.organization_id
    await call.lock(LOCK_FOR_NEW, where)
    draft = await uploads.begin_in(call, where, None, kind=UploadKind.IMPORT, name=name, size=size)
    created = (draft.upload_id, where, space_id, name, size, call.caller.actor_id, call.now, call.now + EXPIRES_AFTER)
    if not await call.db.fetchval(queries.ADD, *created):
        raise SpaceNotFound
    return draft


async def continue_upload(call: Call, organization: Organization, import_id: UUID, offset: int) -> Draft:
    """Prepare to receive the next bytes of the file. Raise ImportNotFound, UploadConflict."""
    row = await _row(call, organization, import_id)
    upload = as_struct({**row, "upload_id": import_id, "kind": UploadKind.IMPORT}, Upload)
    draft = await uploads.take_over(call, upload, offset)
    await call.db.execute(queries.DEFER, import_id, call.now + EXPIRES_AFTER)
    return draft


async def finish_upload(call: Call, organization: Organization, upload: ReceivedUpload) -> None:
    """Queue the uploaded file for its check. Raise UploadConflict, ImportConflict."""
    await uploads.finish(call, upload)
    await _move(call, upload.draft.upload_id, ImportStatus.UPLOADING, ImportStatus.CHECKING)
    uploaded = await find_import(call, organization, upload.draft.upload_id)
    await call.record(_change("import.uploaded", organization, uploaded, after=uploaded))


async def start_import(call: Call, organization: Organization, import_id: UUID) -> Import:
    """Queue a checked import. Raise ImportNotFound, ImportConflict."""
    await call.lock(queries.LOCK, import_id)
    found = await find_import(call, organization, import_id)
    await _move(call, import_id, ImportStatus.READY, ImportStatus.IMPORTING)
    started = await find_import(call, organization, import_id)
    await call.record(_change("import.started", organization, started, before=found, after=started))
    return started


async def _move(call: Call, import_id: UUID, status: ImportStatus, after: ImportStatus) -> None:
    if not await call.db.fetchval(queries.MOVE, import_id, status, after, call.now):
        raise ImportConflict


async def cancel_import(call: Call, organization: Organization, import_id: UUID) -> None:
    """End an import and remove its file; what it added stays. Raise ImportNotFound, ImportConflict."""
    found = await find_import(call, organization, import_id)
    if not await call.db.fetchval(queries.CANCEL, import_id, call.now):
        raise ImportConflict("The import has ended.")
    await uploads.remove(call, import_id)
    await parts.drop(call.db, [import_id], call.now)
    canceled = await find_import(call, organization, import_id)
    await call.record(_change("import.canceled", organization, found, before=found, after=canceled))


def _change(action: str, organization: Organization, shown: Import, **sides: Any) -> Change:
    return Change(action, Target("import", shown.import_id, shown.name), organization.organization_id, **sides)

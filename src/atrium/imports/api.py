"""`/v1/organizations/{organization_id}/imports`: import Slack exports, uploaded by the tus protocol."""

from collections.abc import AsyncIterator
from email.utils import format_datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.imports import management
from atrium.imports.model import Import
from atrium.keys.caller import Call
from atrium.kit.http.request import Paging, Request
from atrium.kit.http.responses import ReceivesBody, WithHeaders
from atrium.kit.postgres.database import Pool
from atrium.organizations.reach import Organization
from atrium.tus.headers import metadata, number, require_offset_stream, require_version
from atrium.uploads.model import EXPIRES_AFTER, ReceivedUpload, UploadKind
from atrium.uploads.receive import receive


class ImportInto(Struct):
    """The destination of an import."""

    space_id: Annotated[UUID, Meta(description="the space in which channels become rooms")]


class ImportList(Struct, frozen=True):
    """A page of imports, newest first."""

    imports: list[Import]
    next_cursor: str | None


async def list_imports(call: Call, organization: Organization, query: Paging) -> ImportList:
    """List the imports of an organization that were started here, newest first."""
    return ImportList(*await management.list_imports(call, organization, query))


async def create_import(
    call: Call, organization: Organization, query: ImportInto, request: Request
) -> WithHeaders[None]:
    """Start the upload of a Slack export, as a super_admin with a personal key or a session.

    The header `Location` is the URL of the import. Send the file there by PATCH, in one or more requests.
    """
    require_version(request)
    _, name = metadata(request, (UploadKind.IMPORT,))
    draft = await management.create_import(call, organization, query.space_id, name, number(request, "Upload-Length"))
    where = f"/v1/organizations/{organization.organization_id}/imports/{draft.upload_id}"
    return WithHeaders(None, ("location", where), ("upload-offset", "0"), _expires(call))


async def read_import(call: Call, organization: Organization, import_id: UUID) -> WithHeaders[Import]:
    """Read an import: its progress, what its check found, what it added, and why it failed.

    tus clients use HEAD: the header `Upload-Offset` is the number of bytes that are stored.
    """
    found = await management.find_import(call, organization, import_id)
    return WithHeaders(
        found, ("upload-offset", str(found.received)), ("upload-length", str(found.size)), ("cache-control", "no-store")
    )


async def append_to_import(
    call: Call, organization: Organization, import_id: UUID, request: Request
) -> ReceivesBody[None]:
    """Send more bytes of an export.

    After the last byte, a worker checks the file. Nothing is imported before you start the import.
    """
    require_version(request)
    require_offset_stream(request)
    draft = await management.continue_upload(call, organization, import_id, number(request, "Upload-Offset"))
    storage, expires = call.storage, _expires(call)

    async def receive_body(pool: Pool, body: AsyncIterator[bytes]) -> ReceivedUpload:
        return await receive(pool, storage, draft, body, lambda _: None)  # the check says what is wrong with a file

    async def finish(call: Call, organization: Organization, received: ReceivedUpload) -> WithHeaders[None]:
        if received.last is not None:
            await management.finish_upload(call, organization, received)
        return WithHeaders(None, ("upload-offset", str(received.received)), expires)

    return ReceivesBody(receive_body, finish)


async def start_import(call: Call, organization: Organization, import_id: UUID) -> Import:
    """Start a checked import. A worker runs it; read its progress."""
    return await management.start_import(call, organization, import_id)


async def cancel_import(call: Call, organization: Organization, import_id: UUID) -> None:
    """Cancel an import at any time before its end and remove its file. What it has added stays."""
    await management.cancel_import(call, organization, import_id)


def _expires(call: Call) -> tuple[str, str]:
    return "upload-expires", format_datetime(call.now + EXPIRES_AFTER, usegmt=True)

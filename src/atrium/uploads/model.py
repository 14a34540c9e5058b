"""Uploads and their limits."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.errors import Conflict, InvalidRequest, Problem
from atrium.kit.settings import Settings
from atrium.kit.text.types import Name
from atrium.media.parts import PART, Part
from atrium.permissions import Scope

EXPIRES_AFTER = timedelta(hours=24)  # since the last request that sent bytes
MAX_SMALL_PARTS = 10_000


class UploadKind(StrEnum):
    """The kind of file that an upload creates."""

    RECORDING = "recording"
    ATTACHMENT = "attachment"
    IMPORT = "import"


SCOPES = {UploadKind.RECORDING: Scope.RECORDINGS_WRITE, UploadKind.ATTACHMENT: Scope.MESSAGES_WRITE}
OF_ROOMS = (UploadKind.RECORDING, UploadKind.ATTACHMENT)


class FileName(Struct):
    """The query parameters of an upload whose body is the file."""

    name: Annotated[Name, Meta(description="the file's name, 1 to 200 characters")] = "file"


class UploadTooLarge(Problem):
    """The file is larger than this server allows (`ATRIUM_MAX_UPLOAD`, `ATRIUM_MAX_ATTACHMENT`)."""

    status = 413
    code = "upload_too_large"
    title = "The file is too large"
    headers = (("connection", "close"),)


class StorageQuotaExceeded(Problem):
    """The organization's recordings, attachments and uploads in progress have reached its quota
    (`ATRIUM_STORAGE_QUOTA`). Delete some first."""

    status = 413
    code = "storage_quota_exceeded"
    title = "The organization's storage is full"
    headers = (("connection", "close"),)


class EmptyFile(Problem):
    """The file is empty."""

    code = "empty_file"
    title = "The file is empty"


class UploadConflict(Conflict):
    """The offset is wrong, the upload is finished, or a later request took it over. Read the current offset."""

    code = "upload_conflict"
    title = "The offset does not match"


@dataclass(frozen=True)
class Quota:
    """The storage quota of an organization in bytes, and how much of it was left at the time `at`."""

    organization_id: UUID
    total: int
    at: datetime
    free: int = 0

    def exceeded_error(self) -> StorageQuotaExceeded:
        """Return the error that names the limit."""
        return StorageQuotaExceeded(f"The organization's quota is {self.total} bytes; {self.free} bytes are free.")


@dataclass(frozen=True)
class Draft:
    """An upload as one request writes to it: `writer` is the request, `received` its offset, `max_size` the limit."""

    upload_id: UUID
    kind: UploadKind
    name: str
    size: int | None
    received: int
    writer: UUID
    max_size: int
    owner: UUID
    resumable: bool = False
    quota: Quota | None = None

    def require_fits(self, size: int) -> None:
        """Raise UploadTooLarge, StorageQuotaExceeded, or InvalidRequest for more bytes than were declared."""
        if size > self.max_size:
            raise too_large(self.max_size)
        if self.quota is not None and size > self.quota.free:
            raise self.quota.exceeded_error()
        if self.size is not None and size > self.size:
            raise InvalidRequest(f"The upload was declared as {self.size} bytes, but more were sent.")


@dataclass(frozen=True)
class ReceivedUpload:
    """An upload after a request, with `received` bytes. If they are complete, `last` is the part that is stored but has
    no row yet."""

    draft: Draft
    received: int
    last: Part | None


def max_size_of(settings: Settings, kind: UploadKind) -> int:
    """Return the maximum size of an upload in bytes."""
    return int(settings.max_attachment if kind is UploadKind.ATTACHMENT else settings.max_upload)


def require_size(size: int | None, max_size: int) -> None:
    """Raise EmptyFile or UploadTooLarge if the size is known."""
    if size == 0:
        raise EmptyFile
    if size is not None and size > max_size:
        raise too_large(max_size)


def too_large(max_size: int) -> UploadTooLarge:
    """Return the error that names the limit."""
    return UploadTooLarge(f"A file may have at most {max_size} bytes.")


def require_few_parts(parts: int, received: int) -> None:
    """Raise InvalidRequest for too many small parts: each is a separate object in the storage."""
    if parts > received // PART + MAX_SMALL_PARTS:
        raise InvalidRequest("The upload has too many small parts; send larger ones.")

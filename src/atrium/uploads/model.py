"""Uploads: what they are, and the bounds that they keep."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.errors import Conflict, InvalidRequest, Problem
from atrium.kit.settings import Settings
from atrium.kit.texts import Name
from atrium.media.parts import PART, Part

KEPT = timedelta(hours=24)  # since the last request that brought bytes
MOST_SMALL_PARTS = 10_000


class UploadKind(StrEnum):
    """What an upload becomes."""

    RECORDING = "recording"
    ATTACHMENT = "attachment"


class FileName(Struct):
    """The query parameters of a file that is sent as the body."""

    name: Annotated[Name, Meta(description="the file's name, 1 to 200 characters")] = "file"


class UploadTooLarge(Problem):
    """The file is larger than this server takes (`ATRIUM_MAX_UPLOAD`, `ATRIUM_MAX_ATTACHMENT`)."""

    status = 413
    code = "upload_too_large"
    title = "The file is too large"
    headers = (("connection", "close"),)


class StorageQuotaExceeded(Problem):
    """The organization keeps as many bytes as this server gives it (`ATRIUM_STORAGE_QUOTA`), in recordings, attachments
    and uploads on their way. Delete some first."""

    status = 413
    code = "storage_quota_exceeded"
    title = "The organization's storage is full"
    headers = (("connection", "close"),)


class EmptyFile(Problem):
    """The file holds no bytes."""

    code = "empty_file"
    title = "The file is empty"


class UploadConflict(Conflict):
    """The upload stands elsewhere, is finished, or goes on in a later request; ask for its offset."""

    code = "upload_conflict"
    title = "The upload does not stand there"


@dataclass(frozen=True)
class Quota:
    """What an organization may keep, and how much of it was left `at` a time."""

    organization_id: UUID
    most: int
    at: datetime
    left: int = 0

    def full(self) -> StorageQuotaExceeded:
        """The refusal that names the limit."""
        return StorageQuotaExceeded(f"The organization may keep {self.most} bytes; {self.left} are left.")


@dataclass(frozen=True)
class Draft:
    """An upload as one request writes to it: `writer` is the request, `received` where it begins, `most` its limit."""

    upload_id: UUID
    kind: UploadKind
    name: str
    size: int | None
    received: int
    writer: UUID
    most: int
    owner: UUID
    resumable: bool = False
    quota: Quota | None = None

    def require_fits(self, size: int) -> None:
        """Raises UploadTooLarge, StorageQuotaExceeded, or InvalidRequest for more bytes than were announced."""
        if size > self.most:
            raise too_large(self.most)
        if self.quota is not None and size > self.quota.left:
            raise self.quota.full()
        if self.size is not None and size > self.size:
            raise InvalidRequest(f"The upload was announced with {self.size} bytes; more came.")


@dataclass(frozen=True)
class Taken:
    """What a request brought: the upload holds `received` bytes with it. `last` is stored but named by no row yet, and
    there when the upload is whole."""

    draft: Draft
    received: int
    last: Part | None


def most_of(settings: Settings, kind: UploadKind) -> int:
    """The most bytes that an upload may have."""
    return int(settings.max_upload if kind is UploadKind.RECORDING else settings.max_attachment)


def require_size(size: int | None, most: int) -> None:
    """Raises EmptyFile, UploadTooLarge for a size that is known."""
    if size == 0:
        raise EmptyFile
    if size is not None and size > most:
        raise too_large(most)


def too_large(most: int) -> UploadTooLarge:
    """The refusal that names the limit."""
    return UploadTooLarge(f"At most {most} bytes are taken.")


def require_few_parts(parts: int, received: int) -> None:
    """Raises InvalidRequest for an upload in crumbs: each part is an object of its own in the storage."""
    if parts > received // PART + MOST_SMALL_PARTS:
        raise InvalidRequest("This upload came in too many small pieces; send larger ones.")

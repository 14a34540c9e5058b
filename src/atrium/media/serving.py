"""Serve stored files over HTTP (RFC 9110, sections 13 and 14): complete or a range, conditional, safe in a browser."""

import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import quote

from atrium.kit.clock import Clock
from atrium.kit.errors import Problem
from atrium.kit.http.request import Request
from atrium.kit.http.responses import FileResponse, Headers
from atrium.kit.postgres.database import Pool
from atrium.kit.storage import Storage
from atrium.media.media_type import INLINE

SAFE: Headers = (
    ("x-content-type-options", "nosniff"),
    ("content-security-policy", "sandbox"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "private, no-cache"),  # cached by the browser but validated each time: access may have ended
)  # fmt: skip
Read = Callable[[Pool, Storage, int, int], AsyncIterator[bytes]]


class RangeNotSatisfiable(Problem):
    """The file has no byte of the range; `Content-Range` says how many bytes it has."""

    status = 416
    code = "range_not_satisfiable"
    title = "The range is outside the file"


class StoredFile(NamedTuple):
    """A stored file to serve. `tag` changes whenever the bytes do."""

    tag: str
    name: str
    media_type: str
    size: int
    stored_at: datetime
    read: Read


def serve(request: Request, storage: Storage, file: StoredFile) -> FileResponse[bytes]:
    """Return the response to a GET or HEAD of the file. Raise RangeNotSatisfiable."""
    headers = (
        *SAFE,
        ("etag", f'"{file.tag}"'),
        ("accept-ranges", "bytes"),
        ("last-modified", format_datetime(file.stored_at.astimezone(UTC), usegmt=True)),
    )
    if _is_not_modified(request, file):
        return FileResponse(_nothing, 304, headers)
    start, stop = 0, file.size
    status, wanted = 200, _range(request, file)
    if wanted is not None:
        (start, stop), status = wanted, 206
        headers += (("content-range", f"bytes {start}-{stop - 1}/{file.size}"),)
    headers += (
        ("content-type", file.media_type),
        ("content-length", str(stop - start)),
        ("content-disposition", disposition(file.name, file.media_type)),
    )
    return FileResponse(lambda pool, _clock: file.read(pool, storage, start, stop), status, headers)


async def _nothing(_pool: Pool, _clock: Clock) -> AsyncIterator[bytes]:
    return
    yield b""


def disposition(name: str, media_type: str) -> str:
    """Return `Content-Disposition`: inline if that is safe, else a download, with the file's name without its path."""
    kind = "inline" if media_type in INLINE else "attachment"
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", name.replace("\\", "/").rsplit("/", 1)[-1])[:100] or "file"
    complete = re.sub(r"[\x00-\x1f\x7f/\\]", "_", name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(complete, safe='', errors='replace')}"


def _header(request: Request, name: str) -> str | None:
    raw = request.headers.get(name.encode())
    return None if raw is None else raw.decode("latin-1").strip()


def _is_not_modified(request: Request, file: StoredFile) -> bool:
    """Return whether the client has the file already (If-None-Match precedes If-Modified-Since)."""
    tags = _header(request, "if-none-match")
    if tags is not None:
        return tags == "*" or file.tag in re.findall(r'(?:W/)?"([^"]*)"', tags)
    since = _date(_header(request, "if-modified-since"))
    return since is not None and file.stored_at.replace(microsecond=0) <= since


def _range(request: Request, file: StoredFile) -> tuple[int, int] | None:
    """Return the start and end of the requested range; None for the complete file, also if the range is invalid or
    there are several."""
    found = re.fullmatch(r"bytes\s*=\s*(\d*)\s*-\s*(\d*)", _header(request, "range") or "")
    if found is None or not any(found.groups()) or not _matches_if_range(request, file):
        return None
    first, last = [*map(_number, found.groups())]
    if first is None:  # the last n bytes
        start, stop = max(file.size - (last or 0), 0), file.size
    else:
        start, stop = first, file.size if last is None else min(last + 1, file.size)
    if first is not None and last is not None and last < first:
        return None
    if start >= stop:
        error = RangeNotSatisfiable(f"The file has {file.size} bytes.")
        error.headers = (("content-range", f"bytes */{file.size}"),)
        raise error
    return start, stop


def _number(digits: str) -> int | None:
    return int(digits[:20]) if digits else None


def _matches_if_range(request: Request, file: StoredFile) -> bool:
    """Return whether the client has a part of the same version of the file (If-Range; a weak tag never matches)."""
    condition = _header(request, "if-range")
    if condition is None:
        return True
    if condition.startswith(('"', "W/")):
        return condition == f'"{file.tag}"'
    return _date(condition) == file.stored_at.astimezone(UTC).replace(microsecond=0)


def _date(text: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(text or "")
    except (ValueError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

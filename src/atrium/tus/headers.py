"""The headers of the tus protocol, 1.0.0."""

import base64
import binascii
from collections.abc import Sequence

import msgspec

from atrium.kit.errors import Problem, invalid_parameter
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Header, Headers
from atrium.uploads.model import OF_ROOMS, FileName, UploadKind

VERSION = "1.0.0"
TUS_RESPONSE_HEADERS: Headers = (
    ("tus-resumable", VERSION), ("tus-version", VERSION), ("tus-extension", "creation,expiration,termination"),
)  # fmt: skip
OFFSET_STREAM = "application/offset+octet-stream"

TUS_RESUMABLE = Header("Tus-Resumable", "the protocol version", VERSION)
UPLOAD_LENGTH = Header("Upload-Length", "the size of the file in bytes", "1048576")
UPLOAD_OFFSET = Header("Upload-Offset", "the offset of the body: the number of bytes already stored", "0")
UPLOAD_METADATA = Header(
    "Upload-Metadata",
    "`filename` and `kind` (`recording`, the default, or `attachment`), in base64",
    "filename UGxhbi5wbmc=,kind YXR0YWNobWVudA==",
    required=False,
)


class WrongTusVersion(Problem):
    """The header `Tus-Resumable` must name a version that `Tus-Version` lists."""

    status = 412
    code = "wrong_tus_version"
    title = "This version of the tus protocol is not supported"
    headers = (("connection", "close"),)


class WrongContentType(Problem):
    """The body of an upload must have the content type `application/offset+octet-stream`."""

    status = 415
    code = "wrong_content_type"
    title = "The content type is not supported"
    headers = (("connection", "close"),)


def require_version(request: Request) -> None:
    """Raise WrongTusVersion unless `Tus-Resumable` is this version."""
    if request.headers.get(b"tus-resumable", b"").strip() != VERSION.encode():
        raise WrongTusVersion(f"Send the header `Tus-Resumable: {VERSION}`.")


def require_offset_stream(request: Request) -> None:
    """Raise WrongContentType unless the body is an offset stream."""
    if request.headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower() != OFFSET_STREAM:
        raise WrongContentType


def number(request: Request, name: str) -> int:
    """Return a header that is a number of bytes. Raise InvalidRequest."""
    raw = request.headers.get(name.lower().encode(), b"")
    if not raw.isdigit() or len(raw) > 18:
        raise invalid_parameter(name, "must be a number of bytes")
    return int(raw)


def metadata(request: Request, kinds: Sequence[UploadKind] = OF_ROOMS) -> tuple[UploadKind, str]:
    """Return the kind of the upload, by default the first of `kinds`, and the file's name. Raise InvalidRequest."""
    try:
        pairs = (pair.partition(" ") for pair in _metadata_text(request).split(",") if pair)
        fields = {name: base64.b64decode(value, validate=True).decode() for name, _, value in pairs}
        kind = UploadKind(fields.get("kind", kinds[0]))
        if kind not in kinds:
            raise ValueError(f"{kind} is another kind of upload")
        return kind, msgspec.convert({"name": fields.get("filename") or FileName().name}, FileName).name
    except (ValueError, binascii.Error, msgspec.ValidationError) as error:
        raise invalid_parameter("Upload-Metadata", f"cannot be read: {error}") from None


def _metadata_text(request: Request) -> str:
    return request.headers.get(b"upload-metadata", b"").decode("ascii").replace(", ", ",").strip()

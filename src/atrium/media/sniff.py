"""What a file is, told by its first bytes and never by its name."""

from typing import Final

import filetype

from atrium.kit.errors import Problem

ENOUGH: Final = 8192  # bytes
UNKNOWN = "application/octet-stream"
# The names under which browsers play these.
USUAL = {
    "audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac", "video/x-m4v": "video/mp4",
    "video/x-msvideo": "video/x-msvideo",
}  # fmt: skip
# Only what can run nothing is shown in place; everything else is a download.
IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
MEDIA = frozenset({
    "video/mp4", "video/webm", "video/quicktime", "video/x-matroska", "video/x-msvideo", "video/mpeg",
    "audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav", "audio/flac", "audio/aac",
})  # fmt: skip
INLINE = IMAGES | MEDIA


class UnsupportedMedia(Problem):
    """The bytes are no audio or video of a known kind, whatever the file is named."""

    status = 415
    code = "unsupported_media"
    title = "The file is no recording"
    headers = (("connection", "close"),)


def media_type_of(beginning: bytes) -> str:
    """The type that the first bytes of a file tell."""
    found = filetype.guess_mime(beginning)
    return UNKNOWN if found is None else USUAL.get(found, str(found))


def require_media(beginning: bytes) -> str:
    """The type of a recording. Raises UnsupportedMedia."""
    found = media_type_of(beginning)
    if found not in MEDIA:
        raise UnsupportedMedia
    return found

"""The media type of a file, by its first bytes and never by its name."""

from typing import Final

import filetype

from atrium.kit.errors import Problem

SNIFF_BYTES: Final = 8192  # bytes
UNKNOWN = "application/octet-stream"
# The names under which browsers play these types.
CANONICAL = {
    "audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac", "video/x-m4v": "video/mp4",
    "video/x-msvideo": "video/x-msvideo",
}  # fmt: skip
# Only types that cannot run scripts are displayed inline; every other file is a download.
IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
MEDIA = frozenset(
    {
        "video/mp4",
        "video/webm",
        "video/quicktime",
        "video/x-matroska",
        "video/x-msvideo",
        "video/mpeg",
        "audio/mp4",
        "audio/mpeg",
        "audio/ogg",
        "audio/wav",
        "audio/flac",
        "audio/aac",
    }
)
INLINE = IMAGES | MEDIA


class UnsupportedMedia(Problem):
    """The content is not audio or video of a known type, regardless of the file's name."""

    status = 415
    code = "unsupported_media"
    title = "The file is not a recording"
    headers = (("connection", "close"),)


def media_type_of(beginning: bytes) -> str:
    """Return the media type by the first bytes of a file."""
    found = filetype.guess_mime(beginning)
    return UNKNOWN if found is None else CANONICAL.get(found, str(found))


def require_media(beginning: bytes) -> str:
    """Return the media type of a recording. Raise UnsupportedMedia."""
    found = media_type_of(beginning)
    if found not in MEDIA:
        raise UnsupportedMedia
    return found

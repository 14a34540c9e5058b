"""The names of the entries of a zip file, as the programs that write exports mean them."""

import struct
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from zipfile import ZipInfo

UTF8_FLAG, UNICODE_PATH = 0x800, 0x7075  # of the general purpose flags, and of an extra field
LEFT_BY_MACOS = ("__MACOSX", ".DS_Store")


@dataclass(frozen=True)
class Entry:
    """A file in the archive, and where it is."""

    path: PurePosixPath
    info: ZipInfo

    @property
    def name(self) -> str:
        """Return the path as text."""
        return str(self.path)

    @property
    def is_left_by_macos(self) -> bool:
        """Return whether macOS added the file when it made the archive."""
        return any(part in LEFT_BY_MACOS or part.startswith("._") for part in self.path.parts)


def entries_of(infos: Sequence[ZipInfo]) -> Iterator[Entry]:
    """Yield the files of an archive."""
    for info in infos:
        name = same_form(_name(info).replace("\\", "/"))  # Windows PowerShell 5 writes backslashes
        if not name.endswith("/"):
            yield Entry(PurePosixPath(name.lstrip("/")), info)


def same_form(name: str) -> str:
    """Return a name in the one form in which names are compared; macOS takes letters and their accents apart."""
    return unicodedata.normalize("NFC", name)


def _name(info: ZipInfo) -> str:
    """Return the name of an entry. Without the flag for UTF-8, as in Slack's own exports, it is UTF-8 if it can be."""
    if info.flag_bits & UTF8_FLAG:
        return info.filename
    raw = info.orig_filename.encode("cp437", "replace")
    try:
        return _unicode_path(info.extra, raw) or raw.decode()
    except UnicodeDecodeError:
        return info.filename


def _unicode_path(extra: bytes, raw: bytes) -> str | None:
    """Return the name in the field that Info-ZIP adds for names that are not ASCII, unless it is about another name."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == UNICODE_PATH and field[:1] == b"\x01" and field[1:5] == struct.pack("<I", zlib.crc32(raw)):
            return field[5:].decode()
    return None

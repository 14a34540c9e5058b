"""The backup file: a ZIP archive. Its first entry identifies it, its last entry is the manifest of its contents.

`tables/NAME` is a table in the format of PostgreSQL's COPY, `media/OBJECT/PIECE` a part of a media file, `secret.key`
the key. A truncated file lacks the ZIP directory at its end, and each entry has a checksum.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import IO, TypeAlias
from zipfile import ZipFile, ZipInfo

import msgspec

from atrium.media.parts import PART

MARKER, MANIFEST, KEY = "atrium-backup", "manifest.json", "secret.key"
TABLES, MEDIA = "tables/", "media/"
FORMAT = 1
CHUNK = 1 << 20  # bytes
MAX_NAMES = 5  # of a longer list of names
LEVEL = 3  # of compression: nearly the best ratio in a third of its time
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MAX_PIECE_SIZE = 2 * PART
MAX_SIZES = {MARKER: 1 << 10, MANIFEST: 64 << 20, KEY: 4 << 10}  # bytes
ZIP_MAGIC = b"PK\x03\x04"
PIECE = re.compile(r"media/[0-9a-f-]{36}/[0-9a-f-]{36}")
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError,
)  # fmt: skip

Progress: TypeAlias = Callable[[str, int, int], None]
"""A function called with the name of the step, the amount done and the total."""


class BrokenBackup(Exception):
    """The file is not a backup, is incomplete, or is not for this release."""


class Table(msgspec.Struct, frozen=True):
    """The columns of a table in the order of its entry, and its number of rows."""

    columns: list[str]
    rows: int


class Media(msgspec.Struct, frozen=True):
    """The amount of media. `missing` pieces were not in the storage, `damaged` ones had the wrong size there."""

    pieces: int
    bytes: int
    missing: list[str]
    damaged: list[str] = msgspec.field(default_factory=list)


class Key(msgspec.Struct, frozen=True):
    """The encryption key: a fingerprint to recognize it, and whether it is in the file."""

    fingerprint: str
    included: bool


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents and origin of a backup. `left_out` are tables in the schema that Atrium does not own."""

    format: int = FORMAT
    release: str
    revision: str
    taken_at: datetime
    tables: dict[str, Table]
    sequences: dict[str, int]
    media: Media
    key: Key | None
    left_out: list[str] = msgspec.field(default_factory=list)


class _Format(msgspec.Struct):
    format: int
    release: str


def first_few(names: Sequence[str]) -> str:
    """Return the first few names and how many more there are."""
    return ", ".join(names[:MAX_NAMES]) + (f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else "")


@contextmanager
def open_for_writing(file: IO[bytes]) -> Iterator[ZipFile]:
    """Open a new archive in a file, which need not be seekable. Only `finish` completes it."""
    archive = ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)
    try:
        archive.writestr(ZipInfo(MARKER), b"A backup of Atrium, for atrium restore.\n")
        yield archive
    except BaseException:
        archive.fp = None  # otherwise closing it would write a ZIP directory
        raise


def put_table(archive: ZipFile, name: str, chunks: Iterable[bytes | bytearray | memoryview]) -> None:
    """Write a table's rows."""
    with archive.open(TABLES + name, "w", force_zip64=True) as entry:
        for chunk in chunks:
            entry.write(chunk)


def put_piece(archive: ZipFile, name: str, content: bytes) -> None:
    """Write a part of a media file, uncompressed, because videos and images are compressed already."""
    archive.writestr(ZipInfo(MEDIA + name), content)


def finish(archive: ZipFile, manifest: Manifest, key: str | None) -> None:
    """Write the key, the manifest and the ZIP directory."""
    if key is not None:
        archive.writestr(KEY, key)
    archive.writestr(MANIFEST, msgspec.json.encode(manifest))
    archive.close()


@contextmanager
def open_backup(file: IO[bytes]) -> Iterator[tuple[ZipFile, Manifest]]:
    """Open a backup and compare its entries to its manifest. Raise BrokenBackup."""
    try:
        archive = ZipFile(file)
    except UNREADABLE:
        raise BrokenBackup(_file_error(file)) from None
    with archive:
        _require_plausible(archive)
        manifest = _manifest(archive)
        _compare(archive, manifest)
        yield archive, manifest


def _file_error(file: IO[bytes]) -> str:
    file.seek(0)
    head = file.read(100)
    if head.startswith(ZIP_MAGIC) and MARKER.encode() in head:
        return "it is truncated: its end is missing"
    return "it is not an Atrium backup"


def _require_plausible(archive: ZipFile) -> None:
    """Reject entries that are too large or that no backup contains, before any is uncompressed."""
    entries = archive.infolist()
    for entry in entries:
        name = entry.filename
        if entry.compress_type not in COMPRESSIONS:
            raise BrokenBackup(f"it is damaged: the compression method of {name} is not supported")
        max_size = MAX_SIZES.get(name, MAX_PIECE_SIZE if name.startswith(MEDIA) else None)
        if max_size is not None and entry.file_size > max_size:
            raise BrokenBackup(f"it is damaged: {name} is too large")
    if len({entry.filename for entry in entries}) < len(entries):
        raise BrokenBackup("it is damaged: it contains an entry twice")


def _manifest(archive: ZipFile) -> Manifest:
    try:
        written = archive.read(MANIFEST)
        known = msgspec.json.decode(written, type=_Format)
        if known.format > FORMAT:
            raise BrokenBackup(f"it was created by Atrium {known.release}; restore it with that release or a later one")
        return msgspec.json.decode(written, type=Manifest)
    except KeyError:
        raise BrokenBackup("it is not an Atrium backup") from None
    except UNREADABLE:
        raise BrokenBackup("it is damaged: its manifest cannot be read") from None


def _compare(archive: ZipFile, manifest: Manifest) -> None:
    entries = {entry.filename: entry.file_size for entry in archive.infolist()}
    media = {name: size for name, size in entries.items() if PIECE.fullmatch(name)}
    expected = {MARKER, MANIFEST, *(TABLES + name for name in manifest.tables)}
    if manifest.key is not None and manifest.key.included:
        expected.add(KEY)
    counts = (len(media), sum(media.values()))
    if entries.keys() - media.keys() != expected or counts != (manifest.media.pieces, manifest.media.bytes):
        raise BrokenBackup("it is damaged: its contents do not match its manifest")


def verify(archive: ZipFile, progress: Progress) -> None:
    """Read every byte and check the checksums. Raise BrokenBackup."""
    entries = archive.infolist()
    done, total = 0, sum(entry.file_size for entry in entries)
    for entry in entries:
        for chunk in content_of(archive, entry.filename):
            done += len(chunk)
            progress("Checking", done, total)


def content_of(archive: ZipFile, name: str) -> Iterator[bytes]:
    """Yield an entry in chunks. Raise BrokenBackup."""
    try:
        with archive.open(name) as entry:
            while chunk := entry.read(CHUNK):
                yield chunk
    except UNREADABLE:
        raise BrokenBackup(f"it is damaged: {name} cannot be read") from None


def key_in(archive: ZipFile, manifest: Manifest) -> str | None:
    """Return the key, or None if it is not in the file. Raise BrokenBackup."""
    if manifest.key is None or not manifest.key.included:
        return None
    try:
        return b"".join(content_of(archive, KEY)).decode()
    except UnicodeDecodeError:
        raise BrokenBackup("it is damaged: its key is not text") from None

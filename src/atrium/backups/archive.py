"""The file: a ZIP archive whose first entry says what it is and whose last says what belongs into it.

`tables/NAME` is a table as PostgreSQL's COPY writes it, `media/OBJECT/PIECE` a piece of the storage, `secret.key` the
key. The directory at its end is missing where a file was cut off, and each entry has a checksum.
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

MARK, MANIFEST, KEY = "atrium-backup", "manifest.json", "secret.key"
TABLES, MEDIA = "tables/", "media/"
FORMAT = 1
CHUNK = 1 << 20  # bytes
NAMED = 5  # of several names
LEVEL = 3  # of compression: near to the smallest, at a third of its time
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MOST_OF_A_PIECE = 2 * PART
MOST = {MARK: 1 << 10, MANIFEST: 64 << 20, KEY: 4 << 10}  # bytes
STARTS = b"PK\x03\x04"
PIECE = re.compile(r"media/[0-9a-f-]{36}/[0-9a-f-]{36}")
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError,
)  # fmt: skip

Tell: TypeAlias = Callable[[str, int, int], None]
"""Hears how far something is: what is done, how much of it, of how much."""


class BrokenBackup(Exception):
    """The file is no backup, not a whole one, or not one for this release."""


class Table(msgspec.Struct, frozen=True):
    """The columns of a table as its entry has them, and how many rows."""

    columns: list[str]
    rows: int


class Media(msgspec.Struct, frozen=True):
    """How much media there is. `missing` were named by the database but not in the storage, `damaged` were there, but
    of another size."""

    pieces: int
    bytes: int
    missing: list[str]
    damaged: list[str] = msgspec.field(default_factory=list)


class Key(msgspec.Struct, frozen=True):
    """The key that secrets are sealed with: how to know it again, and whether it is in the file."""

    fingerprint: str
    included: bool


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs into a backup, and where it is from. `left_out` are tables of somebody else in the same schema."""

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


def some(names: Sequence[str]) -> str:
    """The first few of several names."""
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


@contextmanager
def writing(file: IO[bytes]) -> Iterator[ZipFile]:
    """A new archive in a file, which need not be one that can be wound back. It is ended by `end`, or never."""
    archive = ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)
    try:
        archive.writestr(ZipInfo(MARK), b"A backup of Atrium, for atrium restore.\n")
        yield archive
    except BaseException:
        archive.fp = None  # else it would get a directory all the same
        raise


def put_table(archive: ZipFile, name: str, chunks: Iterable[bytes | bytearray | memoryview]) -> None:
    """Write a table's rows."""
    with archive.open(TABLES + name, "w", force_zip64=True) as entry:
        for chunk in chunks:
            entry.write(chunk)


def put_piece(archive: ZipFile, name: str, content: bytes) -> None:
    """Write a piece of media; it is packed already, as films and pictures are."""
    archive.writestr(ZipInfo(MEDIA + name), content)


def end(archive: ZipFile, manifest: Manifest, key: str | None) -> None:
    """Write the key and the manifest, and the directory after them."""
    if key is not None:
        archive.writestr(KEY, key)
    archive.writestr(MANIFEST, msgspec.json.encode(manifest))
    archive.close()


@contextmanager
def open_backup(file: IO[bytes]) -> Iterator[tuple[ZipFile, Manifest]]:
    """A backup whose entries are those of its manifest. Raises BrokenBackup."""
    try:
        archive = ZipFile(file)
    except UNREADABLE:
        raise BrokenBackup(_what_it_is(file)) from None
    with archive:
        _require_sane(archive)
        manifest = _manifest(archive)
        _compare(archive, manifest)
        yield archive, manifest


def _what_it_is(file: IO[bytes]) -> str:
    file.seek(0)
    head = file.read(100)
    if head.startswith(STARTS) and MARK.encode() in head:
        return "it is cut off: its end is missing"
    return "it is no backup of Atrium"


def _require_sane(archive: ZipFile) -> None:
    """Nothing is taken into memory, or unpacked, that no backup has."""
    entries = archive.infolist()
    for each in entries:
        if each.compress_type not in PACKED:
            raise BrokenBackup(f"it is damaged: {each.filename} is packed as nothing in a backup is")
        most = MOST.get(each.filename, MOST_OF_A_PIECE if each.filename.startswith(MEDIA) else None)
        if most is not None and each.file_size > most:
            raise BrokenBackup(f"it is damaged: {each.filename} is larger than it can be")
    if len({each.filename for each in entries}) < len(entries):
        raise BrokenBackup("it is damaged: something is in it twice")


def _manifest(archive: ZipFile) -> Manifest:
    try:
        written = archive.read(MANIFEST)
        known = msgspec.json.decode(written, type=_Format)
        if known.format > FORMAT:
            raise BrokenBackup(f"it was made by Atrium {known.release}; restore it with that release or a later one")
        return msgspec.json.decode(written, type=Manifest)
    except KeyError:
        raise BrokenBackup("it is no backup of Atrium") from None
    except UNREADABLE:
        raise BrokenBackup("it is damaged: its manifest cannot be read") from None


def _compare(archive: ZipFile, manifest: Manifest) -> None:
    entries = {each.filename: each.file_size for each in archive.infolist()}
    media = {name: size for name, size in entries.items() if PIECE.fullmatch(name)}
    expected = {MARK, MANIFEST, *(TABLES + name for name in manifest.tables)}
    if manifest.key is not None and manifest.key.included:
        expected.add(KEY)
    counts = (len(media), sum(media.values()))
    if entries.keys() - media.keys() != expected or counts != (manifest.media.pieces, manifest.media.bytes):
        raise BrokenBackup("it is damaged: what is in it is not what its manifest says")


def verify(archive: ZipFile, tell: Tell) -> None:
    """Read every byte and compare the checksums. Raises BrokenBackup."""
    entries = archive.infolist()
    done, total = 0, sum(each.file_size for each in entries)
    for each in entries:
        for chunk in content_of(archive, each.filename):
            done += len(chunk)
            tell("Checking", done, total)


def content_of(archive: ZipFile, name: str) -> Iterator[bytes]:
    """An entry, some at a time. Raises BrokenBackup."""
    try:
        with archive.open(name) as entry:
            while chunk := entry.read(CHUNK):
                yield chunk
    except UNREADABLE:
        raise BrokenBackup(f"it is damaged: {name} cannot be read") from None


def key_in(archive: ZipFile, manifest: Manifest) -> str | None:
    """The key, where it is in the file. Raises BrokenBackup."""
    if manifest.key is None or not manifest.key.included:
        return None
    try:
        return b"".join(content_of(archive, KEY)).decode()
    except UnicodeDecodeError:
        raise BrokenBackup("it is damaged: the key in it is no text") from None

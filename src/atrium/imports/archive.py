"""Read a Slack export from its zip file, member by member in memory, never unpacked to disk."""

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

MAX_BYTES = 256 * 1024 * 1024  # of one member, uncompressed; a day of a very busy channel is a few MiB
DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
UNREADABLE = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class BrokenExport(Exception):
    """Part of the export cannot be read; the text names the file and what is wrong with it."""


@dataclass(frozen=True)
class Archive:
    """An open export: the files at its top level by name, and the day files of each folder, oldest first."""

    zip: ZipFile
    top: Mapping[str, ZipInfo]
    days: Mapping[str, Sequence[ZipInfo]]


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open the export at `path`. Raise BrokenExport."""
    try:
        file = ZipFile(path)
    except FileNotFoundError:
        raise BrokenExport(f"{path.name}: file not found") from None
    except UNREADABLE as error:
        raise BrokenExport(f"{path.name}: {_zip_error(path, error)}") from None
    with file:
        yield _sorted(file, path.name)


def read_array(archive: Archive, member: ZipInfo) -> list[Any]:
    """Return the JSON array in a member. Raise BrokenExport."""
    try:
        value = json.loads(_uncompressed(archive, member))
    except (ValueError, RecursionError) as error:
        raise BrokenExport(f"{member.filename}: is not valid JSON ({error})") from None
    if not isinstance(value, list):
        raise BrokenExport(f"{member.filename}: is not a JSON array")
    return value


def _uncompressed(archive: Archive, member: ZipInfo) -> bytes:
    if member.flag_bits & 1:
        raise BrokenExport(f"{member.filename}: is encrypted")
    try:
        with archive.zip.open(member) as file:
            content = file.read(MAX_BYTES + 1)
    except UNREADABLE as error:
        raise BrokenExport(f"{member.filename}: is damaged ({error})") from None
    if len(content) > MAX_BYTES:
        raise BrokenExport(f"{member.filename}: is larger than {MAX_BYTES // 1024**2} MiB uncompressed")
    return content


def _zip_error(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror or error})"
    with path.open("rb") as file:
        begins_as_zip = file.read(4) == b"PK\x03\x04"
    if begins_as_zip and not is_zipfile(path):
        return "is truncated; download it again"
    return f"is a damaged zip file ({error})" if begins_as_zip else "is not a zip file"


def _sorted(file: ZipFile, name: str) -> Archive:
    """Sort the members of the zip file. An export that was zipped again inside a folder is also accepted."""
    paths = [(PurePosixPath(info.filename), info) for info in file.infolist() if not info.is_dir()]
    roots = [path.parent for path, _ in paths if path.name == "channels.json" and "__MACOSX" not in path.parts]
    if not roots:
        raise BrokenExport(f"{name}: is not a Slack export: it has no channels.json")
    root = min(roots, key=lambda path: len(path.parts))
    top = {path.name: info for path, info in paths if path.parent == root}
    if "users.json" not in top:
        raise BrokenExport(f"{name}: is an incomplete Slack export: it has no users.json")
    days: dict[str, list[ZipInfo]] = {}
    for path, info in sorted(paths, key=itemgetter(0)):
        if path.parent.parent == root and path.parent != root and DAY.fullmatch(path.name):
            days.setdefault(path.parent.name, []).append(info)
    return Archive(file, top, days)

"""A Slack export as the zip file it comes in: read member by member in memory, never unpacked to disk."""

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

MOST_BYTES = 256 * 1024 * 1024  # of one member, unpacked; a day of a very busy channel has a few
DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
UNREADABLE = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class BrokenExport(Exception):
    """The export cannot be read whole; the text names the file and what is wrong with it."""


@dataclass(frozen=True)
class Archive:
    """An opened export: the files at its top by name, and the day files of each folder, oldest first."""

    zip: ZipFile
    top: Mapping[str, ZipInfo]
    days: Mapping[str, Sequence[ZipInfo]]


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """The export at `path`, while it is read. Raises BrokenExport."""
    try:
        opened = ZipFile(path)
    except FileNotFoundError:
        raise BrokenExport(f"{path.name}: there is no such file") from None
    except UNREADABLE as error:
        raise BrokenExport(f"{path.name}: {_why_no_zip(path, error)}") from None
    with opened:
        yield _sorted_out(opened, path.name)


def read_array(archive: Archive, member: ZipInfo) -> list[Any]:
    """The JSON array that a member holds. Raises BrokenExport."""
    try:
        value = json.loads(_unpacked(archive, member))
    except (ValueError, RecursionError) as error:
        raise BrokenExport(f"{member.filename}: is not valid JSON ({error})") from None
    if not isinstance(value, list):
        raise BrokenExport(f"{member.filename}: holds no JSON array")
    return value


def _unpacked(archive: Archive, member: ZipInfo) -> bytes:
    if member.flag_bits & 1:
        raise BrokenExport(f"{member.filename}: is encrypted")
    try:
        with archive.zip.open(member) as file:
            content = file.read(MOST_BYTES + 1)
    except UNREADABLE as error:
        raise BrokenExport(f"{member.filename}: is damaged ({error})") from None
    if len(content) > MOST_BYTES:
        raise BrokenExport(f"{member.filename}: is larger than {MOST_BYTES // 1024**2} MiB unpacked")
    return content


def _why_no_zip(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror or error})"
    with path.open("rb") as file:
        begins_as_zip = file.read(4) == b"PK\x03\x04"
    if begins_as_zip and not is_zipfile(path):
        return "is cut short, its end is missing; download it again"
    return f"is a damaged zip file ({error})" if begins_as_zip else "is not a zip file"


def _sorted_out(opened: ZipFile, name: str) -> Archive:
    """The members by what they are; an export zipped again with a folder around it reads the same."""
    paths = [(PurePosixPath(info.filename), info) for info in opened.infolist() if not info.is_dir()]
    roots = [path.parent for path, _ in paths if path.name == "channels.json" and "__MACOSX" not in path.parts]
    if not roots:
        raise BrokenExport(f"{name}: is no Slack export, it holds no channels.json")
    root = min(roots, key=lambda each: len(each.parts))
    top = {path.name: info for path, info in paths if path.parent == root}
    if "users.json" not in top:
        raise BrokenExport(f"{name}: is no whole Slack export, it holds no users.json")
    days: dict[str, list[ZipInfo]] = {}
    for path, info in sorted(paths, key=lambda each: each[0]):
        if path.parent.parent == root and path.parent != root and DAY.fullmatch(path.name):
            days.setdefault(path.parent.name, []).append(info)
    return Archive(opened, top, days)

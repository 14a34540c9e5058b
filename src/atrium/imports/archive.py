"""Read a Slack export from its zip file, one message at a time, never unpacked to disk."""

import re
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from atrium.imports.entries import Entry, entries_of
from atrium.imports.json_array import NotAnArray, elements
from atrium.imports.notes import Notes
from atrium.kit.clock import to_ms

MAX_BYTES = 256 * 1024 * 1024  # of one file, uncompressed; a day of a very busy channel is a few MiB
CLOCKS_DIFFER_BY = timedelta(days=1)
DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
UNREADABLE = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
READ = ("channels.json", "users.json")
PRIVATE = ("groups.json", "dms.json", "mpims.json")
MACOS, OTHERS = "files of macOS skipped", "files skipped, as only people, public channels and messages are imported"
TWICE = "files that are in the archive more than once"


class BrokenExport(Exception):
    """Part of the export cannot be read; the text names the file and what is wrong with it."""


@dataclass(frozen=True)
class Archive:
    """An open export: the files at its top level by name, and the day files of each folder, oldest first. Times after
    `latest_us` are in the future. `notes` says what else is in it."""

    zip: ZipFile
    top: Mapping[str, Entry]
    days: Mapping[str, Sequence[Entry]]
    latest_us: int
    notes: Notes = field(default_factory=Notes)


@contextmanager
def open_archive(path: Path, now: datetime) -> Iterator[Archive]:
    """Open the export at `path`. Raise BrokenExport."""
    try:
        file = ZipFile(path)
    except FileNotFoundError:
        raise BrokenExport(f"{path.name}: file not found") from None
    except UNREADABLE as error:
        raise BrokenExport(f"{path.name}: {_zip_error(path, error)}") from None
    with file:
        yield _sorted(file, path.name, to_ms(now + CLOCKS_DIFFER_BY) * 1000)


def read_array(archive: Archive, entry: Entry) -> Iterator[Any]:
    """Yield the elements of the JSON array in a file, one at a time. Raise BrokenExport."""
    if entry.info.flag_bits & 1:
        raise BrokenExport(f"{entry.name}: is encrypted")
    chunks = _uncompressed(archive, entry)
    try:
        yield from elements(chunks)
    except (ValueError, RecursionError) as error:
        raise BrokenExport(f"{entry.name}: is not valid JSON ({error})") from None
    except NotAnArray:
        raise BrokenExport(f"{entry.name}: is not a JSON array") from None
    finally:
        chunks.close()


def _uncompressed(archive: Archive, entry: Entry) -> Generator[bytes, None, None]:
    left = MAX_BYTES
    try:
        with archive.zip.open(entry.info) as file:
            while chunk := file.read(1 << 16):
                left -= len(chunk)
                if left < 0:
                    break
                yield chunk
    except UNREADABLE as error:
        raise BrokenExport(f"{entry.name}: is damaged ({error})") from None
    if left < 0:
        raise BrokenExport(f"{entry.name}: is larger than {MAX_BYTES // 1024**2} MiB uncompressed")


def _zip_error(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror or error})"
    with path.open("rb") as file:
        begins_as_zip = file.read(4) == b"PK\x03\x04"
    if begins_as_zip and not is_zipfile(path):
        return "is truncated; download it again"
    return f"is a damaged zip file ({error})" if begins_as_zip else "is not a zip file"


def _sorted(file: ZipFile, name: str, latest_us: int) -> Archive:
    """Sort the files of the archive. An export that was zipped again inside a folder is also accepted."""
    notes, own = Notes(), list[Entry]()
    for entry in sorted(entries_of(file.infolist()), key=attrgetter("path")):
        if entry.is_left_by_macos:
            notes.add(MACOS, entry.name)
        else:
            own.append(entry)
    roots = [entry.path.parent for entry in own if entry.path.name == "channels.json"]
    if not roots:
        raise BrokenExport(f"{name}: is not a Slack export: it has no channels.json")
    root = min(roots, key=lambda path: len(path.parts))
    top = {entry.path.name: entry for entry in own if entry.path.parent == root}
    if "users.json" not in top:
        raise BrokenExport(f"{name}: is an incomplete Slack export: it has no users.json")
    return Archive(file, top, _days(own, root, notes), latest_us, notes)


def _days(own: Sequence[Entry], root: PurePosixPath, notes: Notes) -> dict[str, list[Entry]]:
    """Return the day files of each folder, and note all other files."""
    days, before = dict[str, list[Entry]](), None
    for entry in own:
        path, before_it = entry.path, before
        before = path
        if path == before_it:
            notes.add(TWICE, entry.name)
        if path.parent.parent == root and path.parent != root and DAY.fullmatch(path.name):
            days.setdefault(path.parent.name, []).append(entry)
        elif path.parent != root or path.name not in (*READ, *PRIVATE):
            notes.add(OTHERS, entry.name)
    return days

"""`atrium backup`: the whole installation in a file."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, cast

import psycopg
import typer
from rich.console import Console
from rich.filesize import decimal
from rich.markup import escape

from atrium.backups.actions import NoBackup, take_backup
from atrium.backups.archive import BrokenBackup, Manifest, first_few, open_backup
from atrium.backups.keys import WrongKey
from atrium.cli.interrupts import interruptible
from atrium.cli.opened import DataDir, reachable, settings_with
from atrium.cli.phases import Phases, line, note
from atrium.cli.refusal import Refusal
from atrium.cli.shown import console
from atrium.kit.settings import Settings
from atrium.kit.storage import StorageUnavailable

STDOUT = "-"
NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)
NO_FOLDER_SYNC = (errno.EINVAL, errno.EOPNOTSUPP)
File = Annotated[str, typer.Argument(metavar="FILE", help="Where to write it; - for standard output.")]


def backup(file: File, data_dir: DataDir = None) -> None:
    """Write the whole installation to a file, also while it serves.

    The database as of now, all media, and the key that secrets are sealed with. Whoever has the file has
    everything: only its owner can read it.
    """
    settings = settings_with(data_dir=data_dir)
    if settings.database_url is None and not (settings.data_dir / "postgres" / "PG_VERSION").exists():
        raise Refusal(line(f"there is no database in {settings.data_dir}; there is nothing to back up"))
    with interruptible(), _written(file) as out, reachable(settings) as there, Phases() as tell:
        manifest = _taken(there, out, tell)
    _show(console(stderr=True), file, manifest)


def _taken(settings: Settings, out: IO[bytes], tell: Phases) -> Manifest:
    try:
        return take_backup(settings, out, tell)
    except (NoBackup, WrongKey) as error:
        raise Refusal(line(f"there is no backup: {error}")) from None
    except StorageUnavailable as error:
        raise Refusal(line(f"there is no backup: the media storage cannot be read: {error.__cause__}")) from None
    except psycopg.Error as error:
        raise Refusal(line(f"there is no backup: the database failed: {error}")) from None


@contextmanager
def _written(file: str) -> Iterator[IO[bytes]]:
    """A file to write to, which has its name only when it is whole, or standard output."""
    try:
        if file == STDOUT:
            with _standard_output() as out:
                yield out
        else:
            with _new_file(Path(file).absolute()) as out:
                yield out
    except FileExistsError:
        raise Refusal(line(f"{file} is there already; choose another name")) from None
    except OSError as error:
        named = "standard output" if file == STDOUT else error.filename or file
        raise Refusal(line(f"there is no backup: {named}: {error.strerror or error}")) from None


@contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    if sys.stdout.isatty():
        raise Refusal("a backup is nothing for a terminal; send standard output to a file")
    yield cast("IO[bytes]", _Onward(sys.stdout.fileno()))


class _Onward:
    """As much of a file as ZipFile needs: it never goes back, and keeps nothing that a full disk would refuse later."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, content: bytes) -> int:
        left = memoryview(content)
        while left:
            left = left[os.write(self._descriptor, left) :]
        return len(content)

    def flush(self) -> None:
        pass


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """Raises FileExistsError, before or after."""
    if path.exists():
        raise FileExistsError
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w+b") as out:
            yield out
            _settle(out)
        _give_name(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _give_name(partial: Path, path: Path) -> None:
    """Have the file at its place for good, where nothing came meanwhile. Raises FileExistsError."""
    try:
        os.link(partial, path)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        _take_name(partial, path)
    partial.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in NO_FOLDER_SYNC:
            raise
    finally:
        os.close(folder)


def _take_name(partial: Path, path: Path) -> None:
    """The same on a file system without links, as that of a stick: an empty file keeps the name meanwhile."""
    path.touch(0o600, exist_ok=False)
    try:
        partial.rename(path)
    except BaseException:
        path.unlink()
        raise


def _settle(out: IO[bytes]) -> None:
    """Have it on the disk, and see that it is what will be restored."""
    out.flush()
    os.fsync(out.fileno())
    try:
        with open_backup(out):
            pass
    except BrokenBackup as error:
        raise Refusal(line(f"there is no backup: what was written cannot be read back: {error}")) from None


def _show(error: Console, file: str, manifest: Manifest) -> None:
    size = "" if file == STDOUT else f" ({decimal(Path(file).stat().st_size)})"
    taken = f"{manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC"
    error.print(f"Backed up to {escape(line(file))}{size}, as of {taken}.")
    if manifest.key is not None and not manifest.key.included:
        error.print("ATRIUM_SECRET_KEY is not in it; keep it too, elsewhere.")
    if missing := manifest.media.missing:
        note(
            error,
            f"{len(missing)} pieces of media are missing in the storage, and so in the backup: {first_few(missing)}",
        )
    if damaged := manifest.media.damaged:
        note(
            error,
            f"{len(damaged)} pieces of media are damaged in the storage (of another size), "
            f"and so not in the backup: {first_few(damaged)}",
        )
    if manifest.left_out:
        note(error, f"tables of another owner are not in the backup: {first_few(manifest.left_out)}")

"""`atrium backup`: back up the installation to a file."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import IO, Annotated, cast

import psycopg
import typer
from rich.console import Console
from rich.filesize import decimal
from rich.markup import escape

from atrium.backups.actions import BackupError, take_backup
from atrium.backups.archive import BrokenBackup, Manifest, first_few, open_backup
from atrium.backups.keys import WrongKey
from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, running_database, settings_with
from atrium.cli.interrupts import interruptible
from atrium.cli.output import console
from atrium.cli.phases import Phases, line, note
from atrium.kit.settings import Settings
from atrium.kit.storage import StorageUnavailable

STDOUT = "-"
NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)
NO_FOLDER_SYNC = (errno.EINVAL, errno.EOPNOTSUPP)
File = Annotated[str, typer.Argument(metavar="FILE", help="The file to write; - for standard output.")]


def backup(file: File, data_dir: DataDir = None) -> None:
    """Back up the installation to a file; the server can keep running.

    The file contains the database, all media, and the key that encrypts secrets. It gives access to everything, so only
    its owner can read it.
    """
    settings = settings_with(data_dir=data_dir)
    if settings.database_url is None and not (settings.data_dir / "postgres" / "PG_VERSION").exists():
        raise CommandError(line(f"there is no database in {settings.data_dir}, so there is nothing to back up"))
    with (
        interruptible() as interrupted,
        _output_file(file, interrupted) as out,
        running_database(settings) as running,
        Phases() as report,
    ):
        manifest = _take_backup(running, out, report)
    _show(console(stderr=True), file, manifest)


def _take_backup(settings: Settings, out: IO[bytes], report: Phases) -> Manifest:
    try:
        return take_backup(settings, out, report)
    except (BackupError, WrongKey) as error:
        raise CommandError(line(f"backup failed: {error}")) from None
    except StorageUnavailable as error:
        raise CommandError(line(f"backup failed: the media storage cannot be read: {error.__cause__}")) from None
    except psycopg.Error as error:
        raise CommandError(line(f"backup failed: the database failed: {error}")) from None


@contextmanager
def _output_file(file: str, interrupted: Event) -> Iterator[IO[bytes]]:
    """Open standard output, or the file, which gets its name only once it is complete."""
    try:
        if file == STDOUT:
            with _standard_output(interrupted) as out:
                yield out
        else:
            with _new_file(Path(file).absolute()) as out:
                yield out
    except FileExistsError:
        raise CommandError(line(f"{file} already exists; choose another name")) from None
    except OSError as error:
        name = "standard output" if file == STDOUT else error.filename or file
        raise CommandError(line(f"backup failed: {name}: {error.strerror or error}")) from None


@contextmanager
def _standard_output(interrupted: Event) -> Iterator[IO[bytes]]:
    if sys.stdout.isatty():
        raise CommandError("a backup cannot be written to a terminal; redirect standard output to a file")
    yield cast("IO[bytes]", _UnbufferedWriter(sys.stdout.fileno(), interrupted))


class _UnbufferedWriter:
    """A write-only file for ZipFile. Writes are unbuffered, so that a full disk raises immediately.

    Once the command is interrupted, it writes nothing more: ZipFile ends an entry even then, and a full pipe that no
    one reads would hold the command."""

    def __init__(self, descriptor: int, interrupted: Event) -> None:
        self._descriptor, self._interrupted = descriptor, interrupted

    def write(self, content: bytes) -> int:
        left = memoryview(content)
        while left and not self._interrupted.is_set():
            left = left[os.write(self._descriptor, left) :]
        return len(content)

    def flush(self) -> None:
        pass


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write to the file under a temporary name. Raise FileExistsError."""
    if path.exists():
        raise FileExistsError
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w+b") as out:
            yield out
            _flush_and_verify(out)
        _publish(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _publish(partial: Path, path: Path) -> None:
    """Give the complete file its name. Raise FileExistsError if another file has it by now."""
    try:
        os.link(partial, path)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        _rename_exclusively(partial, path)
    partial.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in NO_FOLDER_SYNC:
            raise
    finally:
        os.close(folder)


def _rename_exclusively(partial: Path, path: Path) -> None:
    """Rename the file on a file system without hard links, such as FAT. An empty placeholder reserves the name."""
    path.touch(0o600, exist_ok=False)
    try:
        partial.rename(path)
    except BaseException:
        path.unlink()
        raise


def _flush_and_verify(out: IO[bytes]) -> None:
    """Flush the file to the disk, and verify that it can be restored."""
    out.flush()
    os.fsync(out.fileno())
    try:
        with open_backup(out):
            pass
    except BrokenBackup as error:
        raise CommandError(line(f"backup failed: the file cannot be read back: {error}")) from None


def _show(error: Console, file: str, manifest: Manifest) -> None:
    size = "" if file == STDOUT else f" ({decimal(Path(file).stat().st_size)})"
    taken = f"{manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC"
    error.print(f"Backed up to {escape(line(file))}{size}, as of {taken}.")
    if manifest.key is not None and not manifest.key.included:
        error.print("It does not contain ATRIUM_SECRET_KEY. Save that separately.")
    if missing := manifest.media.missing:
        note(
            error,
            f"{len(missing)} media parts are missing from the storage and are not in the backup: {first_few(missing)}",
        )
    if damaged := manifest.media.damaged:
        note(
            error,
            f"{len(damaged)} media parts are damaged in the storage (wrong size) and are not in the backup: "
            f"{first_few(damaged)}",
        )
    if manifest.left_out:
        note(error, f"tables owned by another role are not in the backup: {first_few(manifest.left_out)}")

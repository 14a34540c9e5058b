"""`atrium backup`: the whole installation in a file."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import psycopg
import typer
from rich.console import Console
from rich.filesize import decimal

from atrium.backups.actions import NoBackup, take_backup
from atrium.backups.archive import BrokenBackup, Manifest, open_backup
from atrium.backups.keys import WrongKey
from atrium.cli.opened import DataDir, reachable, settings_with
from atrium.cli.phases import phases
from atrium.cli.refusal import Refusal
from atrium.kit.settings import Settings
from atrium.kit.storage import StorageUnavailable

STDOUT = "-"
NAMED = 5
File = Annotated[str, typer.Argument(metavar="FILE", help="Where to write it; - for standard output.")]


def backup(file: File, data_dir: DataDir = None) -> None:
    """Write the whole installation to a file, also while it serves.

    The database as of now, all media, and the key that secrets are sealed with. Whoever has the file has
    everything: only its owner can read it.
    """
    settings = settings_with(data_dir=data_dir)
    if settings.database_url is None and not (settings.data_dir / "postgres" / "PG_VERSION").exists():
        raise Refusal(f"there is no database in {settings.data_dir}; there is nothing to back up")
    console = Console(stderr=True, highlight=False)
    with _written(file) as out, reachable(settings) as there, phases(console) as tell:
        manifest = _taken(there, out, tell)
    _show(console, file, manifest)


def _taken(settings: Settings, out: IO[bytes], tell: phases) -> Manifest:
    try:
        return take_backup(settings, out, tell)
    except (NoBackup, WrongKey) as error:
        raise Refusal(str(error)) from None
    except StorageUnavailable as error:
        raise Refusal(f"there is no backup: the media storage cannot be read: {error.__cause__}") from None
    except psycopg.Error as error:
        raise Refusal(f"there is no backup: the database failed: {' '.join(str(error).split())}") from None


@contextmanager
def _written(file: str) -> Iterator[IO[bytes]]:
    """A file to write to, which has its name only when it is whole, or standard output."""
    if file == STDOUT:
        if sys.stdout.isatty():
            raise Refusal("a backup is nothing for a terminal; send standard output to a file")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(file).absolute()
    if path.exists():
        raise Refusal(f"{file} is there already; choose another name")
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w+b") as out:
                yield out
                _settle(out)
            partial.rename(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise Refusal(f"there is no backup: {error.filename or file}: {error.strerror or error}") from None


def _settle(out: IO[bytes]) -> None:
    """Have it on the disk, and see that it is what will be restored."""
    out.flush()
    os.fsync(out.fileno())
    try:
        with open_backup(out):
            pass
    except BrokenBackup as error:
        raise Refusal(f"there is no backup: what was written cannot be read back: {error}") from None


def _show(console: Console, file: str, manifest: Manifest) -> None:
    size = "" if file == STDOUT else f" ({decimal(Path(file).stat().st_size)})"
    console.print(f"Backed up to {file}{size}, as of {manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC.", soft_wrap=True)
    if manifest.key is not None and not manifest.key.included:
        console.print("ATRIUM_SECRET_KEY is not in it; keep it too, elsewhere.", soft_wrap=True)
    if missing := manifest.media.missing:
        shown = ", ".join(missing[:NAMED]) + (" and others" if len(missing) > NAMED else "")
        said = f"{len(missing)} pieces of media are missing in the storage, and so in the backup: {shown}"
        console.print(f"[yellow]Note:[/] {said}", soft_wrap=True)

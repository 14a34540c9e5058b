"""`atrium restore`: an installation of a backup."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Annotated
from zipfile import ZipFile

import psycopg
import typer
from rich.console import Console
from rich.markup import escape
from sqlalchemy.exc import DBAPIError

from atrium.backups.actions import require_known
from atrium.backups.actions import restore as restore_from
from atrium.backups.archive import BrokenBackup, Manifest, Progress, first_few, open_backup, verify
from atrium.backups.database import NotEmpty
from atrium.backups.keys import WrongKey
from atrium.cli.interrupts import interruptible
from atrium.cli.opened import DataDir, reachable, settings_with
from atrium.cli.phases import Phases, line, note
from atrium.cli.refusal import Refusal
from atrium.cli.shown import console
from atrium.kit.embedded import FolderInUse, sole_server
from atrium.kit.settings import Settings
from atrium.kit.storage import StorageUnavailable
from atrium.migrations import SchemaMismatch

STDIN = "-"
File = Annotated[str, typer.Argument(metavar="FILE", help="A file of atrium backup; - for standard input.")]
Check = Annotated[bool, typer.Option("--check", help="Only see whether the file is whole; restore nothing.")]
AnyKey = Annotated[
    bool, typer.Option("--any-key", help="Restore although this server has another secret key than the backup.")
]


def restore(file: File, check: Check = False, any_key: AnyKey = False, data_dir: DataDir = None) -> None:
    """Make an installation of a backup, in an empty folder or database.

    All of it, or nothing. The database and the data folder have to be empty. The backup of an older
    release is brought up to this one.
    """
    settings, error = settings_with(data_dir=data_dir), console(stderr=True)
    try:
        with interruptible(), _readable(file, settings) as readable, open_backup(readable) as (archive, manifest):
            with Phases() as tell:
                verify(archive, tell)
            error.print(f"{escape(line(_described(manifest)))}. The file is whole.")
            if not check:
                with _leftovers_told(error), Phases() as tell:
                    foreign = _restored(settings, archive, manifest, tell, any_key=any_key)
                _show(error, settings, manifest, foreign)
    except BrokenBackup as broken:
        raise Refusal(line(f"nothing was restored: {file}: {broken}")) from None
    except OSError as failed:
        raise Refusal(line(f"nothing was restored: {file} cannot be read: {failed.strerror or failed}")) from None


@contextmanager
def _readable(file: str, settings: Settings) -> Iterator[IO[bytes]]:
    """The file, in which one can go back and forth. Raises OSError."""
    if file != STDIN:
        with Path(file).open("rb") as readable:
            yield readable
        return
    with tempfile.TemporaryFile(dir=_roomy(settings.data_dir)) as kept:
        try:
            shutil.copyfileobj(sys.stdin.buffer, kept)
            kept.flush()
        except OSError as error:
            said = f"standard input cannot be kept in {_roomy(settings.data_dir)}: {error.strerror or error}"
            raise Refusal(line(f"nothing was restored: {said}")) from None
        yield kept


def _roomy(folder: Path) -> Path:
    """Where the data will go there is room for it: the folder, or the one that it will be made in."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())


@contextmanager
def _leftovers_told(to: Console) -> Iterator[None]:
    """Say what is noted at an error, whatever becomes of it."""
    try:
        yield
    except BaseException as error:
        for noted in (error, error.__context__):
            for each in getattr(noted, "__notes__", []):
                note(to, each)
        raise


def _restored(settings: Settings, archive: ZipFile, manifest: Manifest, tell: Progress, *, any_key: bool) -> list[str]:
    require_known(manifest)
    try:
        with ExitStack() as stack:
            if settings.database_url is None:
                stack.enter_context(sole_server(settings.data_dir))
            there = stack.enter_context(reachable(settings))
            return restore_from(there, archive, manifest, tell, any_key=any_key)
    except (FolderInUse, NotEmpty, WrongKey, SchemaMismatch) as error:
        raise Refusal(line(f"nothing was restored: {error}")) from None
    except StorageUnavailable as error:
        raise Refusal(line(f"nothing was restored: the media storage failed: {error.__cause__}")) from None
    except OSError as error:
        said = f"{settings.data_dir} cannot be written: {error.strerror}"
        raise Refusal(line(f"nothing was restored: {said}")) from None
    except (DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        raise Refusal(f"nothing was restored: the database failed: {line(cause)}") from None


def _described(manifest: Manifest) -> str:
    messages = manifest.tables["messages"].rows if "messages" in manifest.tables else 0
    taken = f"{manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC"
    held = f"{messages:,} messages, {manifest.media.pieces:,} pieces of media"
    return f"A backup of {taken} by Atrium {manifest.release}: {held}"


def _show(to: Console, settings: Settings, manifest: Manifest, foreign: list[str]) -> None:
    where = "the database" if settings.database_url else escape(line(settings.data_dir))
    to.print(f"Restored into {where}. Next: [bold]atrium serve[/]")
    if foreign:
        note(to, f"left out, as no part of Atrium: {', '.join(foreign)}")
    if missing := manifest.media.missing:
        note(to, f"{len(missing)} pieces of media were missing when the backup was made: {first_few(missing)}")
    if damaged := manifest.media.damaged:
        note(to, f"{len(damaged)} pieces of media were damaged when the backup was made: {first_few(damaged)}")

"""`atrium restore`: restore an installation from a backup."""

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
from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, next_command, running_database, settings_with
from atrium.cli.interrupts import interruptible
from atrium.cli.output import console
from atrium.cli.phases import Phases, line, note
from atrium.kit.postgres.embedded import FolderInUse, sole_server
from atrium.kit.settings import Settings
from atrium.kit.storage import StorageUnavailable
from atrium.migrations import SchemaMismatch

STDIN = "-"
File = Annotated[str, typer.Argument(metavar="FILE", help="The backup file; - for standard input.")]
Check = Annotated[bool, typer.Option("--check", help="Only verify the file; restore nothing.")]
AnyKey = Annotated[
    bool, typer.Option("--any-key", help="Restore even if this server's secret key is not the backup's.")
]


def restore(file: File, check: Check = False, any_key: AnyKey = False, data_dir: DataDir = None) -> None:
    """Restore a backup into an empty folder or database.

    The restore is all or nothing. The database and the data folder have to be empty. A backup of an older release
    is migrated to this one.
    """
    settings, error = settings_with(data_dir=data_dir), console(stderr=True)
    try:
        with interruptible(), _readable(file, settings) as readable, open_backup(readable) as (archive, manifest):
            with Phases() as report:
                verify(archive, report)
            error.print(f"{escape(line(_summary(manifest)))}. The file is intact.")
            if not check:
                with _with_notes(error), Phases() as report:
                    foreign = _restore(settings, archive, manifest, report, any_key=any_key)
                where = "the database" if settings.database_url else line(settings.data_dir)
                error.print(escape(f"Restored into {where}. Next: {next_command('serve', data_dir)}"))
                _warn(error, manifest, foreign)
    except BrokenBackup as broken:
        raise CommandError(line(f"nothing was restored: {file}: {broken}")) from None
    except OSError as failed:
        raise CommandError(line(f"nothing was restored: {file} cannot be read: {failed.strerror or failed}")) from None


@contextmanager
def _readable(file: str, settings: Settings) -> Iterator[IO[bytes]]:
    """Open the file for seeking. Raise OSError."""
    if file != STDIN:
        with Path(file).open("rb") as readable:
            yield readable
        return
    with tempfile.TemporaryFile(dir=_existing_parent(settings.data_dir)) as copy:
        try:
            shutil.copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
        except OSError as error:
            reason = (
                f"standard input cannot be stored in {_existing_parent(settings.data_dir)}: {error.strerror or error}"
            )
            raise CommandError(line(f"nothing was restored: {reason}")) from None
        yield copy


def _existing_parent(folder: Path) -> Path:
    """Return the folder in which the data will be stored, or its nearest parent that exists."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())


@contextmanager
def _with_notes(to: Console) -> Iterator[None]:
    """Print the notes attached to an exception, and re-raise it."""
    try:
        yield
    except BaseException as raised:
        for error in (raised, raised.__context__):
            for each in getattr(error, "__notes__", []):
                note(to, each)
        raise


def _restore(settings: Settings, archive: ZipFile, manifest: Manifest, report: Progress, *, any_key: bool) -> list[str]:
    require_known(manifest)
    try:
        with ExitStack() as stack:
            if settings.database_url is None:
                stack.enter_context(sole_server(settings.data_dir))
            running = stack.enter_context(running_database(settings))
            return restore_from(running, archive, manifest, report, any_key=any_key)
    except (FolderInUse, NotEmpty, WrongKey, SchemaMismatch) as error:
        raise CommandError(line(f"nothing was restored: {error}")) from None
    except StorageUnavailable as error:
        raise CommandError(line(f"nothing was restored: the media storage failed: {error.__cause__}")) from None
    except OSError as error:
        reason = f"{settings.data_dir} cannot be written: {error.strerror}"
        raise CommandError(line(f"nothing was restored: {reason}")) from None
    except (DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        raise CommandError(f"nothing was restored: the database failed: {line(cause)}") from None


def _summary(manifest: Manifest) -> str:
    messages = manifest.tables["messages"].rows if "messages" in manifest.tables else 0
    taken = f"{manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC"
    contents = f"{messages:,} messages, {manifest.media.pieces:,} media parts"
    return f"Backup from {taken} (Atrium {manifest.release}): {contents}"


def _warn(to: Console, manifest: Manifest, foreign: list[str]) -> None:
    if foreign:
        note(to, f"skipped tables that are not Atrium's: {', '.join(foreign)}")
    if missing := manifest.media.missing:
        note(to, f"{len(missing)} media parts were missing when the backup was created: {first_few(missing)}")
    if damaged := manifest.media.damaged:
        note(to, f"{len(damaged)} media parts were damaged when the backup was created: {first_few(damaged)}")

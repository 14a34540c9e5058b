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
from sqlalchemy.exc import DBAPIError

from atrium.backups.actions import require_known
from atrium.backups.actions import restore as restore_from
from atrium.backups.archive import BrokenBackup, Manifest, Tell, open_backup, verify
from atrium.backups.database import NotEmpty
from atrium.backups.keys import WrongKey
from atrium.cli.opened import DataDir, reachable, settings_with
from atrium.cli.phases import phases
from atrium.cli.refusal import Refusal
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
    settings, console = settings_with(data_dir=data_dir), Console(stderr=True, highlight=False)
    try:
        with _readable(file) as readable, open_backup(readable) as (archive, manifest):
            with phases(console) as tell:
                verify(archive, tell)
            console.print(f"{_described(manifest)}. The file is whole.", soft_wrap=True)
            if not check:
                with phases(console) as tell:
                    foreign = _restored(settings, archive, manifest, tell, any_key=any_key)
                _show(console, settings, manifest, foreign)
    except BrokenBackup as error:
        raise Refusal(f"nothing was restored: {file}: {error}") from None


@contextmanager
def _readable(file: str) -> Iterator[IO[bytes]]:
    """The file, in which one can go back and forth."""
    with ExitStack() as stack:
        try:
            readable: IO[bytes] = stack.enter_context(
                Path(file).open("rb") if file != STDIN else tempfile.TemporaryFile()  # noqa: SIM115
            )
            if file == STDIN:
                shutil.copyfileobj(sys.stdin.buffer, readable)
        except OSError as error:
            raise Refusal(f"nothing was restored: {file} cannot be read: {error.strerror or error}") from None
        yield readable


def _restored(settings: Settings, archive: ZipFile, manifest: Manifest, tell: Tell, *, any_key: bool) -> list[str]:
    require_known(manifest)
    try:
        with ExitStack() as stack:
            if settings.database_url is None:
                stack.enter_context(sole_server(settings.data_dir))
            there = stack.enter_context(reachable(settings))
            return restore_from(there, archive, manifest, tell, any_key=any_key)
    except (FolderInUse, NotEmpty, WrongKey, SchemaMismatch) as error:
        raise Refusal(f"nothing was restored: {error}") from None
    except StorageUnavailable as error:
        raise Refusal(f"nothing was restored: the media storage failed: {error.__cause__}") from None
    except OSError as error:
        raise Refusal(f"nothing was restored: {settings.data_dir} cannot be written: {error.strerror}") from None
    except (DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        raise Refusal(f"nothing was restored: the database failed: {' '.join(str(cause).split())}") from None


def _described(manifest: Manifest) -> str:
    messages = manifest.tables["messages"].rows if "messages" in manifest.tables else 0
    taken = f"{manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC"
    held = f"{messages:,} messages, {manifest.media.pieces:,} pieces of media"
    return f"A backup of {taken} by Atrium {manifest.release}: {held}"


def _show(console: Console, settings: Settings, manifest: Manifest, foreign: list[str]) -> None:
    where = "the database" if settings.database_url else settings.data_dir
    console.print(f"Restored into {where}. Next: [bold]atrium serve[/]", soft_wrap=True)
    if foreign:
        console.print(f"[yellow]Note:[/] left out, as no part of Atrium: {', '.join(foreign)}", soft_wrap=True)
    if manifest.media.missing:
        count = len(manifest.media.missing)
        console.print(
            f"[yellow]Note:[/] {count} pieces of media were missing when the backup was made.", soft_wrap=True
        )

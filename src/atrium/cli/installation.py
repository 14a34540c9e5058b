"""The installation that a command works on: a data folder or a database, with or without a running server."""

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from atrium.cli.errors import CommandError
from atrium.kit.settings import Settings

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the embedded database and files [ATRIUM_DATA_DIR].")
]


def settings_with(**changes: object) -> Settings:
    """Return the settings of the environment with the command's options. Raise CommandError for invalid ones."""
    try:
        return Settings().with_changes(**changes)
    except ValidationError as error:
        problems = (f"ATRIUM_{'_'.join(map(str, each['loc'])).upper()}: {each['msg']}" for each in error.errors())
        raise CommandError("; ".join(problems)) from None


def next_command(name: str, data_dir: Path | None) -> str:
    """Return the command line of `name` for the same installation, for a note: it runs in the caller's shell."""
    called, on_path = sys.argv[0], shutil.which("atrium")
    program = "atrium" if on_path and Path(on_path).resolve() == Path(called).resolve() else called
    return shlex.join([program, name, *(["--data-dir", str(data_dir)] if data_dir else [])])


class DatabaseUnreachable(CommandError):
    """The database cannot be reached."""


@contextmanager
def open_database(settings: Settings) -> Iterator[Settings]:
    """Return the settings with the URL of a running database, and migrate it. Raise CommandError."""
    if settings.database_url is not None:
        yield _migrated(settings, "at ATRIUM_DATABASE_URL")
        return
    with _embedded(settings) as running:
        yield _migrated(running, f"in {settings.data_dir}")


@contextmanager
def running_database(settings: Settings) -> Iterator[Settings]:
    """Return the settings with the URL of a running database, without migrating it."""
    if settings.database_url is not None:
        yield settings
        return
    with _embedded(settings) as running:
        yield running


@contextmanager
def _embedded(settings: Settings) -> Iterator[Settings]:
    from atrium.kit.postgres.embedded import FolderInUse, embedded_postgres  # noqa: PLC0415 - only where it is needed, as below
    from atrium.kit.postgres.programs import StartupError  # noqa: PLC0415

    with ExitStack() as stack:
        try:
            url = stack.enter_context(embedded_postgres(settings.data_dir.resolve()))
        except (FolderInUse, StartupError) as error:
            raise CommandError(str(error)) from None
        yield settings.with_changes(database_url=url)


def _migrated(settings: Settings, where: str) -> Settings:
    # Imported here, because the import takes 0.1 s and many commands do not need it.
    import psycopg  # noqa: PLC0415

    from atrium.migrations import SchemaMismatch, migrate  # noqa: PLC0415

    try:
        migrate(settings.database_url or "")
    except SchemaMismatch as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        raise CommandError(f"ATRIUM_DATABASE_URL is {error}") from None
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        if error.sqlstate is None or isinstance(
            error, psycopg.OperationalError
        ):  # None if the error is not from the server
            raise DatabaseUnreachable(f"the database {where} cannot be reached: {reason}") from None
        raise CommandError(f"the database cannot be migrated to this release's schema: {reason}") from None
    return settings

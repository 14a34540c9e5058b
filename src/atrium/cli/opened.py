"""Where a command works: the data folder or the database it was given, whether or not a server runs on it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from atrium.cli.refusal import Refusal
from atrium.kit.settings import Settings

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the embedded database and files [ATRIUM_DATA_DIR].")
]


def settings_with(**changes: object) -> Settings:
    """The settings of the environment with the command's own changes. Raises Refusal naming what cannot be used."""
    try:
        return Settings().with_changes(**changes)
    except ValidationError as error:
        problems = (f"ATRIUM_{'_'.join(map(str, each['loc'])).upper()}: {each['msg']}" for each in error.errors())
        raise Refusal("; ".join(problems)) from None


class DatabaseAway(Refusal):
    """The database does not answer."""


@contextmanager
def opened(settings: Settings) -> Iterator[Settings]:
    """The settings with the address of a database that is up and of this release's schema. Raises Refusal."""
    if settings.database_url is not None:
        yield _migrated(settings, "at ATRIUM_DATABASE_URL")
        return
    with _embedded(settings) as found:
        yield _migrated(found, f"in {settings.data_dir}")


@contextmanager
def reachable(settings: Settings) -> Iterator[Settings]:
    """The settings with the address of a database, which is left as it is: nothing is migrated."""
    if settings.database_url is not None:
        yield settings
        return
    with _embedded(settings) as found:
        yield found


@contextmanager
def _embedded(settings: Settings) -> Iterator[Settings]:
    from atrium.kit.embedded import FolderInUse, embedded_postgres  # noqa: PLC0415 - only where it is needed, as below
    from atrium.kit.postmaster import DoesNotStart  # noqa: PLC0415

    with ExitStack() as stack:
        try:
            url = stack.enter_context(embedded_postgres(settings.data_dir.resolve()))
        except (FolderInUse, DoesNotStart) as error:
            raise Refusal(str(error)) from None
        yield settings.with_changes(database_url=url)


def _migrated(settings: Settings, where: str) -> Settings:
    # A tenth of a second of imports, which a command that never gets here need not wait for.
    import psycopg  # noqa: PLC0415

    from atrium.migrations import SchemaMismatch, migrate  # noqa: PLC0415

    try:
        migrate(settings.database_url or "")
    except SchemaMismatch as error:
        raise Refusal(str(error)) from None
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        if error.sqlstate is None or isinstance(error, psycopg.OperationalError):  # None: no server has said it
            raise DatabaseAway(f"the database {where} cannot be reached: {reason}") from None
        raise Refusal(f"the database cannot be brought to this release's schema: {reason}") from None
    return settings

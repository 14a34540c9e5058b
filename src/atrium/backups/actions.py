"""Taking a backup of a running installation, and making an installation of a backup."""

import asyncio
from typing import IO
from zipfile import ZipFile

from atrium import __version__
from atrium.backups import database, media
from atrium.backups.archive import BrokenBackup, Manifest, Tell, end, key_in, writing
from atrium.backups.database import Database, NotEmpty
from atrium.backups.keys import held_key, require_key
from atrium.kit.sealing import KEY_FILE, write_key
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, open_storage
from atrium.operations.readiness import newest_revision


class NoBackup(Exception):
    """No backup can be taken here, or not now."""


def take_backup(settings: Settings, file: IO[bytes], tell: Tell) -> Manifest:
    """Write the database as of now, the media that it names and the key. `settings.database_url` has to be set.

    Raises NoBackup, StorageUnavailable.
    """
    with writing(file) as archive:
        with database.holding(settings.database_url or "") as db:
            _require_schema(db)
            found = database.copy_out(db, archive, tell)
            stored = media.copy_out(open_storage(settings), found.pieces, archive, tell)
            if not database.is_holding(db):  # else media of the snapshot may have been removed before it was read
                raise NoBackup("the connection to the database broke; take the backup again")
        held, key = held_key(settings)  # it is older than whatever was sealed with it
        manifest = Manifest(
            release=__version__, revision=found.revision, taken_at=found.taken_at, tables=found.tables,
            sequences=found.sequences, media=stored, key=held,
        )  # fmt: skip
        end(archive, manifest, key)
    return manifest


def _require_schema(db: Database) -> None:
    revision = database.revision_of(db)
    if revision is None:
        raise NoBackup("the database is empty; there is nothing to back up")
    if revision > newest_revision():
        raise NoBackup(f"the database is of a later release (revision {revision}); back it up with that release")


def require_known(manifest: Manifest) -> None:
    """Raises BrokenBackup for one of a later release."""
    if manifest.revision > newest_revision():
        raise BrokenBackup(f"it was made by a later release, Atrium {manifest.release}; restore it with that one")


def restore(settings: Settings, archive: ZipFile, manifest: Manifest, tell: Tell, *, any_key: bool) -> list[str]:
    """Make of an empty database, storage and data folder what is in the backup; all of it, or nothing.

    Returns the tables that were left out because no schema of ours has them. `settings.database_url` has to be set.
    Raises NotEmpty, BrokenBackup, WrongKey, SchemaMismatch, StorageUnavailable.
    """
    takes_key = require_key(manifest.key, settings, any_key=any_key)
    storage, key_file, began = open_storage(settings), settings.data_dir / KEY_FILE, False
    _require_empty(storage, settings)
    try:
        with database.restoring(settings.database_url or "", archive, manifest, tell) as foreign:
            _require_empty(storage, settings)  # now nobody else restores
            began = True
            media.copy_in(storage, archive, tell)
            if takes_key:
                write_key(key_file, key_in(archive, manifest) or "")
    except BaseException:
        if began:
            media.take_out(storage, archive)
            if takes_key:
                key_file.unlink(missing_ok=True)
        raise
    return foreign


def _require_empty(storage: Storage, settings: Settings) -> None:
    if not asyncio.run(storage.is_empty()):
        raise NotEmpty(f"there is media in {settings.storage or settings.data_dir / 'media'} already")

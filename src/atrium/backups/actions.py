"""Taking a backup of a running installation, and making an installation of a backup."""

import asyncio
from typing import IO
from zipfile import ZipFile

import psycopg

from atrium import __version__
from atrium.backups import database, media
from atrium.backups.archive import BrokenBackup, Manifest, Media, Tell, end, key_in, some, writing
from atrium.backups.database import Database, NotEmpty, Piece, Restored
from atrium.backups.keys import held_key, kept_key, require_key, require_opens
from atrium.kit.sealing import KEY_FILE, write_key
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, open_storage
from atrium.operations.readiness import newest_revision


class NoBackup(Exception):
    """No backup can be taken here, or not now."""


def take_backup(settings: Settings, file: IO[bytes], tell: Tell) -> Manifest:
    """Write the database as of now, the media that it names and the key. `settings.database_url` has to be set.

    Raises NoBackup, WrongKey, StorageUnavailable.
    """
    with writing(file) as archive:
        with database.holding(settings.database_url or "") as db:
            _require_schema(db)
            found = database.copy_out(db, archive, tell)
            held, key = held_key(settings, found.sealed)  # it is older than whatever was sealed with it
            stored = _copy_media(settings, found.pieces, archive, tell)
            if not database.is_holding(db):  # else media of the snapshot may have been removed before it was read
                raise NoBackup("the connection to the database broke; take the backup again")
        manifest = Manifest(
            release=__version__, revision=found.revision, taken_at=found.taken_at, tables=found.tables,
            sequences=found.sequences, media=stored, key=held, left_out=found.left_out,
        )  # fmt: skip
        end(archive, manifest, key)
    return manifest


def _copy_media(settings: Settings, pieces: list[Piece], archive: ZipFile, tell: Tell) -> Media:
    try:
        return media.copy_out(open_storage(settings), pieces, archive, tell)
    except media.NoMedia as error:
        where = f"{_storage_of(settings)}; set ATRIUM_STORAGE, or choose the data folder, as the server has it"
        raise NoBackup(f"{error} in {where}") from None


def _storage_of(settings: Settings) -> str:
    return settings.storage or str(settings.data_dir / "media")


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
    """Make of an empty database, storage and data folder what is in the backup; all of it, or nothing. What could not
    be taken away again after a failure is told by notes of the error.

    Returns the tables that were left out because no schema of ours has them. `settings.database_url` has to be set.
    Raises NotEmpty, BrokenBackup, WrongKey, SchemaMismatch, StorageUnavailable.
    """
    url, key = settings.database_url or "", key_in(archive, manifest)
    brought = _Brought(settings, archive, key if require_key(manifest.key, settings, any_key=any_key) else None)
    _require_empty(brought.storage, settings)
    restored: Restored | None = None
    try:
        with database.restoring(url, archive, manifest, tell) as filled:
            if not any_key:
                require_opens(brought.key, settings, filled.sealed)
            _require_empty(brought.storage, settings)  # now nobody else restores
            brought.put(tell)
            restored = filled
    except BaseException as error:
        if restored is not None and _took_effect(url, error):  # only the word that it did got lost
            if isinstance(error, Exception):
                return restored.foreign
        else:
            brought.take_back(error)
        raise
    return restored.foreign


def _took_effect(url: str, error: BaseException) -> bool:
    """Whether the database is restored although its commit failed; so it is taken where nobody can say."""
    try:
        there = database.is_restored(url)
    except psycopg.Error:
        error.add_note("It is not known whether the database was restored; media and key were left as they are.")
        raise error from None
    if there:
        error.add_note("All was restored before.")
    return there


class _Brought:
    """What a restoration puts beside the database, and takes away again: the media and the key."""

    def __init__(self, settings: Settings, archive: ZipFile, key: str | None) -> None:
        self.settings, self.archive, self.key = settings, archive, key
        self.storage, self.began = open_storage(settings), False

    def put(self, tell: Tell) -> None:
        self.began = True
        media.copy_in(self.storage, self.archive, tell)
        if self.key is not None:
            write_key(self.settings.data_dir / KEY_FILE, self.key)

    def take_back(self, error: BaseException) -> None:
        """The key first: nothing that fails later may leave it. What is left is noted at the error."""
        if not self.began:
            return
        try:
            if self.key is not None and kept_key(self.settings) == self.key:
                (self.settings.data_dir / KEY_FILE).unlink()
        except OSError as failed:
            error.add_note(f"The key of this backup may be left in {self.settings.data_dir}: {failed.strerror}.")
        if left := media.take_out(self.storage, self.archive):
            where = _storage_of(self.settings)
            error.add_note(f"Media of this backup may be left in {where}, to be removed from there: {some(left)}.")


def _require_empty(storage: Storage, settings: Settings) -> None:
    if not asyncio.run(storage.is_empty()):
        where = _storage_of(settings)
        raise NotEmpty(f"there is media in {where} already; remove it if nobody needs it, or choose an empty place")

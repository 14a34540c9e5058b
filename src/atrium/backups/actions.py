"""Back up a running installation, and restore an installation from a backup."""

import asyncio
from typing import IO
from zipfile import ZipFile

import psycopg

from atrium import __version__
from atrium.backups import database, media
from atrium.backups.archive import BrokenBackup, Manifest, Media, Progress, finish, first_few, key_in, open_for_writing
from atrium.backups.database import Database, NotEmpty, Piece, RestoreResult
from atrium.backups.keys import read_key, require_can_decrypt, require_key, stored_key
from atrium.kit.encryption import KEY_FILE, write_key
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, open_storage
from atrium.operations.readiness import newest_revision


class BackupError(Exception):
    """The backup cannot be created."""


def take_backup(settings: Settings, file: IO[bytes], progress: Progress) -> Manifest:
    """Write the database as of now, the media that it refers to and the key. `settings.database_url` must be set.

    Raise BackupError, WrongKey, StorageUnavailable.
    """
    with open_for_writing(file) as archive:
        with database.lock_media(settings.database_url or "") as db:
            _require_schema(db)
            snapshot = database.copy_out(db, archive, progress)
            # The key is read after the secrets: it is older than everything encrypted with it.
            key_info, key = read_key(settings, snapshot.encrypted_secrets)
            stored = _copy_media(settings, snapshot.pieces, archive, progress)
            if not database.is_media_locked(db):  # media of the snapshot may have been deleted before it was read
                raise BackupError("the connection to the database was lost; take the backup again")
        manifest = Manifest(
            release=__version__,
            revision=snapshot.revision,
            taken_at=snapshot.taken_at,
            tables=snapshot.tables,
            sequences=snapshot.sequences,
            media=stored,
            key=key_info,
            left_out=snapshot.left_out,
        )
        finish(archive, manifest, key)
    return manifest


def _copy_media(settings: Settings, pieces: list[Piece], archive: ZipFile, progress: Progress) -> Media:
    try:
        return media.copy_out(open_storage(settings), pieces, archive, progress)
    except media.MediaNotFound as error:
        where = f"{_storage_of(settings)}; use the same ATRIUM_STORAGE or data folder as the server"
        raise BackupError(f"{error} in {where}") from None


def _storage_of(settings: Settings) -> str:
    return settings.storage or str(settings.data_dir / "media")


def _require_schema(db: Database) -> None:
    revision = database.revision_of(db)
    if revision is None:
        raise BackupError("the database is empty; there is nothing to back up")
    if revision > newest_revision():
        raise BackupError(
            f"the database belongs to a later release (revision {revision}); back it up with that release"
        )


def require_known(manifest: Manifest) -> None:
    """Raise BrokenBackup if a later release took the backup."""
    if manifest.revision > newest_revision():
        raise BrokenBackup(
            f"it was created by a later release, Atrium {manifest.release}; restore it with that release"
        )


def restore(
    settings: Settings, archive: ZipFile, manifest: Manifest, progress: Progress, *, any_key: bool
) -> list[str]:
    """Restore a backup into an empty database, storage and data folder, completely or not at all. If it fails, notes on
    the exception list what could not be removed again.

    Return the tables that were skipped because they are not Atrium's. `settings.database_url` must be set.
    Raise NotEmpty, BrokenBackup, WrongKey, SchemaMismatch, StorageUnavailable.
    """
    url, key = settings.database_url or "", key_in(archive, manifest)
    files = _RestoredFiles(settings, archive, key if require_key(manifest.key, settings, any_key=any_key) else None)
    _require_empty(files.storage, settings)
    restored: RestoreResult | None = None
    try:
        with database.restore_tables(url, archive, manifest, progress) as filled:
            if not any_key:
                require_can_decrypt(files.key, settings, filled.encrypted_secrets)
            _require_empty(files.storage, settings)  # no other restore runs now
            files.put(progress)
            restored = filled
    except BaseException as error:
        if restored is not None and _was_committed(url, error):  # it succeeded; only the confirmation was lost
            if isinstance(error, Exception):
                return restored.foreign
        else:
            files.remove(error)
        raise
    return restored.foreign


def _was_committed(url: str, error: BaseException) -> bool:
    """Return whether the database was restored although its commit raised. Raise `error` if that is unknown."""
    try:
        committed = database.is_restored(url)
    except psycopg.Error:
        error.add_note("Atrium cannot tell whether the database was restored. It left the media and the key in place.")
        raise error from None
    if committed:
        error.add_note("Everything was restored before this error.")
    return committed


class _RestoredFiles:
    """The media and the key that a restore writes. `remove` deletes them if the restore fails."""

    def __init__(self, settings: Settings, archive: ZipFile, key: str | None) -> None:
        self.settings, self.archive, self.key = settings, archive, key
        self.storage, self.started = open_storage(settings), False

    def put(self, progress: Progress) -> None:
        self.started = True
        media.copy_in(self.storage, self.archive, progress)
        if self.key is not None:
            write_key(self.settings.data_dir / KEY_FILE, self.key)

    def remove(self, error: BaseException) -> None:
        """Remove the key first, so that no later failure leaves it. Add notes to `error` for what is left."""
        if not self.started:
            return
        try:
            if self.key is not None and stored_key(self.settings) == self.key:
                (self.settings.data_dir / KEY_FILE).unlink()
        except OSError as failed:
            error.add_note(f"The key of this backup may be left in {self.settings.data_dir}: {failed.strerror}.")
        if left := media.remove_all(self.storage, self.archive):
            where = _storage_of(self.settings)
            error.add_note(f"Media of this backup may be left in {where}. Remove it: {first_few(left)}.")


def _require_empty(storage: Storage, settings: Settings) -> None:
    if not asyncio.run(storage.is_empty()):
        where = _storage_of(settings)
        raise NotEmpty(f"{where} contains media already; remove it if it is not needed, or choose an empty location")

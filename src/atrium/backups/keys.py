"""The encryption key: whether a backup includes it, and which key a restored server uses."""

from collections.abc import Sequence
from hashlib import sha256

from atrium.backups.archive import Key
from atrium.kit import encryption
from atrium.kit.encryption import KEY_FILE, SecretCipher
from atrium.kit.settings import Settings

SET_OLD_KEY = "set ATRIUM_SECRET_KEY to the value used when the backup was created"
OR_ANY_KEY = "or restore with --any-key and rotate the webhook secrets afterwards"
DIFFERENT_KEY = (
    "webhook secrets in this backup are encrypted with a different key than {present}; {advice}, " + OR_ANY_KEY
)
NO_KEY = (
    "the key for the webhook secrets is missing: {file} does not exist; use the same data folder or ATRIUM_SECRET_KEY "
    "as the server"
)
WRONG_KEY = "{present} does not decrypt the webhook secrets in this database; {advice}"
UNDECRYPTABLE = f"{{present}} does not decrypt the webhook secrets in this backup; {SET_OLD_KEY}, {OR_ANY_KEY}"
NO_KEY_FOR_BACKUP = (
    f"neither the backup nor this server has the key that decrypts the webhook secrets; {SET_OLD_KEY}, {OR_ANY_KEY}"
)


class WrongKey(Exception):
    """The key does not decrypt the secrets of the server or of the backup."""


def fingerprint(key: str) -> str:
    """Return a hash that identifies a key and does not reveal it."""
    return sha256(b"atrium backup\n" + key.encode()).hexdigest()[:32]


def stored_key(settings: Settings) -> str | None:
    """Return the key in the data folder, or None if there is none yet."""
    file = settings.data_dir / KEY_FILE
    return file.read_text().strip() if file.exists() else None


def read_key(settings: Settings, encrypted_secrets: Sequence[bytes]) -> tuple[Key | None, str | None]:
    """Return the manifest's entry for this installation's key, and the key itself if it belongs in the file.

    A key from ATRIUM_SECRET_KEY is not written to the file. Raise WrongKey if the key does not decrypt the secrets.
    """
    file = settings.data_dir / KEY_FILE
    present = settings.secret_key or stored_key(settings)
    if present is None:
        if encrypted_secrets:
            raise WrongKey(NO_KEY.format(file=file))
        return None, None
    if not can_decrypt(present, encrypted_secrets):
        if settings.secret_key is not None:
            advice = f"use the same value as the server, or unset it if the server uses {file}"
            raise WrongKey(WRONG_KEY.format(present="ATRIUM_SECRET_KEY", advice=advice))
        advice = "use the same data folder or ATRIUM_SECRET_KEY as the server"
        raise WrongKey(WRONG_KEY.format(present=file, advice=advice))
    inside = settings.secret_key is None
    return Key(fingerprint(present), included=inside), present if inside else None


def can_decrypt(key: str, encrypted_secrets: Sequence[bytes]) -> bool:
    """Return whether the key decrypts at least one secret, or there are none."""
    vault = SecretCipher(key)
    return not encrypted_secrets or any(_can_decrypt_one(vault, each) for each in encrypted_secrets)


def _can_decrypt_one(vault: SecretCipher, secret: bytes) -> bool:
    try:
        vault.decrypt(secret)
    except encryption.WrongKey:
        return False
    return True


def require_key(key_info: Key | None, settings: Settings, *, any_key: bool) -> bool:
    """Return whether to write the backup's key to the data folder. Raise WrongKey."""
    present = settings.secret_key or stored_key(settings)
    if key_info is None or (present is not None and fingerprint(present) == key_info.fingerprint):
        return False
    if present is None and key_info.included:
        return True
    if any_key:
        return False
    if settings.secret_key is not None:
        raise WrongKey(
            DIFFERENT_KEY.format(present="ATRIUM_SECRET_KEY", advice="unset it" if key_info.included else SET_OLD_KEY)
        )
    if present is not None:
        raise WrongKey(DIFFERENT_KEY.format(present=settings.data_dir / KEY_FILE, advice="move that file away"))
    raise WrongKey(DIFFERENT_KEY.format(present="this server's", advice=SET_OLD_KEY))


def require_can_decrypt(backup_key: str | None, settings: Settings, encrypted_secrets: Sequence[bytes]) -> None:
    """Raise WrongKey if neither the backup's key nor the server's own decrypts the restored secrets.

    `backup_key` is the key from the backup, if it is used.
    """
    if (key := backup_key or settings.secret_key or stored_key(settings)) is None:
        if encrypted_secrets:
            raise WrongKey(NO_KEY_FOR_BACKUP)
    elif not can_decrypt(key, encrypted_secrets):
        name = "its own key" if backup_key else "ATRIUM_SECRET_KEY" if settings.secret_key else KEY_FILE
        raise WrongKey(UNDECRYPTABLE.format(present=name))

"""Encrypt secrets for the database, with a key of this installation that is never in the database."""

import base64
import contextlib
import os
import secrets
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from atrium.kit.settings import Settings

KEY_FILE = "secret.key"


class WrongKey(Exception):
    """A secret cannot be decrypted: it was encrypted with another key, or was changed."""


def cipher(key: str) -> Fernet:
    """Return a cipher whose key is the SHA-256 of a text."""
    return Fernet(base64.urlsafe_b64encode(sha256(key.encode()).digest()))


class SecretCipher:
    """Encrypts and decrypts secrets with one key."""

    def __init__(self, key: str) -> None:
        self._cipher = cipher(key)
        self._decrypt = lru_cache(4096)(self._cipher.decrypt)  # the same secrets sign many deliveries

    def encrypt(self, secret: bytes) -> bytes:
        """Return the encrypted secret."""
        return self._cipher.encrypt(secret)

    def decrypt(self, sealed: bytes) -> bytes:
        """Return the decrypted secret. Raise WrongKey."""
        try:
            return self._decrypt(sealed)
        except InvalidToken:
            raise WrongKey("encrypted with another ATRIUM_SECRET_KEY (or another secret.key)") from None

    def readable(self, sealed: bytes | None) -> bytes | None:
        """Return the decrypted secret. None if there is none, or if it was encrypted with another key."""
        try:
            return None if sealed is None else self.decrypt(sealed)
        except WrongKey:
            return None


def installation_cipher(settings: Settings) -> SecretCipher:
    """Return the cipher of this installation, with `ATRIUM_SECRET_KEY` or the key file, which is created if needed."""
    if settings.secret_key is not None:
        return _cipher_of(settings.secret_key)
    return _cipher_of(read_or_create_key(settings.data_dir / KEY_FILE))


_cipher_of = lru_cache(8)(SecretCipher)


@lru_cache(8)
def read_or_create_key(file: Path) -> str:
    """Return the key in `file`. A missing file is created, by only one of several processes."""
    if not file.exists():
        write_key(file, secrets.token_urlsafe(32))
    return file.read_text().strip()


def write_key(file: Path, key: str) -> None:
    """Write a key to `file` atomically, readable by its owner only. An existing file is left unchanged."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as created:
            created.write(key)
            created.flush()
            os.fsync(created.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, file)
    finally:
        temporary.unlink()

"""Secrets at rest: sealed with the key of this installation, which is never in the database."""

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
    """What was sealed cannot be opened: it was sealed with another key, or has been tampered with."""


class Vault:
    """Seals and unseals with one key."""

    def __init__(self, key: str) -> None:
        self._fernet = Fernet(base64.urlsafe_b64encode(sha256(key.encode()).digest()))
        self._opened = lru_cache(4096)(self._fernet.decrypt)  # what is sealed signs again and again

    def seal(self, secret: bytes) -> bytes:
        """The secret, readable with this key only."""
        return self._fernet.encrypt(secret)

    def unseal(self, sealed: bytes) -> bytes:
        """The secret. Raises WrongKey."""
        try:
            return self._opened(sealed)
        except InvalidToken:
            raise WrongKey(
                "sealed with another ATRIUM_SECRET_KEY (or another secret.key) than the present one"
            ) from None


def open_vault(settings: Settings) -> Vault:
    """The vault of this installation: `ATRIUM_SECRET_KEY`, or the key file, which is made where there is none yet."""
    if settings.secret_key is not None:
        return _vault(settings.secret_key)
    return _vault(key_in(settings.data_dir / KEY_FILE))


_vault = lru_cache(8)(Vault)


@lru_cache(8)
def key_in(file: Path) -> str:
    """The key in `file`, which only its owner can read; of several processes that make it at once, one does."""
    if not file.exists():
        write_key(file, secrets.token_urlsafe(32))
    return file.read_text().strip()


def write_key(file: Path, key: str) -> None:
    """Keep a key in `file`, whole or not at all; one that is there stays as it is."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as made:
            made.write(key)
            made.flush()
            os.fsync(made.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(fresh, file)
    finally:
        fresh.unlink()

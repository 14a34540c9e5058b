"""The token of the link that sets up an empty server. `atrium serve` creates it at its start; it works on this machine
until the server has an organization or is restarted. Only its hash is stored, in the data folder."""

import hmac
import secrets
from pathlib import Path

from atrium.keys.tokens import hash_of
from atrium.kit.settings import Settings


def new_token(settings: Settings) -> str:
    """Create a token; earlier ones stop working."""
    token = secrets.token_urlsafe(32)
    path = _path(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(hash_of(token))
    return token


def forget_token(settings: Settings) -> None:
    """Remove the token."""
    _path(settings).unlink(missing_ok=True)


def is_token(settings: Settings, token: str) -> bool:
    """Return whether it is the token, in constant time."""
    try:
        stored = _path(settings).read_bytes()
    except FileNotFoundError:
        stored = b""
    return hmac.compare_digest(stored, hash_of(token))


def _path(settings: Settings) -> Path:
    return settings.data_dir / "run" / f"set-up-{settings.port}"

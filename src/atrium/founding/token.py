"""The token of the link that sets an empty server up: made by `atrium serve` at its start, good on this machine until
the server has an organization or is started again. Only its hash is kept, in the data folder."""

import hmac
import secrets
from pathlib import Path

from atrium.keys.tokens import hash_of
from atrium.kit.settings import Settings


def new_token(settings: Settings) -> str:
    """A token that is good from now on; one made before is not any more."""
    token = secrets.token_urlsafe(32)
    path = _path(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(hash_of(token))
    return token


def forget_token(settings: Settings) -> None:
    """No token is good."""
    _path(settings).unlink(missing_ok=True)


def is_token(settings: Settings, token: str) -> bool:
    """Whether it is the token, told in a time that says nothing about it."""
    try:
        kept = _path(settings).read_bytes()
    except FileNotFoundError:
        kept = b""
    return hmac.compare_digest(kept, hash_of(token))


def _path(settings: Settings) -> Path:
    return settings.data_dir / "run" / f"set-up-{settings.port}"

"""The key that secrets are sealed with: what of it goes into a backup, and which one a restored server has."""

from hashlib import sha256

from atrium.backups.archive import Key
from atrium.kit.sealing import KEY_FILE
from atrium.kit.settings import Settings

OTHER = (
    "webhook secrets in this backup are sealed with another key than {present}; {advice}, or restore "
    "with --any-key and rotate them afterwards"
)


class WrongKey(Exception):
    """The server would not be able to open the secrets of the backup."""


def fingerprint(key: str) -> str:
    """By which a key is known again, and not found."""
    return sha256(b"atrium backup\n" + key.encode()).hexdigest()[:32]


def kept_key(settings: Settings) -> str | None:
    """The key in the data folder; None where there is none yet."""
    file = settings.data_dir / KEY_FILE
    return file.read_text().strip() if file.exists() else None


def held_key(settings: Settings) -> tuple[Key | None, str | None]:
    """What the manifest says of this installation's key, and the key itself where it goes into the file: one that is
    set from outside is kept outside."""
    if settings.secret_key is not None:
        return Key(fingerprint(settings.secret_key), included=False), None
    key = kept_key(settings)
    return (None, None) if key is None else (Key(fingerprint(key), included=True), key)


def require_key(held: Key | None, settings: Settings, *, any_key: bool) -> bool:
    """Whether the key of the backup has to be written into the data folder. Raises WrongKey."""
    present = settings.secret_key or kept_key(settings)
    if held is None or (present is not None and fingerprint(present) == held.fingerprint):
        return False
    if present is None and held.included:
        return True
    if any_key:
        return False
    if settings.secret_key is not None:
        raise WrongKey(OTHER.format(present="ATRIUM_SECRET_KEY", advice="unset it" if held.included else "set it so"))
    if present is not None:
        raise WrongKey(OTHER.format(present=settings.data_dir / KEY_FILE, advice="take that file away"))
    raise WrongKey(OTHER.format(present="this server has", advice="set ATRIUM_SECRET_KEY as it was"))

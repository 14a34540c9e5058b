"""The key that secrets are sealed with: what of it goes into a backup, and which one a restored server has."""

from collections.abc import Sequence
from hashlib import sha256

from atrium.backups.archive import Key
from atrium.kit import sealing
from atrium.kit.sealing import KEY_FILE, Vault
from atrium.kit.settings import Settings

ANYWAY = "or restore with --any-key and rotate them afterwards"
OTHER = "webhook secrets in this backup are sealed with another key than {present}; {advice}, " + ANYWAY
NO_KEY = (
    "webhook secrets are sealed with a key that is not here: there is no {file}; choose the data folder of the server, "
    "or set ATRIUM_SECRET_KEY as the server has it"
)
NOT_THIS_KEY = "{present} does not open the webhook secrets of this database; {advice}"
CLOSED = "the webhook secrets in this backup do not open with {present}; set ATRIUM_SECRET_KEY as it was, " + ANYWAY


class WrongKey(Exception):
    """The server would not be able to open its secrets, or those of the backup."""


def fingerprint(key: str) -> str:
    """By which a key is known again, and not found."""
    return sha256(b"atrium backup\n" + key.encode()).hexdigest()[:32]


def kept_key(settings: Settings) -> str | None:
    """The key in the data folder; None where there is none yet."""
    file = settings.data_dir / KEY_FILE
    return file.read_text().strip() if file.exists() else None


def held_key(settings: Settings, sealed: Sequence[bytes]) -> tuple[Key | None, str | None]:
    """What the manifest says of this installation's key, and the key itself where it goes into the file: one that is
    set from outside is kept outside. Raises WrongKey where it does not open what is sealed."""
    file = settings.data_dir / KEY_FILE
    present = settings.secret_key or kept_key(settings)
    if present is None:
        if sealed:
            raise WrongKey(NO_KEY.format(file=file))
        return None, None
    if not opens(present, sealed):
        if settings.secret_key is not None:
            advice = f"set it as the server has it, or unset it if the server has {file}"
            raise WrongKey(NOT_THIS_KEY.format(present="ATRIUM_SECRET_KEY", advice=advice))
        advice = "choose the data folder of the server, or set ATRIUM_SECRET_KEY as the server has it"
        raise WrongKey(NOT_THIS_KEY.format(present=file, advice=advice))
    inside = settings.secret_key is None
    return Key(fingerprint(present), included=inside), present if inside else None


def opens(key: str, sealed: Sequence[bytes]) -> bool:
    """Whether something of this was sealed with the key; what was not is to be rotated, and no reason to stop."""
    vault = Vault(key)
    return not sealed or any(_opens(vault, each) for each in sealed)


def _opens(vault: Vault, sealed: bytes) -> bool:
    try:
        vault.unseal(sealed)
    except sealing.WrongKey:
        return False
    return True


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


def require_opens(brought: str | None, settings: Settings, sealed: Sequence[bytes]) -> None:
    """See that the restored server opens its secrets, with the key that comes with the backup or its own.

    Raises WrongKey.
    """
    if (key := brought or settings.secret_key or kept_key(settings)) is None:
        if sealed:
            raise WrongKey(CLOSED.format(present="any key: there is none in it, and none here"))
    elif not opens(key, sealed):
        named = "its own key" if brought else "ATRIUM_SECRET_KEY" if settings.secret_key else KEY_FILE
        raise WrongKey(CLOSED.format(present=named))

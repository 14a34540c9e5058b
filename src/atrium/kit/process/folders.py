"""Folders that only their owner may look into, whatever the umask is."""

import contextlib
from pathlib import Path


def private_folder(folder: Path) -> Path:
    """Make the folder where it is missing, and take other users' rights to it away; return it.

    A folder that belongs to somebody else stays as it is.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(PermissionError):
        folder.chmod(folder.stat().st_mode & 0o700)
    return folder

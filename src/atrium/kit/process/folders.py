"""Folders that only their owner can read, for any umask."""

import contextlib
from pathlib import Path


def private_folder(folder: Path) -> Path:
    """Create a folder if needed, remove the rights of other users, and return it.

    A folder that belongs to another user is left unchanged.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(PermissionError):
        folder.chmod(folder.stat().st_mode & 0o700)
    return folder

"""The folder of the embedded server's socket: that of the database, unless its path is too long for a socket.

Then it is a folder in the temporary folder that only PostgreSQL's user can enter. Its name is random, so that no other
user can create it first. `atrium.sockets` remembers it, because processes that use the server know the path.
"""

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from atrium.kit.postgres.programs import StartupError, let_enter_parents, user_of_postgresql

SOCKET = ".s.PGSQL.5432"
SOCKET_LOCKS = ".s.PGSQL.*.lock"
LONGEST_PATH = 107  # bytes of the path of a UNIX socket
REMEMBERED = "atrium.sockets"
PREFIX = "atrium-"


def socket_folder(pgdata: Path) -> Path:
    """Return the folder of the socket, and create it if needed. Raise StartupError."""
    if _is_short_enough(pgdata):
        return pgdata
    if (folder := _remembered(pgdata)) is not None and _make_private(folder):
        return folder
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    if not _is_short_enough(folder):
        folder.rmdir()
        raise StartupError(
            f"{pgdata} and the temporary folder {folder.parent} have paths that are too long for a UNIX socket; "
            f"choose a data folder with a shorter path, or set TMPDIR"
        )
    _make_private(folder)
    (pgdata / REMEMBERED).write_text(str(folder))
    return folder


def socket_folders(pgdata: Path) -> list[Path]:
    """Return the folders in which a server that was killed may have left files."""
    return [pgdata, *([folder] if (folder := _remembered(pgdata)) else [])]


def remove_socket_folder(pgdata: Path) -> None:
    """Remove the folder in the temporary folder, if there is one, after the server has ended."""
    if (folder := _remembered(pgdata)) is not None:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _is_short_enough(folder: Path) -> bool:
    return len(os.fsencode(folder / SOCKET)) <= LONGEST_PATH


def _remembered(pgdata: Path) -> Path | None:
    """Return the folder that was made, if it is one of ours: PostgreSQL's user can write the file that names it."""
    try:
        folder = Path((pgdata / REMEMBERED).read_text())
    except FileNotFoundError:
        return None
    return folder if folder.name.startswith(PREFIX) else None


def _make_private(folder: Path) -> bool:
    """Create the folder if needed, and return whether only PostgreSQL's user can enter it."""
    user = user_of_postgresql()
    owner, group = (os.geteuid(), os.getegid()) if user is None else (user.pw_uid, user.pw_gid)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid not in {os.geteuid(), owner} or state.st_mode & 0o077:
        return False
    os.chown(folder, owner, group, follow_symlinks=False)
    if user is not None:
        let_enter_parents(folder)
    return True

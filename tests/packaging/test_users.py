"""The command that the README begins with works for every user of a machine, also if others have run it."""

import os
import pwd
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.conftest import ATRIUM, scratch_folder
from tests.house.sources import ROOT
from tests.wait_until import wait_until

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can run programs as several users of the machine"),
]
STARTED = "Importing a month"
LOCKED = ("/tmp/.lockfile", "/tmp/python_PostgresServer")  # what earlier releases shared between all users


@contextmanager
def user_of_machine() -> Iterator[pwd.struct_passwd]:
    """Create a user with a home folder; remove both afterwards."""
    name = f"atrium-{secrets.token_hex(4)}"
    subprocess.run(["useradd", "--create-home", name], check=True, capture_output=True)
    try:
        yield pwd.getpwnam(name)
    finally:
        subprocess.run(["userdel", "--remove", name], check=True, capture_output=True)


@pytest.fixture
def users() -> Iterator[list[pwd.struct_passwd]]:
    """Yield two ordinary users who can run the demo in this repository."""
    with user_of_machine() as one, user_of_machine() as other:
        readable = subprocess.run(
            [sys.executable, "-c", "import demo"],
            cwd=ROOT,
            user=one.pw_uid,
            group=one.pw_gid,
            extra_groups=[],
            env={},
            capture_output=True,
            check=False,
        )
        if readable.returncode:
            pytest.skip(f"other users cannot read {ROOT}")
        yield [one, other]


class Demo:
    """A demo that a user started in this repository, as `make demo` starts it after the installation."""

    def __init__(self, user: pwd.struct_passwd, folder: Path | None) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": user.pw_dir, "LANG": "C.UTF-8"}
        if folder is not None:
            environment["ATRIUM_DEMO_DIR"] = str(folder)
        self._output = Path(f"/tmp/{secrets.token_hex(8)}.log")
        with self._output.open("w") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-m", "demo"],
                cwd=ROOT,
                env=environment,
                user=user.pw_uid,
                group=user.pw_gid,
                extra_groups=[],
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_until_ready(self) -> None:
        """Wait until its server runs and has taken its first requests; `test_demo.py` tests what it creates."""
        wait_until(lambda: STARTED in self.output() or self._process.poll() is not None, "a demo has started", 400)
        assert STARTED in self.output(), self.output()

    def output(self) -> str:
        return self._output.read_text()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(60)
        self._output.unlink()


@contextmanager
def demo(user: pwd.struct_passwd, folder: Path | None = None) -> Iterator[Demo]:
    started = Demo(user, folder)
    try:
        yield started
    finally:
        started.stop()


@pytest.mark.contract("Conventions 9")
def test_root_then_a_user_then_two_users_together_run_the_demo(users: list[pwd.struct_passwd]) -> None:
    with scratch_folder() as folder, demo(pwd.getpwuid(0), folder / "of-root") as first:
        first.wait_until_ready()
    with demo(users[0]) as second:
        second.wait_until_ready()
    with ExitStack() as together:
        both = [together.enter_context(demo(user)) for user in users]
        for each in both:
            each.wait_until_ready()


@pytest.mark.contract("Conventions 9")
def test_a_user_who_locks_what_all_can_write_keeps_nobody_from_starting(users: list[pwd.struct_passwd]) -> None:
    hold = f"import fcntl, os, time\nfor path in {LOCKED!r}:\n f = open(path, 'a'); fcntl.lockf(f, fcntl.LOCK_EX); globals()[path] = f\nprint('locked', flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", hold], user=users[0].pw_uid, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        try:
            with scratch_folder() as folder:
                command = [ATRIUM, "init", "--data-dir", folder, "--organization", "O", "--email", "a@example.org"]
                subprocess.run(command, check=True, capture_output=True, timeout=120)
        finally:
            holder.kill()

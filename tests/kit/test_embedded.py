"""PostgreSQL in the data folder restarts after every kind of unclean stop."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg
import pytest

from atrium.kit.postgres.embedded import FolderInUse, embedded_postgres
from tests.conftest import scratch_folder

under_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as a user of its own")
# A copy of /etc of its own, without PostgreSQL's user, makes it a new machine.
ON_A_NEW_MACHINE = (
    'cp -a /etc "$1/etc" && mount --bind "$1/etc" /etc && userdel --force pgserver && exec "$2" -c "$3" "$1"'
)
THREE_SERVERS = """
import multiprocessing, pathlib, sys
from atrium.kit.postgres.embedded import embedded_postgres

def run(server):
    together.wait()
    with embedded_postgres(pathlib.Path(sys.argv[1], str(server))):
        pass

together = multiprocessing.Barrier(3)
servers = [multiprocessing.Process(target=run, args=[server]) for server in range(3)]
for each in servers: each.start()
for each in servers: each.join()
sys.exit(any(each.exitcode for each in servers))
"""


def _kill(folder: Path) -> None:
    postmaster = psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]))
    for each in (postmaster, *postmaster.children(recursive=True)):
        each.kill()


@pytest.mark.parametrize("left", ["its own id", "the id of another process", "half a file", "an empty file"])
def test_a_killed_server_restarts_with_any_pid_file(left: str) -> None:
    """The id in the file may belong to another process by now: containers reuse small numbers."""
    with scratch_folder() as folder, embedded_postgres(folder) as url:
        with psycopg.connect(url) as db:
            db.execute("create table kept as select 1 as one")
        _kill(folder)
        file = folder / "postgres" / "postmaster.pid"
        lines = file.read_text().splitlines(keepends=True)
        if left == "the id of another process":
            file.write_text("".join([f"{os.getpid()}\n", *lines[1:]]))
        elif left != "its own id":
            file.write_text("".join(lines[:3]) if left == "half a file" else "")
        with embedded_postgres(folder) as again, psycopg.connect(again) as db:
            assert db.execute("select one from kept").fetchone() == (1,)


def test_the_last_process_to_leave_stops_the_server() -> None:
    with scratch_folder() as folder:
        file = folder / "postgres" / "postmaster.pid"
        with embedded_postgres(folder) as first:
            with embedded_postgres(folder) as second:
                assert first == second
            assert psycopg.connect(first).execute("select 1").fetchone() == (1,)
        assert not file.exists()


def test_a_server_that_ends_while_it_is_being_stopped_raises_nothing() -> None:
    with scratch_folder() as folder:
        for pause in (0.0, 0.02, 0.05, 0.1, 0.2):
            with embedded_postgres(folder):
                postmaster = psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]))
                postmaster.send_signal(signal.SIGINT)
                time.sleep(pause)
            assert not postmaster.is_running() or postmaster.status() == psutil.STATUS_ZOMBIE


def test_a_folder_in_use_by_another_container_is_not_changed() -> None:
    """Its processes are not visible; only the lock shows that it runs."""
    with scratch_folder() as folder:
        with embedded_postgres(folder):
            pass
        postgres = folder / "postgres"
        (postgres / "atrium.namespace").write_text("another boot pid:[1]")
        (postgres / "postmaster.pid").write_text("999999\n")
        with (folder / "postgres.lock").open() as other:
            fcntl.flock(other, fcntl.LOCK_SH)
            with pytest.raises(FolderInUse, match="in another container"), embedded_postgres(folder):
                pass
            assert (postgres / "postmaster.pid").read_text() == "999999\n"
        with embedded_postgres(folder) as url, psycopg.connect(url) as db:
            assert db.execute("select 1").fetchone() == (1,), "nobody holds it any more: what is left is of a dead one"


@under_root
def test_servers_that_start_together_on_a_new_machine_share_the_user_of_postgresql() -> None:
    with scratch_folder() as folder:
        shell = ["unshare", "--mount", "sh", "-c", ON_A_NEW_MACHINE, "sh"]
        subprocess.run([*shell, folder, sys.executable, THREE_SERVERS], check=True)


@under_root
def test_root_does_not_change_the_owner_of_a_folder() -> None:
    with scratch_folder() as folder:
        with embedded_postgres(folder):
            pass
        os.chown(folder / "postgres", 1, -1)
        with pytest.raises(FolderInUse, match="sudo -u daemon"), embedded_postgres(folder):
            pass
        assert (folder / "postgres").owner() == "daemon"

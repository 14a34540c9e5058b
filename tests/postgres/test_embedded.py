"""PostgreSQL in the data folder restarts after every kind of unclean stop."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import psycopg
import pytest

from atrium.kit.postgres import embedded
from atrium.kit.postgres.embedded import FolderInUse, embedded_postgres, restart_if_stopped, sole_server
from atrium.kit.postgres.programs import StartupError, run_program
from tests.conftest import scratch_folder
from tests.faults.running import kill_all
from tests.wait_until import wait_until

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
    kill_all([postmaster, *postmaster.children(recursive=True)])


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


def test_postgresql_knows_how_much_memory_a_container_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MEMORY_OF_CONTAINER", tmp_path / "memory.max")
    (tmp_path / "memory.max").write_text("1073741824\n")
    with scratch_folder() as folder, embedded_postgres(folder) as url, psycopg.connect(url) as db:
        assert db.execute("show effective_cache_size").fetchone() == ("768MB",)


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


@pytest.mark.contract("Conventions 9")
def test_a_long_path_has_its_socket_in_a_folder_that_only_its_user_can_enter() -> None:
    with scratch_folder() as short:
        folder = short / ("long-" * 20)
        with embedded_postgres(folder) as url:
            sockets = Path(url.partition("host=")[2])
            state = sockets.stat()
            assert sockets != folder / "postgres"
            assert (stat.S_IMODE(state.st_mode), state.st_uid) == (0o700, (folder / "postgres").stat().st_uid)
            _kill(folder)
            wait_until(lambda: restart_if_stopped(folder, lambda: False), "the server was found dead and restarted")
            with psycopg.connect(url) as db:
                assert db.execute("select 1").fetchone() == (1,), "processes that know the URL reach it after a restart"
        assert not sockets.exists()


def test_a_folder_that_another_user_made_in_place_of_the_socket_folder_is_not_used() -> None:
    with scratch_folder() as short:
        folder, other = short / ("long-" * 20), short / "other"
        with embedded_postgres(folder):
            pass
        other.mkdir(mode=0o777)
        other.chmod(0o777)
        for planted in (other, short / "link"):
            if planted != other:
                planted.symlink_to(other)
            (folder / "postgres" / "atrium.sockets").write_text(str(planted))
            with embedded_postgres(folder) as url, psycopg.connect(url):
                assert url.partition("host=")[2] not in {str(other), str(planted)}
                assert list(other.iterdir()) == []


@under_root
def test_root_writes_through_no_link_of_the_user_of_postgresql() -> None:
    """The folder is this user's, who could name any file of root by a link."""
    with scratch_folder() as folder:
        with embedded_postgres(folder):
            pass
        victim, pgdata = folder / "of-root", folder / "postgres"
        victim.write_text("of root")
        victim.chmod(0o600)
        for name in ("atrium.conf", "atrium.hba.conf", "atrium.ident.conf"):
            (pgdata / name).write_text("of an earlier release")
            (pgdata / name).with_suffix(".new").symlink_to(victim)
        with embedded_postgres(folder) as url, psycopg.connect(url):
            assert (victim.read_text(), stat.S_IMODE(victim.stat().st_mode)) == ("of root", 0o600)
            assert list(pgdata.glob("*.new")) == []


def test_without_a_short_path_anywhere_the_reason_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with scratch_folder() as short:
        temporary = short / ("t" * 90)
        temporary.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        with (
            pytest.raises(StartupError, match="choose a data folder with a shorter path"),
            embedded_postgres(short / ("long-" * 20)),
        ):
            pass
        assert list(temporary.iterdir()) == []


@pytest.mark.contract("Conventions 9")
@under_root
def test_only_the_user_that_started_it_and_that_of_postgresql_may_connect() -> None:
    """The mode of the folder is not the only barrier: the server asks the kernel who connects."""
    connect = "import psycopg, sys; psycopg.connect(sys.argv[1])"
    with scratch_folder() as folder, embedded_postgres(folder) as url:
        for path in (folder, folder / "postgres"):
            path.chmod(0o755)
        with psycopg.connect(url) as db:
            assert db.execute("select current_user").fetchone() == ("postgres",)
        done = subprocess.run(
            [sys.executable, "-c", connect, url], user="nobody", capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "Peer authentication failed" in done.stderr


@pytest.mark.contract("Conventions 9")
@under_root
@pytest.mark.parametrize("name", ["postgres.lock", "postgres.start.lock", "serve.lock"])
def test_another_user_cannot_lock_a_file_that_a_start_waits_for(name: str) -> None:
    with scratch_folder() as folder:
        (folder / name).touch(mode=0o644)  # of an earlier release
        folder.chmod(0o755)
        with sole_server(folder), embedded_postgres(folder):
            done = subprocess.run(["cat", folder / name], user="nobody", capture_output=True, check=False)
            assert done.returncode == 1


def test_a_server_of_an_earlier_release_that_still_runs_is_started_again_for_its_users_only() -> None:
    """It lets everyone in, and may have its socket in a folder that everyone can enter."""
    with scratch_folder() as folder:
        with embedded_postgres(folder) as url, psycopg.connect(url) as db:
            db.execute("create table kept as select 1 as one")
        pgdata = folder / "postgres"
        (pgdata / "pg_hba.conf").write_text("local all all trust\n")
        run_program("pg_ctl", "-w", "-D", str(pgdata), "-l", str(pgdata / "log"), "-o", f"-h '' -k {pgdata}", "start",
                    cwd=pgdata)  # fmt: skip
        with embedded_postgres(folder) as url, psycopg.connect(url) as db:
            assert db.execute("select current_setting('hba_file')").fetchone() == (str(pgdata / "atrium.hba.conf"),)
            assert db.execute("select one from kept").fetchone() == (1,)


@under_root
@pytest.mark.parametrize("name", ["it's a folder", "long-" * 20])
def test_a_strict_umask_and_a_path_with_spaces_keep_nothing_from_starting(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    umask = os.umask(0o077)
    try:
        with scratch_folder() as short:  # only root can enter it
            monkeypatch.setattr(tempfile, "tempdir", str(short))
            with embedded_postgres(short / name) as url, psycopg.connect(url) as db:
                assert db.execute("select 1").fetchone() == (1,)
    finally:
        os.umask(umask)

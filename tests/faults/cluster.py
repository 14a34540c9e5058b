"""A primary and its synchronous replica, of the PostgreSQL that Atrium brings along."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg

from atrium.kit.postgres.programs import program
from atrium.kit.settings import Settings
from tests.conftest import free_port, prepared_folder
from tests.wait_until import wait_until

BIN = program("postgres").parent
REPLICAS = "select count(*) from pg_stat_replication where state = 'streaming' and (sync_state = 'sync') = {}"
ACCESS = "host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n"
OPTIONS = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "shared_buffers=64MB", "max_connections=100")


class Node:
    """A PostgreSQL server on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/atrium"

    def start(self, *options: str) -> None:
        """Start the server, and wait until it accepts connections."""
        (self.folder / "pg_hba.conf").write_text(ACCESS)
        given = [part for option in (*OPTIONS, *options) for part in ("-c", option)]
        with (self.folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                [BIN / "postgres", "-D", self.folder, "-p", str(self.port), *given],
                user=self._user(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_until(self._answers, f"PostgreSQL in {self.folder} answers")

    def _user(self) -> int | None:
        return self.folder.stat().st_uid if os.geteuid() == 0 else None

    def _answers(self) -> bool:
        try:
            self.ask("select 1")
        except psycopg.OperationalError:
            return False
        return True

    def ask(self, statement: str) -> object:
        """Run a statement, and return the first value of its result, if it has one."""
        with psycopg.connect(self.url, autocommit=True) as db:
            done = db.execute(statement.encode())
            row = done.fetchone() if done.description else None
            return row[0] if row else None

    def copy_to(self, folder: Path) -> "Node":
        """Return a new replica of this server."""
        folder.mkdir(mode=0o700)
        os.chown(folder, self.folder.stat().st_uid, self.folder.stat().st_gid)
        replica = Node(folder)
        subprocess.run(
            [BIN / "pg_basebackup", "-d", self.url, "-D", folder, "-R", "--checkpoint=fast"], user=self._user(),
            check=True, capture_output=True,
        )  # fmt: skip
        return replica

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the server."""
        send_signal(self._processes(), number)

    @property
    def postmaster(self) -> psutil.Process:
        """Return the first process of the server."""
        return psutil.Process(self._process.pid)

    def _processes(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            return [self.postmaster, *self.postmaster.children(recursive=True)]
        return []

    def end(self) -> None:
        """End the server, in any state."""
        self.signal(signal.SIGKILL)
        self._process.wait(30)


def send_signal(processes: list[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to processes; some of them may have ended."""
    for each in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.send_signal(number)


class Cluster:
    """A primary whose commits wait for its replica."""

    def __init__(self, primary: Node, replica: Node) -> None:
        self.primary, self.replica = primary, replica
        self.url = f"postgresql://postgres@127.0.0.1:{primary.port},127.0.0.1:{replica.port}/atrium"

    def promote(self) -> float:
        """Make the replica the primary, as a manager would; return when it was, in seconds of the monotonic clock."""
        assert self.replica.ask("select pg_promote()")
        return time.monotonic()


@contextmanager
def running_cluster(*, synchronous: bool = True) -> Iterator[tuple[Cluster, Settings]]:
    """Yield a cluster with a migrated empty database, and settings of a server on it. Unless `synchronous`, commits do
    not wait for the replica."""
    with prepared_folder() as folder:
        primary = Node(folder / "postgres")
        replica = None
        try:
            folder.chmod(0o755)  # PostgreSQL has a user of its own
            primary.start(f"synchronous_standby_names={'*' if synchronous else ''}")
            replica = primary.copy_to(folder / "replica")
            replica.start()
            wait_until(lambda: primary.ask(REPLICAS.format(synchronous)), "the replica is connected")
            cluster = Cluster(primary, replica)
            yield (
                cluster,
                Settings(data_dir=folder, database_url=cluster.url, port=free_port(), workers=2, rate_limit=0),
            )
        finally:
            primary.end()
            if replica is not None:
                replica.end()

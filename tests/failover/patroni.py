"""Two PostgreSQL servers under Patroni, and the etcd that they agree in, all on loopback."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import psutil

from atrium.kit.postgres.programs import user_of_postgresql
from tests.conftest import free_port, scratch_folder
from tests.faults.cluster import BIN, send_signal
from tests.house.sources import ROOT
from tests.wait_until import wait_until

STARTS_WITHIN = 120.0  # seconds
SHARED, PASSWORD = ROOT / "packaging" / "patroni.yaml", "failover"


def patroni_program() -> Path:
    """Return the program that `make test-failover` installed."""
    return Path(sys.argv[1]).absolute()


class Member:
    """A PostgreSQL server and the Patroni that manages it."""

    def __init__(self, name: str, folder: Path, etcd_port: int, user: int | None) -> None:
        self.name, self._folder, self._user = name, folder, user
        self.port, self._api = free_port(), free_port()
        self._etcd = f"127.0.0.1:{etcd_port}"

    def _environment(self) -> dict[str, str]:
        api, postgres = (f"127.0.0.1:{port}" for port in (self._api, self.port))
        own = {
            "NAME": self.name,
            "ETCD3_HOSTS": self._etcd,
            "RESTAPI_LISTEN": api,
            "RESTAPI_CONNECT_ADDRESS": api,
            "POSTGRESQL_LISTEN": postgres,
            "POSTGRESQL_CONNECT_ADDRESS": postgres,
            "POSTGRESQL_DATA_DIR": str(self._folder / self.name),
            "POSTGRESQL_BIN_DIR": str(BIN),
            "POSTGRESQL_PGPASS": str(self._folder / f"{self.name}.pgpass"),
            "SUPERUSER_USERNAME": "postgres",
            "SUPERUSER_PASSWORD": PASSWORD,
            "REPLICATION_USERNAME": "replicator",
            "REPLICATION_PASSWORD": PASSWORD,
        }
        return {f"PATRONI_{name}": value for name, value in own.items()}

    def start(self) -> None:
        """Start Patroni, which starts the server."""
        with (self._folder / f"{self.name}.log").open("a") as log:
            self._process = subprocess.Popen(
                [patroni_program(), SHARED],
                user=self._user,
                cwd=self._folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **self._environment()},
            )

    def is_role(self, role: str) -> bool:
        """Return whether it is the `leader`, a `replica` that runs, or the `sync` replica."""
        try:
            return httpx.get(f"http://127.0.0.1:{self._api}/{role}", timeout=2).status_code == 200
        except httpx.TransportError:
            return False

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to Patroni and all processes of the server."""
        send_signal(self._processes(), number)

    def _processes(self) -> list[psutil.Process]:
        """The server survives its Patroni, so it is found by its folder too."""
        data = str(self._folder / self.name)
        found = list[psutil.Process]()
        for each in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if each.pid == self._process.pid or data in each.cmdline():
                    found += [each, *each.children(recursive=True)]
        return found

    def end(self) -> None:
        """End both, in any state."""
        self.signal(signal.SIGKILL)
        self._process.wait(30)


class PatroniCluster:
    """Two members."""

    def __init__(self, members: list[Member]) -> None:
        self.members = members
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in members)
        self.url = f"postgresql://postgres:{PASSWORD}@{hosts}/atrium"

    def leader(self) -> Member | None:
        """Return the member that Patroni made the primary."""
        return next((each for each in self.members if each.is_role("leader")), None)

    def wait_until_whole(self) -> None:
        """Wait until there is a leader and a synchronous replica."""
        wait_until(lambda: self.leader() and self.has_replica(), "the cluster is whole", STARTS_WITHIN)

    def has_replica(self) -> bool:
        """Return whether a replica is synchronous."""
        return any(each.is_role("sync") for each in self.members)


@contextmanager
def running_etcd(folder: Path) -> Iterator[int]:
    """Yield the port of an etcd."""
    port, peers = free_port(), free_port()
    url, peer_url = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peers}"
    program = shutil.which("etcd")
    assert program, "etcd is not installed"
    with (folder / "etcd.log").open("w") as log:
        process = subprocess.Popen(
            [program, "--data-dir", folder / "etcd", "--listen-client-urls", url, "--advertise-client-urls", url,
             "--listen-peer-urls", peer_url, "--initial-advertise-peer-urls", peer_url,
             "--initial-cluster", f"default={peer_url}"],
            stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        yield port
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def running_patroni() -> Iterator[tuple[PatroniCluster, Path]]:
    """Yield a cluster with an empty database, and its folder."""
    with scratch_folder() as folder, ExitStack() as stack:
        user = _user_of_postgres(folder)
        etcd_port = stack.enter_context(running_etcd(folder))
        members = [Member(name, folder, etcd_port, user) for name in ("one", "two")]
        for each in members:
            each.start()
            stack.callback(each.end)
        cluster = PatroniCluster(members)
        cluster.wait_until_whole()
        yield cluster, folder


def _user_of_postgres(folder: Path) -> int | None:
    """Return the user that PostgreSQL runs as if this is root, and let that user write the folder."""
    user = user_of_postgresql()
    if user is None:
        return None
    folder.chmod(0o777)
    return user.pw_uid

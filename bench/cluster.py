"""What a cluster costs: the processor time of a request at the primary, at its replica and in the HTTP processes.

All of them share this machine, so only the processor time of a request can be compared, not how many a second they
take. `make bench-cluster` prints the table.
"""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil
from tests.faults.cluster import Cluster, running_cluster

from atrium.kit.settings import Settings
from bench.environment import ATRIUM, free_port
from bench.footprint import started
from bench.load import Load, Request, cycling, measure, require_wrk

ROOMS, MESSAGES, SECONDS, CONNECTIONS = 20, 300, 8, 16
OLDEST = "?cursor_sent_at=2100-01-01T00:00:00Z"  # with a cursor, the page cache is not used
WORDS = "the relay of station seven answers again after the firmware of last week was rolled back to the version before"


class Row(NamedTuple):
    """The figures of one load: milliseconds of processor time a request, and latencies in milliseconds."""

    name: str
    primary: float
    replica: float
    http: float
    p50: float
    p99: float

    def __str__(self) -> str:
        return (
            f"{self.name:<44}{self.primary:>9.3f}{self.replica:>9.3f}{self.http:>9.3f}{self.p50:>9.2f}{self.p99:>9.2f}"
        )


def _seconds(root: psutil.Process) -> float:
    """Return the processor time of a process and its children, also of those that have ended."""
    total = 0.0
    for each in [root, *root.children(recursive=True)]:
        try:
            times = each.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def _row(name: str, loads: Sequence[Load], trees: Mapping[str, Sequence[psutil.Process]]) -> Row:
    """Put all loads on their servers together, and return what they cost."""
    for load in loads:
        measure(load, 2)
    before = {part: sum(map(_seconds, roots)) for part, roots in trees.items()}
    with ThreadPoolExecutor(len(loads)) as executor:
        measured = list(executor.map(lambda load: measure(load, SECONDS), loads))
    requests = sum(each.rps for each in measured) * SECONDS
    spent = {part: 1000 * (sum(map(_seconds, roots)) - before[part]) / requests for part, roots in trees.items()}
    p50, p99 = max(each.p50_ms for each in measured), max(each.p99_ms for each in measured)
    return Row(name, spent["primary"], spent["replica"], spent["http"], p50, p99)


class Bench:
    """A cluster with rooms and messages, and the servers on it."""

    def __init__(self, cluster: Cluster, settings: Settings) -> None:
        self.cluster, self.folder = cluster, settings.data_dir
        self.settings = settings.with_changes(database_url=cluster.primary.url, workers=1, rate_limit=10**9)
        self.key, self.rooms = "", list[str]()

    def fill(self) -> None:
        """Create rooms with messages."""
        command = [str(ATRIUM), "init", "--organization", "Bench", "--email", "bench@example.org", "--json"]
        created = json.loads(subprocess.check_output(command, env=self.settings.environment(), text=True))
        self.key = created["organization_key"]
        url, headers = f"http://127.0.0.1:{self.settings.port}", {"authorization": f"Bearer {self.key}"}
        with started(self.settings), httpx.Client(base_url=url, headers=headers, timeout=60) as client:
            for number in range(ROOMS):
                made = client.post(f"/v2/spaces/{created['space_id']}/rooms", json={"name": f"room {number}"})
                self.rooms.append(made.raise_for_status().json()["room_id"])
            with ThreadPoolExecutor(8) as executor:
                body = {"text": WORDS}
                paths = [f"/v2/rooms/{room}/messages" for room in self.rooms for _ in range(MESSAGES)]
                for answer in executor.map(lambda path: client.post(path, json=body), paths):
                    answer.raise_for_status()

    def _requests(self, body: str = "") -> Iterator[Request]:
        for room in self.rooms:
            yield Request(f"/v2/rooms/{room}/messages{'' if body else OLDEST}", self.key, body)

    def pages(self, url: str, file: Path) -> Load:
        """Return a load of pages that no cache has."""
        return cycling(url, file, self._requests(), connections=CONNECTIONS)

    def sends(self, url: str, file: Path) -> Load:
        """Return a load of sends."""
        return cycling(url, file, self._requests(json.dumps({"text": WORDS})), connections=CONNECTIONS)

    def row(
        self, name: str, load: Callable[[str, Path], Load], *, servers: int = 1, replicas: str | None = None
    ) -> Row:
        """Measure a load on several servers."""
        with ExitStack() as stack:
            loads, serving = list[Load](), list[psutil.Process]()
            for number in range(servers):
                port = free_port()
                settings = self.settings.with_changes(port=port, database_replicas=replicas)
                serving.append(stack.enter_context(started(settings))[0])
                loads.append(load(f"http://127.0.0.1:{port}", self.folder / f"requests-{number}"))
            nodes = self.cluster.primary, self.cluster.replica
            primary, replica = ([node.postmaster] for node in nodes)
            return _row(name, loads, {"primary": primary, "replica": replica, "http": serving})


def main() -> None:
    """Print the table."""
    require_wrk()
    with running_cluster() as (cluster, settings):
        bench = Bench(cluster, settings)
        bench.fill()
        print(
            f"{'processor time of a request, ms':<44}{'primary':>9}{'replica':>9}{'http':>9}{'p50 ms':>9}{'p99 ms':>9}"
        )
        for servers in (1, 2, 3):
            print(bench.row(f"pages, {servers} serve", bench.pages, servers=servers), flush=True)
        print(bench.row("pages, answered by the replica", bench.pages, replicas=cluster.replica.url), flush=True)
        for servers in (1, 2, 3):
            print(bench.row(f"sends, {servers} serve", bench.sends, servers=servers), flush=True)
        cluster.primary.ask("alter database atrium set synchronous_commit = remote_apply")
        print(bench.row("sends, synchronous_commit = remote_apply", bench.sends), flush=True)


if __name__ == "__main__":
    main()

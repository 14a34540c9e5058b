"""The cost of a cluster: the processor time of a request at the primary, at its replica and in the HTTP processes, and
how far one primary goes.

All of them share this machine, so only the processor time of a request can be compared, not how many a second they
take. `make bench-cluster` prints the tables.
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
import psycopg
from tests.faults.cluster import Cluster, running_cluster
from tests.wait_until import wait_until

from atrium.kit.settings import Settings
from bench.environment import ATRIUM, free_port
from bench.footprint import running_service
from bench.load import Load, Request, cyclic_load, measure, require_wrk

ROOMS, MESSAGES, SECONDS, CONNECTIONS = 20, 300, 8, 16
PAGES_PER_SEND = 6  # of a person
OLDEST = "?cursor_sent_at=2100-01-01T00:00:00Z"  # with a cursor, the page cache is not used
UNINDEXED = (
    "select count(*) from search_heads s join room_heads h using (room_id) where h.last_message_id > s.indexed_id"
)
WRITTEN = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
REPLAY = "select pid from pg_stat_activity where backend_type = 'startup'"
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
    """Put all loads on their servers together, and return their cost."""
    for load in loads:
        measure(load, 2)
    before = {part: sum(map(_seconds, roots)) for part, roots in trees.items()}
    with ThreadPoolExecutor(len(loads)) as executor:
        measured = list(executor.map(lambda load: measure(load, SECONDS), loads))
    requests = sum(each.rps for each in measured) * SECONDS
    spent = {part: 1000 * (sum(map(_seconds, roots)) - before[part]) / requests for part, roots in trees.items()}
    p50, p99 = max(each.p50_ms for each in measured), max(each.p99_ms for each in measured)
    return Row(name, spent["primary"], spent["replica"], spent["http"], p50, p99)


class Whole(NamedTuple):
    """The total cost of a send, including its search index: milliseconds of processor time of the primary, and of the
    process with which the replica repeats the log; kilobytes of the log."""

    primary: float
    replay: float
    kilobytes: float

    def __str__(self) -> str:
        return (
            f"a send with its index: primary {self.primary:.3f} ms, replay {self.replay:.3f} ms, "
            f"log {self.kilobytes:.2f} KB"
        )

    def people(self, page: float) -> str:
        """Return how many people, with a send and some pages a minute each, use half the time of what carries them.
        `page` is the primary's processor time of a page, in milliseconds."""
        half = 60_000 / 2
        return (
            f"people at half load: {half / (self.primary + PAGES_PER_SEND * page):,.0f} for each core of the primary, "
            f"{half / self.replay:,.0f} until the replica cannot repeat their sends"
        )


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
        with running_service(self.settings), httpx.Client(base_url=url, headers=headers, timeout=60) as client:
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
        return cyclic_load(url, file, self._requests(), connections=CONNECTIONS)

    def sends(self, url: str, file: Path) -> Load:
        """Return a load of sends."""
        return cyclic_load(url, file, self._requests(json.dumps({"text": WORDS})), connections=CONNECTIONS)

    def row(
        self, name: str, load: Callable[[str, Path], Load], *, servers: int = 1, replicas: str | None = None
    ) -> Row:
        """Measure a load on several servers."""
        with ExitStack() as stack:
            loads, serving = list[Load](), list[psutil.Process]()
            for number in range(servers):
                port = free_port()
                settings = self.settings.with_changes(port=port, database_replicas=replicas)
                serving.append(stack.enter_context(running_service(settings))[0])
                loads.append(load(f"http://127.0.0.1:{port}", self.folder / f"requests-{number}"))
            nodes = self.cluster.primary, self.cluster.replica
            primary, replica = ([node.postmaster] for node in nodes)
            return _row(name, loads, {"primary": primary, "replica": replica, "http": serving})

    def whole_send(self) -> Whole:
        """Measure sends until the last of them is indexed and repeated."""
        with running_service(self.settings):
            load = self.sends(f"http://127.0.0.1:{self.settings.port}", self.folder / "requests")
            measure(load, 2)
            before = self._usage()
            sent = measure(load, SECONDS).rps * SECONDS
            spent = [(after - each) / sent for each, after in zip(before, self._usage(), strict=True)]
        return Whole(1000 * spent[0], 1000 * spent[1], spent[2] / 1000)

    def _usage(self) -> list[float]:
        """Return the seconds of the primary and of the replay, and the bytes of the log, once nothing is to be done."""
        primary, replica = self.cluster.primary, self.cluster.replica
        with psycopg.connect(primary.url, autocommit=True) as db:  # one connection: each new one costs milliseconds
            wait_until(lambda: db.execute(UNINDEXED).fetchone() == (0,), "all messages are indexed", 600)
        written = float(str(primary.ask(WRITTEN)))
        wait_until(lambda: replica.ask(f"select pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= {written}"))
        replay = psutil.Process(int(str(replica.ask(REPLAY))))
        return [_seconds(primary.postmaster), _seconds(replay), written]


def main() -> None:
    """Print the table."""
    require_wrk()
    with running_cluster() as (cluster, settings):
        bench = Bench(cluster, settings)
        bench.fill()
        print(
            f"{'processor time of a request, ms':<44}{'primary':>9}{'replica':>9}{'http':>9}{'p50 ms':>9}{'p99 ms':>9}"
        )
        pages = [bench.row(f"pages, {servers} serve", bench.pages, servers=servers) for servers in (1, 2, 3)]
        print(*pages, sep="\n", flush=True)
        print(bench.row("pages, answered by the replica", bench.pages, replicas=cluster.replica.url), flush=True)
        for servers in (1, 2, 3):
            print(bench.row(f"sends, {servers} serve", bench.sends, servers=servers), flush=True)
        whole = bench.whole_send()
        print(whole, whole.people(pages[0].primary), sep="\n", flush=True)
        cluster.primary.ask("alter database atrium set synchronous_commit = remote_apply")
        print(bench.row("sends, synchronous_commit = remote_apply", bench.sends), flush=True)


if __name__ == "__main__":
    main()

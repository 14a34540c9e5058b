"""Of several hosts, the one that accepts writes is used; of those that hang or are down, none hides it."""

import asyncio
import socket
from collections.abc import Iterator

import httpx
import pytest

from atrium.kit.clock import utc_now
from atrium.kit.postgres.hosts import Cluster, Host, NoPrimary, cluster_of, connect, hosts_of, writable
from atrium.kit.settings import Settings
from atrium.operations.checks import Verdict
from atrium.operations.checks.database import check_database
from atrium.operations.checks.replication import check_replication
from atrium.operations.replication import Replica, Replication
from tests.conftest import running_server
from tests.faults.cluster import Cluster as RunningCluster
from tests.faults.cluster import running_cluster
from tests.wait_until import wait_until

PORT = "select inet_server_port()"


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[RunningCluster, Settings]]:
    with running_cluster() as made:
        yield made


@pytest.fixture
def silent() -> Iterator[int]:
    """Yield a port where connections are accepted, and nothing answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Yield a port that refuses connections."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def url_of(*ports: int) -> str:
    return f"postgresql://postgres@{','.join(f'127.0.0.1:{port}' for port in ports)}/atrium"


async def port_of(url: str) -> object:
    db = await connect(url)
    try:
        return await db.fetchval(PORT)
    finally:
        await db.close()


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("postgresql://a:b@one:1,two:2/x", [("one", 1), ("two", 2)]),
        ("postgresql://a@one,two/x", [("one", 5432), ("two", 5432)]),
        ("postgresql://a@one,two:6/x", [("one", 5432), ("two", 6)]),
        ("postgresql:///x?host=/run/a,/run/b&port=7", [("/run/a", 7), ("/run/b", 7)]),
        ("postgresql://a:b@one:1/x", []),
    ],
)
def test_the_hosts_of_a_url(url: str, hosts: list[tuple[str, int]]) -> None:
    assert hosts_of(url) == [Host(number, *each) for number, each in enumerate(hosts, start=1)]
    assert bool(writable(url)) == bool(hosts)


@pytest.mark.parametrize("url", ["postgresql://a,b:x/y", "postgresql://a,b/x?port=1,2,3", "http://a,b"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="PostgreSQL URL"):
        hosts_of(url)


@pytest.mark.contract("Operations 2")
def test_the_host_that_accepts_writes_is_found_behind_those_that_do_not(
    cluster: tuple[RunningCluster, Settings], silent: int, closed_port: int
) -> None:
    running, _ = cluster
    primary, replica = running.primary.port, running.replica.port
    for ports in (
        (primary, replica),
        (replica, primary),
        (closed_port, primary),
        (silent, closed_port, replica, primary),
    ):
        assert asyncio.run(port_of(url_of(*ports))) == primary, ports


@pytest.mark.contract("Operations 2")
def test_without_such_a_host_each_is_named_with_the_reason(
    cluster: tuple[RunningCluster, Settings], silent: int, closed_port: int
) -> None:
    running, _ = cluster
    replica = running.replica.port
    with pytest.raises(NoPrimary) as refused:
        asyncio.run(port_of(url_of(silent, closed_port, replica)))
    text = str(refused.value)
    assert f"127.0.0.1:{silent}: does not answer" in text
    assert f"127.0.0.1:{replica}: a replica" in text
    assert f"127.0.0.1:{closed_port}: refuses connections" in text


@pytest.mark.contract("Operations 2")
def test_a_former_primary_is_not_used_again(cluster: tuple[RunningCluster, Settings]) -> None:
    running, _ = cluster

    async def visit() -> None:
        hosts = Cluster(running.url)
        first = await hosts.connect()
        hosts._learn(hosts.hosts[1], 7)  # a promotion that this process has seen
        assert first.is_closed()
        with pytest.raises(NoPrimary, match="a former primary"):
            await hosts.connect()

    asyncio.run(visit())


@pytest.mark.contract("Operations 9")
def test_probes_and_doctor_say_which_host_answers_and_whether_commits_wait(
    cluster: tuple[RunningCluster, Settings],
) -> None:
    running, settings = cluster
    caught_up = {"host": 1, "replicas": [{"behind_bytes": 0, "synchronous": True}], "commits_wait": True}
    with running_server(settings) as server:
        wait_until(
            lambda: httpx.get(f"{server.url}/readyz", timeout=60).json() == {"status": "ready", "database": caught_up},
            "the replica has caught up",
        )

    async def findings() -> dict[str, tuple[Verdict, str]]:
        changed = settings.with_changes(database_replicas=running.replica.url)
        return {each.check: (each.verdict, each.summary) async for each in check_database(changed, utc_now)}

    cluster_of.cache_clear()
    found = asyncio.run(findings())
    assert found["database host"] == (
        Verdict.OK,
        f"127.0.0.1:{running.primary.port} accepts writes (host 1 of 2 in the URL)",
    )
    assert found["replica"][1].startswith("walreceiver is streaming, ")
    assert found["replica reads"] == (Verdict.OK, "the replica can answer reads")
    assert found["commits"] == (Verdict.OK, "wait until a replica has them")


HOST = Host(2, "db2", 5432)
BEHIND = Replica("db1", "streaming", 100 << 20, synchronous=False)
UNKNOWN = Replica("db1", None, None, synchronous=False)


@pytest.mark.contract("Operations 9")
@pytest.mark.parametrize(
    ("seen", "verdicts"),
    [
        (Replication(None, 0, [], commits_wait=False), []),
        (Replication(HOST, 2, [], commits_wait=False), ["ok", "warn", "warn"]),
        (Replication(HOST, 2, [], commits_wait=True), ["ok", "warn", "fail"]),
        (Replication(None, 0, [BEHIND], commits_wait=False), ["warn", "warn"]),
        (Replication(HOST, 2, [BEHIND], commits_wait=True), ["ok", "warn", "fail"]),
        (Replication(HOST, 2, [UNKNOWN], commits_wait=True), ["ok", "warn", "ok"]),
    ],
)
def test_what_would_lose_or_stop_messages_is_reported(seen: Replication, verdicts: list[str]) -> None:
    assert [str(each.verdict) for each in check_replication(seen)] == verdicts

"""The replicas of the database, and whether a commit waits for one."""

from collections.abc import Sequence
from typing import NamedTuple

from atrium.kit.postgres.database import Connection, Pool
from atrium.kit.postgres.hosts import Host, cluster_of
from atrium.operations import queries


class Replica(NamedTuple):
    """A connected replica. Without the role `pg_monitor`, PostgreSQL tells no state and no bytes."""

    name: str
    state: str | None
    behind_bytes: int | None
    synchronous: bool


class Replication(NamedTuple):
    """The host that answers, if the URL has several, and its replicas."""

    host: Host | None
    hosts: int
    replicas: Sequence[Replica]
    commits_wait: bool


async def replication_of(db: "Connection | Pool", url: str) -> Replication:
    """Return the replication of the database at `url`, as `db`, a connection or a pool, sees it."""
    rows = await db.fetch(queries.REPLICAS)
    waits: bool = await db.fetchval(queries.COMMITS_WAIT)
    cluster = cluster_of(url)
    return Replication(cluster.current, len(cluster.hosts), [Replica(*row) for row in rows], waits)

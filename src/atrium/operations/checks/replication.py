"""Checks of the replicas of the database."""

from collections.abc import AsyncIterator, Iterator

import asyncpg

from atrium.kit.postgres.database import Connection
from atrium.kit.postgres.replicas import Replicas, position_of
from atrium.operations.checks import Finding, fail, ok, warn
from atrium.operations.replication import Replica, Replication

FAR_BEHIND = 64 << 20  # bytes of the write-ahead log
GRANT = "Let Atrium's database user see it: GRANT pg_monitor TO its name."


def check_replication(seen: Replication) -> Iterator[Finding]:
    """Yield the findings about the hosts of a cluster; none for a database on its own."""
    if seen.host is not None:
        yield ok("database host", f"{seen.host} accepts writes (host {seen.host.number} of {seen.hosts} in the URL)")
    if seen.host is not None and not seen.replicas:
        yield warn("replicas", "none is connected", "No host can take over. See the manager of your cluster.")
    for replica in seen.replicas:
        yield _replica(replica)
    if seen.host is not None or seen.replicas:
        yield _commits(seen)


async def check_reads(primary: Connection, replicas: Replicas) -> AsyncIterator[Finding]:
    """Yield whether each host of ATRIUM_DATABASE_REPLICAS can answer reads."""
    for replica in replicas.all:
        try:
            async with replica.at(await position_of(primary)):
                yield ok("replica reads", f"{replica.name} can answer reads")
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            reason = " ".join(str(error).split()) or "it is too far behind, follows another primary, or does not answer"
            yield warn("replica reads", f"{replica.name} cannot: {reason}", "The other hosts answer its reads.")


def _replica(replica: Replica) -> Finding:
    if replica.behind_bytes is None:
        return warn("replica", f"{replica.name}, how far is not known", GRANT)
    summary = f"{replica.name} is {replica.state}, {replica.behind_bytes:,} bytes behind"
    if replica.behind_bytes > FAR_BEHIND:
        return warn("replica", summary, "It may be too slow, or its network is. If it took over, this would be lost.")
    return ok("replica", summary)


def _commits(seen: Replication) -> Finding:
    waited_for = sum(each.synchronous for each in seen.replicas)
    if not seen.commits_wait:
        advice = "A failover can lose the newest messages. Turn on synchronous replication in the manager."
        return warn("commits", "wait for no replica", advice)
    if not waited_for and all(each.state is not None for each in seen.replicas):
        advice = "Messages cannot be sent until a replica connects, or synchronous_standby_names is empty."
        return fail("commits", "wait for a replica, and no synchronous one is connected", advice)
    return ok("commits", "wait until a replica has them")

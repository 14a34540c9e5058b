"""Fail over again and again under load: the primary and its Patroni are killed, or hang, in turn.

Nothing acknowledged may be lost or doubled. Each round prints how long nothing was acknowledged.
"""

import argparse
import asyncio
import signal
import sys
import time

import psycopg

from atrium.kit.settings import Settings
from tests.conftest import free_port
from tests.failover.patroni import PASSWORD, Member, PatroniCluster, running_patroni
from tests.faults.chaos.load import Load
from tests.faults.chaos.run import SETTINGS, Condition, progress, run_through, until
from tests.faults.chaos.service import Service

FAULTS = (("is killed", signal.SIGKILL), ("hangs", signal.SIGSTOP))
EVERY = 0.02  # seconds


def main() -> None:
    """Run the failovers, and exit with 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.failover", description=__doc__)
    parser.add_argument("patroni", help="the program of Patroni")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with running_patroni() as (cluster, folder):
        _create_database(cluster)
        settings = Settings(
            data_dir=folder / "atrium",
            database_url=cluster.url,
            port=free_port(),
            rate_limit=0,
            database_replicas=cluster.url,
        )
        settings.data_dir.mkdir()

        async def faults(_service: Service, load: Load) -> None:
            for number in range(options.rounds):
                print(f"round {number + 1}: {await _fail_over(cluster, load, number)}", flush=True)

        record = asyncio.run(run_through(faults, settings.with_changes(**SETTINGS), 18, print))
    sys.exit(1 if record.violations or record.stream_violations else 0)


def _create_database(cluster: PatroniCluster) -> None:
    leader = cluster.leader()
    assert leader
    with psycopg.connect(f"postgresql://postgres:{PASSWORD}@127.0.0.1:{leader.port}/postgres", autocommit=True) as db:
        db.execute("create database atrium")


async def _fail_over(cluster: PatroniCluster, load: Load, number: int) -> str:
    """Let the primary fail, wait until messages are acknowledged again, and let it return as a replica."""
    fault, sent = FAULTS[number % len(FAULTS)]
    record = load.record
    await asyncio.to_thread(cluster.wait_until_whole)
    await progress(record, "the round before")
    old = await asyncio.to_thread(cluster.leader)
    assert old
    [other] = [each for each in cluster.members if each is not old]
    old.signal(sent)
    failed_at = time.monotonic()
    promoted_at = await _moment(lambda: asyncio.to_thread(other.is_role, "leader"), "the replica is promoted")
    before = len(record.acknowledged)

    async def has_acknowledged() -> bool:
        return len(record.acknowledged) > before

    again_at = await _moment(has_acknowledged, "messages are acknowledged")
    await progress(record, "the promotion")
    await asyncio.to_thread(_return, old, sent)
    return (
        f"the primary {fault}: promoted after {promoted_at - failed_at:.1f} s, "
        f"acknowledged again {again_at - promoted_at:.2f} s later"
    )


async def _moment(condition: Condition, what: str) -> float:
    """Wait until a condition holds; return when it did, in seconds of the monotonic clock."""
    await until(condition, what, every=EVERY)
    return time.monotonic()


def _return(member: Member, fault: signal.Signals) -> None:
    """Let a member return to the cluster."""
    if fault == signal.SIGSTOP:
        member.signal(signal.SIGCONT)
    else:
        member.start()


main()

"""A replica takes over from a primary that is killed, or hangs, under load.

Nothing acknowledged is lost or doubled, streams are whole, and webhooks are sent once each, or again under the same id.
The seconds until messages are acknowledged again are printed.
"""

import asyncio
import signal
import time

import pytest

from tests.faults.chaos.load import Load
from tests.faults.chaos.run import SETTINGS, progress, run_through, until
from tests.faults.chaos.service import Service
from tests.faults.cluster import running_cluster

PROCESSES = 3  # two HTTP processes and the worker
MOVED = "another database host accepts writes"
FAULTS = {"is killed": signal.SIGKILL, "hangs": signal.SIGSTOP}


async def has_moved(service: Service) -> bool:
    return service.log.read_text().count(MOVED) >= PROCESSES


@pytest.mark.contract("Operations 3")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fault", FAULTS)
def test_another_host_takes_over_from_a_primary_that(fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    with running_cluster() as (cluster, settings):

        async def fail_over(service: Service, load: Load) -> None:
            record = load.record
            await progress(record, "the start")
            failed_at = time.monotonic()
            cluster.primary.signal(FAULTS[fault])
            promoted_at = await asyncio.to_thread(cluster.promote)
            before = len(record.acknowledged)

            async def has_acknowledged() -> bool:
                return len(record.acknowledged) > before

            await until(has_acknowledged, "a message is acknowledged after the promotion", every=0.01)
            now = time.monotonic()
            lines.append(
                f"the primary {fault}: messages are acknowledged again {now - promoted_at:.2f} s after the promotion, "
                f"{now - failed_at:.2f} s after the fault"
            )
            await progress(record, "the promotion")
            await until(lambda: has_moved(service), "each process has left the old primary")
            cluster.primary.signal(signal.SIGCONT)  # one that hung continues: nobody may listen to it
            await progress(record, "the old primary continues")
            async with load.client() as client:
                state = (await client.get("/readyz")).json()["database"]
            assert state == {"host": 2, "replicas": [], "commits_wait": False}
            cluster.primary.signal(signal.SIGKILL)  # until its manager ends it

        record = asyncio.run(
            run_through(fail_over, settings.with_changes(**SETTINGS, database_replicas=cluster.url), 18, lines.append)
        )
    with capsys.disabled():
        print(f"\n{lines[0]}")
    assert not record.violations, "\n".join(lines)
    assert not record.stream_violations, "\n".join(lines)
    assert record.walks

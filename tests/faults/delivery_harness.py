"""A running server whose delivery worker is suspended, and workers to kill in its place."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil
import psycopg

from atrium.kit.clock import utc_now
from atrium.kit.postgres.database import open_pool
from atrium.kit.settings import Settings
from atrium.webhooks.delivery.worker import LEASE
from atrium.webhooks.queue.events import EventQueue
from atrium.webhooks.queue.queries import HAS_EVENTS
from tests.conftest import (
    ATRIUM,
    Api,
    RunningServer,
    new_organization,
)
from tests.faults.receivers import Receiver, loopback, respond_204
from tests.faults.running import LET_LEASES_END, running_atrium, worker_of
from tests.faults.subscribing import subscribe
from tests.wait_until import wait_until

SENT = 5  # fewer than the maximum of concurrent attempts of one webhook
SUCCEEDED = "DELIVERY_STATUS_SUCCEEDED"
WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
RUNNING = """
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and backend_type = 'client backend' and state = 'active'
"""
CLAIMING = """
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and state = 'active' and query like '%with open as materialized%'
"""
# Lets a test block a statement that has changed rows of a table and not yet committed. A lock on the table would
# block it earlier, while it is prepared.
HOLD_BACK = """
create or replace function held_back() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(1);
    return null;
end $$;
create trigger held_back after insert or update on {} for each statement execute function held_back();
select pg_advisory_lock(1)
"""
LET_GO = "select pg_advisory_unlock(1)"


@dataclass
class Harness:
    """A running server whose own delivery worker is suspended, a webhook of its first space, and its receiver."""

    running: RunningServer
    api: Api
    webhook_id: str
    receiver: Receiver

    @property
    def settings(self) -> Settings:
        return self.running.settings

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.settings.database_url or "", autocommit=True)

    def sql(self, statement: str) -> list[Any]:
        with self.connect() as db:
            return [row[0] for row in db.execute(statement.encode()).fetchall()]

    def send(self, count: int = SENT) -> list[str]:
        """Send messages and return their ids once acknowledged."""
        return [self.api.send(f"m{number}")["message_id"] for number in range(count)]

    def queue(self) -> None:
        """Queue the events up to now, as a worker does before it claims."""
        asyncio.run(_queue_events(self.settings.database_url or ""))

    def is_queued(self) -> bool:
        """Return whether no event is still to be queued."""
        return self.sql(HAS_EVENTS) == [False]

    def count_leased(self) -> int:
        [count] = self.sql("select count(*) from due_deliveries where leased")
        return int(count)

    def let_leases_end(self) -> None:
        """End all leases as if a minute had passed."""
        wait_until(lambda: self.sql(CLAIMING) == [0], "no claim of a dead worker is about to commit")
        with self.connect() as db:
            [longest] = db.execute("select coalesce(max(due_at - now()), '0') from due_deliveries where leased")
            assert longest[0] <= LEASE, "nothing would be stuck for longer"
            db.execute(LET_LEASES_END)

    def waiting_backends(self) -> list[int]:
        """Return the backends of this database that wait for a lock."""
        return self.sql(WAITING)

    def end_waiting(self) -> None:
        """End the statements that a dead client left waiting, as a broken network or machine would."""
        self.sql(f"select pg_terminate_backend(pid) from ({WAITING}) waiting")

    def is_idle(self) -> bool:
        """Return whether no statement runs: one that no longer waits for a lock may still have to commit."""
        return self.sql(RUNNING) == [0]

    def is_settled(self) -> bool:
        """Return whether all events are queued, and all their deliveries have ended."""
        return self.is_queued() and self.sql("select count(*) from due_deliveries") == [0]

    def assert_delivered(self, messages: list[str], at_most: int) -> None:
        """Assert that each message's event arrived, identical and at most `at_most` times, and that the log agrees."""
        wait_until(self.is_settled, "every delivery ends")
        times = Counter(self.receiver.delivery_ids)
        assert {each.message_id for each in self.receiver.requests} == set(messages)
        assert len(times) == len(messages)
        assert max(times.values(), default=0) <= at_most
        assert len({(each.delivery_id, each.body) for each in self.receiver.requests}) == len(messages)
        log = self.log()
        assert {entry["delivery_id"] for entry in log} == set(times)
        assert {entry["status"] for entry in log} == {SUCCEEDED}

    def log(self) -> list[dict[str, Any]]:
        """Return the complete delivery log."""
        path, client, entries = f"{self.api.organization}/webhooks/{self.webhook_id}/logs", self.api.person, []
        cursor: str | None = None
        while True:
            page = client.get(path, params={"limit": 100} | ({"cursor": cursor} if cursor else {}))
            assert page.status_code == 200, page.text
            entries += page.json()["logs"]
            cursor = page.json()["next_cursor"]
            if cursor is None:
                return entries


async def _queue_events(url: str) -> None:
    async with await open_pool(url, size=1) as pool:
        events = EventQueue(pool)
        while await events.queue_next(utc_now()):
            pass


@contextmanager
def running_harness(settings: Settings) -> Iterator[Harness]:
    """Run a harness with its own server, which may be killed."""
    with running_atrium(settings) as running, suspended(worker_of(running)), harness_on(running) as harness:
        yield harness


@contextmanager
def harness_on(running: RunningServer) -> Iterator[Harness]:
    with loopback() as here:
        receiver, api = here.receiver(respond_204), new_organization(running.settings, running.url)
        yield Harness(running, api, subscribe(api, receiver), receiver)
        api.close()


@contextmanager
def suspended(process: psutil.Process) -> Iterator[None]:
    process.suspend()
    try:
        yield
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.resume()


@contextmanager
def running_worker(settings: Settings) -> Iterator[psutil.Popen]:
    """Run `atrium worker` as an operator does; kill it at the end if it still runs."""
    log = settings.data_dir / f"worker-{os.urandom(3).hex()}.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    with log.open("w") as file:
        process = psutil.Popen(
            [ATRIUM, "worker"], env=environment | settings.environment(), stdout=file, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


def kill(worker: psutil.Popen) -> None:
    worker.kill()
    assert worker.wait(10) == -signal.SIGKILL


def family_of(running: RunningServer) -> list[psutil.Process]:
    """Return all processes of a server."""
    return [psutil.Process(running.process.pid), *psutil.Process(running.process.pid).children(recursive=True)]

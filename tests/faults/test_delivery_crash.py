"""After any kill during deliveries, nothing is lost, nothing is stuck past its lease, and repeated deliveries have the
same
id and bytes.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from atrium.kit.postgres import locks
from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from atrium.webhooks.delivery_worker import LEASE
from tests.conftest import (
    ATRIUM,
    Api,
    RunningServer,
    free_port,
    new_organization,
    own_postgres,
)
from tests.faults.receivers import Behaviour, Receiver, accept_only, loopback, respond_204, respond_when_released
from tests.faults.running import LET_LEASES_END, kill_all, postmaster_of, serving, texts_of, worker_of
from tests.faults.subscribing import a_place, subscribe
from tests.messages.concurrent import callers
from tests.wait_until import wait_until

SENT = 5  # fewer than the maximum of concurrent attempts of one webhook
SUCCEEDED = "DELIVERY_STATUS_SUCCEEDED"
WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
RUNNING = """
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and backend_type = 'client backend' and state = 'active'
"""
LISTENING = f"""
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and (query ilike 'listen%' or query like '%advisory%({locks.AWAKE_WORKER})')
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
FORGET = (
    "drop function if exists held_back cascade; truncate webhooks, deliveries, due_deliveries, webhook_health cascade"
)


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

    def leased(self) -> int:
        [count] = self.sql("select count(*) from due_deliveries where leased")
        return int(count)

    def let_leases_end(self) -> None:
        """End all leases as if a minute had passed."""
        wait_until(lambda: self.sql(CLAIMING) == [0], "no claim of a dead worker is about to commit")
        with self.connect() as db:
            [longest] = db.execute("select coalesce(max(due_at - now()), '0') from due_deliveries where leased")
            assert longest[0] <= LEASE, "nothing would be stuck for longer"
            db.execute(LET_LEASES_END)

    def waiting(self) -> list[int]:
        """Return the backends of this database that wait for a lock."""
        return self.sql(WAITING)

    def end_waiting(self) -> None:
        """End the statements that a dead client left waiting, as a broken network or machine would."""
        self.sql(f"select pg_terminate_backend(pid) from ({WAITING}) waiting")

    def is_idle(self) -> bool:
        """Return whether no statement runs: one that no longer waits for a lock may still have to commit."""
        return self.sql(RUNNING) == [0]

    def is_settled(self) -> bool:
        return self.sql("select count(*) from due_deliveries") == [0]

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


@contextmanager
def running_harness(settings: Settings) -> Iterator[Harness]:
    """Run a harness with its own server, which may be killed."""
    with serving(settings) as running, standing_still(worker_of(running)), harness_on(running) as harness:
        yield harness


@contextmanager
def harness_on(running: RunningServer) -> Iterator[Harness]:
    with loopback() as here:
        receiver, api = here.receiver(respond_204), new_organization(running.settings, running.url)
        yield Harness(running, api, subscribe(api, receiver), receiver)
        api.close()


@pytest.fixture(scope="module")
def standing_server(settings: Settings) -> Iterator[RunningServer]:
    """Run a server with a suspended delivery worker, for tests that only kill workers."""
    with a_place(settings) as place, serving(place) as running, standing_still(worker_of(running)):
        yield running


@pytest.fixture
def harness(standing_server: RunningServer) -> Iterator[Harness]:
    """Return a harness without deliveries of other tests."""
    with harness_on(standing_server) as made:
        yield made
        made.end_waiting()
        with made.connect() as db:
            db.execute(FORGET)


@contextmanager
def standing_still(process: psutil.Process) -> Iterator[None]:
    process.suspend()
    try:
        yield
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.resume()


@contextmanager
def working(settings: Settings) -> Iterator[psutil.Popen]:
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


@pytest.fixture
def own_place(settings: Settings) -> Iterator[Settings]:
    with a_place(settings) as place:
        yield place


@pytest.mark.parametrize("commits", [False, True])
def test_a_worker_killed_while_claiming_has_sent_nothing_and_the_next_one_sends_each_once(
    harness: Harness, commits: bool
) -> None:
    """A claim of a dead worker still commits if its statement was sent; then its lease must end first."""
    with harness.connect() as holding:
        messages = harness.send()
        holding.execute(HOLD_BACK.format("due_deliveries").encode())
        with working(harness.settings) as worker:
            wait_until(harness.waiting, "the claim waits with its rows changed")
            kill(worker)
        if not commits:
            harness.end_waiting()
        holding.execute(LET_GO)
        wait_until(harness.is_idle, "the dead worker's statement ends")
        assert harness.receiver.connections == 0
        assert harness.leased() == (SENT if commits else 0)
        harness.let_leases_end()
        with working(harness.settings):
            harness.assert_delivered(messages, at_most=1)


@pytest.mark.parametrize(("behave", "at_most"), [(accept_only, 1), (respond_when_released, 2)])
def test_deliveries_of_a_worker_killed_while_sending_are_sent_again_when_their_lease_ends(
    harness: Harness, behave: Behaviour, at_most: int
) -> None:
    harness.receiver.behave = behave
    messages = harness.send()
    with working(harness.settings) as worker:
        wait_until(lambda: harness.receiver.connections == SENT, "every call is under way")
        wait_until(lambda: len(harness.receiver.requests) == SENT * (at_most - 1), "what is read has been read")
        kill(worker)
    harness.receiver.behave = respond_204
    with working(harness.settings):
        late = harness.send(1)
        wait_until(lambda: late[0] in [each.message_id for each in harness.receiver.requests], "others go on")
        wait_until(lambda: harness.leased() == SENT, "the others are recorded, and nobody takes what is leased")
        harness.let_leases_end()
        harness.assert_delivered(messages + late, at_most=at_most)
    assert len(harness.receiver.requests) == SENT * at_most + 1


@pytest.mark.parametrize("recorded", [False, True])
def test_a_worker_killed_before_recording_the_response_causes_at_most_one_duplicate(
    harness: Harness, recorded: bool
) -> None:
    """The record of a dead worker still commits if its statement was sent."""
    with harness.connect() as holding:
        messages = harness.send()
        holding.execute(HOLD_BACK.format("deliveries").encode())
        with working(harness.settings) as worker:
            wait_until(lambda: len(harness.receiver.requests) == SENT, "all are answered")
            wait_until(harness.waiting, "the record waits")
            kill(worker)
        if not recorded:
            harness.end_waiting()
            wait_until(harness.is_idle, "the dead worker's statements end")
        holding.execute(LET_GO)
        wait_until(harness.is_idle, "nothing waits")
        wait_until(lambda: (harness.leased() < SENT) == recorded, "what was on its way is recorded")
        harness.let_leases_end()
        with working(harness.settings):
            harness.assert_delivered(messages, at_most=2)
        if recorded:
            assert len(harness.receiver.requests) < 2 * SENT
        else:
            assert len(harness.receiver.requests) == 2 * SENT


def test_a_terminated_worker_finishes_its_deliveries_and_every_event_arrives_once(harness: Harness) -> None:
    harness.receiver.behave = respond_when_released
    messages = harness.send()
    with working(harness.settings) as worker:
        wait_until(lambda: len(harness.receiver.requests) == SENT, "every call is under way")
        [listening] = harness.sql(LISTENING)
        worker.send_signal(signal.SIGTERM)
        wait_until(lambda: harness.sql(LISTENING) == [listening - 1], "it looks for nothing more")
        late = harness.send(1)
        assert worker.poll() is None, "it waits for the answers"
        harness.receiver.release()
        assert worker.wait(40) == 0
    assert harness.sql("select count(*) from due_deliveries") == [1], "what it had begun is recorded"
    assert len(harness.receiver.requests) == SENT
    with working(harness.settings):
        harness.assert_delivered(messages + late, at_most=1)


def test_a_rolled_back_send_leaves_no_message_and_no_event(harness: Harness) -> None:
    with harness.connect() as holding, ThreadPoolExecutor() as aside:
        holding.execute(HOLD_BACK.format("due_deliveries").encode())
        answer = aside.submit(harness.api.person.post, harness.api.messages, json={"text": "lost"})
        wait_until(harness.waiting, "the send waits with its rows written")
        harness.end_waiting()
        refused = answer.result(60)
        holding.execute(LET_GO)
        assert refused.status_code == 503, refused.text
        assert texts_of(harness.api) == []
        assert harness.sql("select count(*) from deliveries") == [0]
        messages = harness.send(1)
        with working(harness.settings):
            harness.assert_delivered(messages, at_most=1)


@pytest.mark.parametrize("commits", [False, True])
def test_a_send_whose_server_was_killed_leaves_the_message_and_its_event_or_neither(
    own_place: Settings, commits: bool
) -> None:
    """The error does not tell which."""
    with running_harness(own_place) as harness, harness.connect() as holding, ThreadPoolExecutor() as aside:
        holding.execute(HOLD_BACK.format("due_deliveries").encode())
        answer = aside.submit(harness.api.person.post, harness.api.messages, json={"text": "unanswered"})
        wait_until(harness.waiting, "the send waits with its rows written")
        kill_all(family_of(harness.running))
        assert isinstance(answer.exception(60), httpx.TransportError)
        if not commits:
            harness.end_waiting()
        holding.execute(LET_GO)
        wait_until(harness.is_idle, "the dead server's statement ends")
        written = harness.sql("select message_id::text from messages")
        assert len(written) == commits
        with serving(own_place):
            assert texts_of(harness.api) == ["unanswered"] * len(written)
            harness.assert_delivered([*written, *harness.send(1)], at_most=1)


def family_of(running: RunningServer) -> list[psutil.Process]:
    """Return all processes of a server."""
    return [psutil.Process(running.process.pid), *psutil.Process(running.process.pid).children(recursive=True)]


def test_messages_acknowledged_before_a_crash_are_delivered_after_the_restart(
    own_place: Settings,
) -> None:
    with running_harness(own_place) as harness:
        messages = harness.send()
        kill_all(family_of(harness.running))
        assert harness.receiver.requests == []
        with serving(own_place):
            harness.assert_delivered(messages, at_most=1)


async def _send(api: Api, senders: int, count: int) -> tuple[list[str], int]:
    """Send `count` messages from each of `senders` concurrently. Return the acknowledged ids and the number of
    errors.
    """
    acknowledged: list[str] = []
    refused: list[int] = []

    async def send(number: int, client: httpx.AsyncClient) -> None:
        for turn in range(count):
            answer = await client.post(api.messages, json={"text": f"{number} {turn}"})
            if answer.status_code == 201:
                acknowledged.append(answer.json()["message_id"])
            else:
                assert answer.status_code == 503, answer.text
                refused.append(answer.status_code)

    async with callers(api, senders) as clients:
        await asyncio.gather(*(send(number, client) for number, client in enumerate(clients)))
    return acknowledged, len(refused)


def test_after_postgresql_is_killed_during_deliveries_every_event_is_delivered() -> None:
    with ExitStack() as stack:
        settings = stack.enter_context(own_postgres()).with_changes(port=free_port(), workers=2)
        harness = stack.enter_context(running_harness(settings))
        stack.enter_context(working(settings))
        aside = stack.enter_context(ThreadPoolExecutor())
        sending = aside.submit(asyncio.run, _send(harness.api, 10, 60))
        wait_until(lambda: len(harness.receiver.requests) >= 100, "deliveries are in full swing")
        postmaster = postmaster_of(settings)
        kill_all([postmaster, *postmaster.children(recursive=True)])
        acknowledged, _ = sending.result(120)
        with embedded_postgres(settings.data_dir):  # the outer one stops it
            wait_until(lambda: _is_served(harness), "the service goes on")
            acknowledged += harness.send(1)
            harness.let_leases_end()
            written = harness.sql("select message_id::text from messages")
            assert set(acknowledged) <= set(written)
            harness.assert_delivered(written, at_most=2)


def _is_served(harness: Harness) -> bool:
    answer = harness.api.person.get(harness.api.messages)
    return answer.is_success


def test_five_thousand_concurrent_sends_each_arrive_as_one_event_although_the_workers_are_killed(
    own_place: Settings,
) -> None:
    with running_harness(own_place) as harness, ThreadPoolExecutor() as aside:
        sending = aside.submit(asyncio.run, _send(harness.api, 50, 100))
        for enough in (700, 1800, 3000):
            with working(harness.settings) as one, working(harness.settings) as other:
                wait_until(_has(harness.receiver, enough), f"{enough} deliveries have come")
                kill(one)
                kill(other)
            harness.let_leases_end()
        with working(harness.settings), working(harness.settings):
            acknowledged, refused = sending.result(120)
            assert (len(set(acknowledged)), refused) == (5000, 0)
            wait_until(_has(harness.receiver, 5000), "all have come")
            wait_until(harness.is_settled, "every delivery ends")
        assert {each.message_id for each in harness.receiver.requests} == set(acknowledged)
        assert len(set(harness.receiver.delivery_ids)) == 5000
        assert len({(each.delivery_id, each.body) for each in harness.receiver.requests}) == 5000
        statuses = "select distinct status::text from deliveries"
        assert (harness.sql(statuses), harness.sql("select count(*) from deliveries")) == ([SUCCEEDED], [5000])


def _has(receiver: Receiver, count: int) -> Callable[[], bool]:
    return lambda: len(set(receiver.delivery_ids)) >= count


def test_killed_workers_leave_the_chart_a_few_attempts_behind_the_log_and_never_ahead(harness: Harness) -> None:
    def counted() -> int:
        [attempts] = harness.sql("select coalesce(sum(attempts), 0) from webhook_health")
        return int(attempts)

    with working(harness.settings) as first, working(harness.settings) as second:
        messages = harness.send(12)
        wait_until(lambda: counted() == 12, "both workers have written what they counted")
        messages += harness.send()
        wait_until(harness.is_settled, "the deliveries end")
        kill(first)
        kill(second)
    before = counted()
    with working(harness.settings):
        messages += harness.send()
        wait_until(lambda: counted() >= before + SENT, "a new worker goes on counting")
    harness.assert_delivered(messages, at_most=2)
    assert counted() <= sum(len(entry["attempts"]) for entry in harness.log())

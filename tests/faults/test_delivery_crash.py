"""After any kill during deliveries nothing is lost, and nothing is stuck past its lease or delivered with other bytes."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from atrium.kit.postgres import locks
from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from tests.conftest import (
    Api,
    RunningServer,
    free_port,
    own_postgres,
)
from tests.faults.delivery_harness import (
    HOLD_BACK,
    LET_GO,
    SENT,
    SUCCEEDED,
    Harness,
    family_of,
    harness_on,
    kill,
    running_harness,
    running_worker,
    suspended,
)
from tests.faults.receivers import Behaviour, Receiver, accept_only, respond_204, respond_when_released
from tests.faults.running import kill_all, postmaster_of, running_atrium, texts_of, worker_of
from tests.faults.subscribing import a_place
from tests.messages.concurrent import callers
from tests.wait_until import wait_until

LISTENING = f"""
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and (query ilike 'listen%' or query like '%advisory%({locks.AWAKE_WORKER})')
"""
EVENTS = "select count(*) from live_events where room_id = '{}' and kind = 'message.sent'"
# Blocks a transaction that changes rows of a table, as HOLD_BACK does, but while it commits.
HOLD_BACK_COMMIT = HOLD_BACK.replace("create trigger", "create constraint trigger").replace(
    "for each statement", "deferrable initially deferred for each row"
)
IN_TRANSACTION = """
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
and xact_start is not null and backend_type = 'client backend'
"""
FORGET = (
    "drop function if exists held_back cascade; truncate webhooks, deliveries, due_deliveries, webhook_health cascade"
)


@pytest.fixture(scope="module")
def server_without_worker(settings: Settings) -> Iterator[RunningServer]:
    """Run a server with a suspended delivery worker, for tests that only kill workers."""
    with a_place(settings) as place, running_atrium(place) as running, suspended(worker_of(running)):
        yield running


@pytest.fixture
def harness(server_without_worker: RunningServer) -> Iterator[Harness]:
    """Return a harness without deliveries of other tests."""
    with harness_on(server_without_worker) as made:
        yield made
        made.end_waiting()
        with made.connect() as db:
            db.execute(FORGET)


@pytest.fixture
def own_place(settings: Settings) -> Iterator[Settings]:
    with a_place(settings) as place:
        yield place


@pytest.mark.parametrize("commits", [False, True])
def test_events_of_a_worker_killed_while_queueing_are_queued_once(harness: Harness, commits: bool) -> None:
    """The transaction of a dead worker is rolled back, unless its commit was sent."""
    with harness.connect() as holding:
        messages = harness.send()
        holding.execute((HOLD_BACK_COMMIT if commits else HOLD_BACK).format("due_deliveries").encode())
        with running_worker(harness.settings) as worker:
            wait_until(harness.waiting_backends, "the worker waits with the deliveries written")
            kill(worker)
        holding.execute(LET_GO)
        wait_until(lambda: harness.sql(IN_TRANSACTION) == [0], "the dead worker's transaction ends")
        assert harness.receiver.connections == 0
        assert harness.sql("select count(*) from deliveries") == [SENT if commits else 0]
        assert harness.is_queued() == commits
        with running_worker(harness.settings), running_worker(harness.settings):
            harness.assert_delivered(messages, at_most=1)


@pytest.mark.parametrize("commits", [False, True])
def test_a_worker_killed_while_claiming_has_sent_nothing_and_the_next_one_sends_each_once(
    harness: Harness, commits: bool
) -> None:
    """A claim of a dead worker still commits if its statement was sent; then its lease must end first."""
    with harness.connect() as holding:
        messages = harness.send()
        harness.queue()
        holding.execute(HOLD_BACK.format("due_deliveries").encode())
        with running_worker(harness.settings) as worker:
            wait_until(harness.waiting_backends, "the claim waits with its rows changed")
            kill(worker)
        if not commits:
            harness.end_waiting()
        holding.execute(LET_GO)
        wait_until(harness.is_idle, "the dead worker's statement ends")
        assert harness.receiver.connections == 0
        assert harness.count_leased() == (SENT if commits else 0)
        harness.let_leases_end()
        with running_worker(harness.settings):
            harness.assert_delivered(messages, at_most=1)


@pytest.mark.parametrize(("behave", "at_most"), [(accept_only, 1), (respond_when_released, 2)])
def test_deliveries_of_a_worker_killed_while_sending_are_sent_again_when_their_lease_ends(
    harness: Harness, behave: Behaviour, at_most: int
) -> None:
    harness.receiver.behave = behave
    messages = harness.send()
    with running_worker(harness.settings) as worker:
        wait_until(lambda: harness.receiver.connections == SENT, "every call is under way")
        wait_until(lambda: len(harness.receiver.requests) == SENT * (at_most - 1), "what is read has been read")
        kill(worker)
    harness.receiver.behave = respond_204
    with running_worker(harness.settings):
        late = harness.send(1)
        wait_until(lambda: late[0] in [each.message_id for each in harness.receiver.requests], "others go on")
        wait_until(lambda: harness.count_leased() == SENT, "the others are recorded, and nobody takes what is leased")
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
        harness.queue()
        holding.execute(HOLD_BACK.format("deliveries").encode())
        with running_worker(harness.settings) as worker:
            wait_until(lambda: len(harness.receiver.requests) == SENT, "all are answered")
            wait_until(harness.waiting_backends, "the record waits")
            kill(worker)
        if not recorded:
            harness.end_waiting()
            wait_until(harness.is_idle, "the dead worker's statements end")
        holding.execute(LET_GO)
        wait_until(harness.is_idle, "nothing waits")
        wait_until(lambda: (harness.count_leased() < SENT) == recorded, "what was on its way is recorded")
        harness.let_leases_end()
        with running_worker(harness.settings):
            harness.assert_delivered(messages, at_most=2)
        if recorded:
            assert len(harness.receiver.requests) < 2 * SENT
        else:
            assert len(harness.receiver.requests) == 2 * SENT


def test_a_terminated_worker_finishes_its_deliveries_and_every_event_arrives_once(harness: Harness) -> None:
    harness.receiver.behave = respond_when_released
    messages = harness.send()
    with running_worker(harness.settings) as worker:
        wait_until(lambda: len(harness.receiver.requests) == SENT, "every call is under way")
        [listening] = harness.sql(LISTENING)
        worker.send_signal(signal.SIGTERM)
        wait_until(lambda: harness.sql(LISTENING) == [listening - 1], "it looks for nothing more")
        late = harness.send(1)
        assert worker.poll() is None, "it waits for the answers"
        harness.receiver.release()
        assert worker.wait(40) == 0
    assert harness.sql("select count(*) from due_deliveries") == [0], "what it had begun is recorded"
    assert not harness.is_queued(), "the last event is for another worker"
    assert len(harness.receiver.requests) == SENT
    with running_worker(harness.settings):
        harness.assert_delivered(messages + late, at_most=1)


def test_a_rolled_back_send_leaves_no_message_and_no_event(harness: Harness) -> None:
    with harness.connect() as holding, ThreadPoolExecutor() as aside:
        holding.execute(HOLD_BACK.format("live_events").encode())
        answer = aside.submit(harness.api.person.post, harness.api.messages, json={"text": "lost"})
        wait_until(harness.waiting_backends, "the send waits with its rows written")
        harness.end_waiting()
        refused = answer.result(60)
        holding.execute(LET_GO)
        assert refused.status_code == 503, refused.text
        assert texts_of(harness.api) == []
        assert harness.sql(EVENTS.format(harness.api.room_id)) == [0]
        messages = harness.send(1)
        with running_worker(harness.settings):
            harness.assert_delivered(messages, at_most=1)


@pytest.mark.parametrize("commits", [False, True])
def test_a_send_whose_server_was_killed_leaves_the_message_and_its_event_or_neither(
    own_place: Settings, commits: bool
) -> None:
    """The error does not tell which."""
    with running_harness(own_place) as harness, harness.connect() as holding, ThreadPoolExecutor() as aside:
        holding.execute(HOLD_BACK.format("live_events").encode())
        answer = aside.submit(harness.api.person.post, harness.api.messages, json={"text": "unanswered"})
        wait_until(harness.waiting_backends, "the send waits with its rows written")
        kill_all(family_of(harness.running))
        assert isinstance(answer.exception(60), httpx.TransportError)
        if not commits:
            harness.end_waiting()
        holding.execute(LET_GO)
        wait_until(harness.is_idle, "the dead server's statement ends")
        written = harness.sql("select message_id::text from messages")
        assert len(written) == commits
        assert harness.sql(EVENTS.format(harness.api.room_id)) == [commits]
        with running_atrium(own_place):
            assert texts_of(harness.api) == ["unanswered"] * len(written)
            harness.assert_delivered([*written, *harness.send(1)], at_most=1)


def test_messages_acknowledged_before_a_crash_are_delivered_after_the_restart(
    own_place: Settings,
) -> None:
    with running_harness(own_place) as harness:
        messages = harness.send()
        kill_all(family_of(harness.running))
        assert harness.receiver.requests == []
        with running_atrium(own_place):
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
        stack.enter_context(running_worker(settings))
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
            with running_worker(harness.settings) as one, running_worker(harness.settings) as other:
                wait_until(_has(harness.receiver, enough), f"{enough} deliveries have come")
                kill(one)
                kill(other)
            harness.let_leases_end()
        with running_worker(harness.settings), running_worker(harness.settings):
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


@pytest.mark.contract("Webhook details 23")
def test_killed_workers_leave_the_chart_a_few_attempts_behind_the_log_and_never_ahead(harness: Harness) -> None:
    def count_attempts() -> int:
        [attempts] = harness.sql("select coalesce(sum(attempts), 0) from webhook_health")
        return int(attempts)

    with running_worker(harness.settings) as first, running_worker(harness.settings) as second:
        messages = harness.send(12)
        wait_until(lambda: count_attempts() == 12, "both workers have written what they counted")
        messages += harness.send()
        wait_until(harness.is_settled, "the deliveries end")
        kill(first)
        kill(second)
    before = count_attempts()
    with running_worker(harness.settings):
        messages += harness.send()
        wait_until(lambda: count_attempts() >= before + SENT, "a new worker goes on counting")
    harness.assert_delivered(messages, at_most=2)
    assert count_attempts() <= sum(len(entry["attempts"]) for entry in harness.log())

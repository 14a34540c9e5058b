"""Ten consecutive failed events within three days pause a webhook; nothing else does."""

import asyncio
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from atrium.kit.clock import rfc3339
from atrium.kit.network.outbound import Exchange
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import queries
from atrium.webhooks.delivery.attempt import AttemptResult, ClaimedDelivery, claimed_delivery
from atrium.webhooks.delivery.failures import Failed, record_failures
from atrium.webhooks.delivery.pause_rules import PERIOD, THRESHOLD, CountedAttempt, Failures, add_failure, is_counted
from atrium.webhooks.delivery.retry import GiveUp, RetryAt, after_failure
from atrium.webhooks.delivery.worker import CLAIMED_AFTER_FAILURES, open_delivery_worker
from atrium.webhooks.model import Attempt
from tests.webhooks.harness import NOON, Harness, with_harness

ACTIVE, PAUSED = "WEBHOOK_STATUS_ACTIVE", "WEBHOOK_STATUS_PAUSED"


async def fail(harness: Harness, events: int, *, every: timedelta = timedelta(seconds=1)) -> None:
    """Send that many events whose first attempt fails."""
    harness.receiver.status = 500
    for nr in range(events):
        await harness.send(f"event {nr}")
        await harness.worker.deliver_due()
        harness.clock.at += every


async def succeed(harness: Harness) -> None:
    harness.receiver.answer = None
    harness.receiver.status = 200
    await harness.send("works")
    await harness.worker.deliver_due()


async def state(harness: Harness, webhook: dict[str, Any]) -> tuple[str, int]:
    read = await harness.read(webhook)
    return read["status"], read["failure_count"]


@pytest.mark.contract("Webhook status 1")
def test_six_failed_attempts_of_one_event_count_once(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await fail(harness, 1)
        for _ in range(5):
            harness.pass_time(hours=25)
            assert await harness.worker.deliver_due() == 1
            expired = harness.clock.at > NOON + PERIOD
            assert await state(harness, webhook) == (ACTIVE, 0 if expired else 1)
        assert len(harness.receiver.received) == 6

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 3")
def test_nine_failures_a_success_and_nine_failures_leave_it_active(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await fail(harness, 9)
        assert await state(harness, webhook) == (ACTIVE, 9)
        await succeed(harness)
        assert await state(harness, webhook) == (ACTIVE, 0)
        await fail(harness, 9)
        assert await state(harness, webhook) == (ACTIVE, 9)

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 1")
def test_ten_failures_within_three_days_pause_it_and_mail_every_admin_once(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        organization = f"/v1/organizations/{harness.made['organization_id']}"
        for role, name in (("admin", "grace"), ("reader", "reader"), ("admin", "gone")):
            invitation = {"content": {"email": f"{name}@example.org", "role": role}}
            response = await harness.client.post(f"{organization}/invitations", json=invitation)
            body = {"content": {"token": response.json()["token"], "name": name}}
            accept = harness.client.build_request("POST", "/v1/invitations/accept", json=body)
            del accept.headers["authorization"]
            assert (await harness.client.send(accept)).status_code == 201
        gone = await harness.db.fetchval("select person_id from people where email = 'gone@example.org'")
        left = await harness.client.patch(f"{organization}/members/{gone}", json={"content": {"active": False}})
        assert left.status_code == 200
        webhook = await harness.subscribe()
        await fail(harness, 9, every=timedelta(hours=7, minutes=50))
        assert await state(harness, webhook) == (ACTIVE, 9)
        await fail(harness, 1)
        read = await harness.read(webhook)
        assert read["status"] == PAUSED
        assert "HTTP 500" in read["pause_reason"]
        mails = [mail for mail in await harness.mails() if mail["subject"].startswith("Webhook paused")]
        assert sorted(mail["recipient"] for mail in mails) == ["ada@example.org", "grace@example.org"]
        text = mails[0]["body"]
        assert "HTTP 500" in text
        assert f"{harness.made['organization_id']}/administration/webhooks/{read['id']}\n" in text
        assert re.search(r"paused the webhook .* on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\.", text)
        assert "WEBHOOK_" not in text
        assert "/v1/" not in text

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 2")
@pytest.mark.parametrize(
    ("counted", "rule"),
    [
        ("first_attempt", "An event counts when its first attempt fails, even if a retry succeeds."),
        ("first_retry", "An event counts when its first attempt and its first retry fail"),
        ("exhausted", "An event counts when all of its attempts fail"),
    ],
)
def test_the_mail_says_what_counts_and_names_the_setting(settings: Settings, counted: str, rule: str) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(retry_schedule=[1])
        await fail(harness, 10)
        harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        assert (await state(harness, webhook))[0] == PAUSED
        [text] = [mail["body"] for mail in await harness.mails() if mail["subject"].startswith("Webhook paused")]
        assert rule in text
        assert f"ATRIUM_PAUSE_COUNTS={'first_retry' if counted == 'first_attempt' else counted}" in text
        assert "within 3 days of the first" in text

    with_harness(settings, act, pause_counts=counted)


@pytest.mark.contract("Webhook status 1")
def test_ten_failures_over_more_than_three_days_leave_it_active(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await fail(harness, 10, every=timedelta(hours=8, minutes=1))
        assert (await state(harness, webhook))[0] == ACTIVE
        assert [mail for mail in await harness.mails() if "paused" in mail["subject"]] == []

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 1")
def test_ten_concurrent_failures_on_two_workers_are_one_pause_and_one_mail_each(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        harness.receiver.status = 500
        for nr in range(14):
            await harness.send(f"{nr}")
        async with open_delivery_worker(harness.settings, harness.clock) as second:
            await asyncio.gather(harness.worker.deliver_due(), second.deliver_due())
        assert (await state(harness, webhook))[0] == PAUSED
        assert len([mail for mail in await harness.mails() if "paused" in mail["subject"]]) == 1

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 1")
def test_failures_recorded_together_count_per_webhook_and_skip_deleted_ones(
    settings: Settings,
) -> None:
    async def act(harness: Harness) -> None:
        failed_webhook, other, deleted = [await harness.subscribe() for _ in range(3)]
        for nr in range(12):
            await harness.send(f"{nr}")
        failed = await all_failed(harness)
        assert (await harness.client.delete(f"{harness.hooks}/{deleted['webhook']['id']}")).status_code == 204
        spared = [each for each in failed if str(each[0].webhook_id) == other["webhook"]["id"]][5:]
        await record_failures(harness.db, [each for each in failed if each not in spared], harness.settings)
        assert [await state(harness, webhook) for webhook in (failed_webhook, other)] == [(PAUSED, 10), (ACTIVE, 5)]
        assert [len(entry["attempts"]) for entry in await harness.log(failed_webhook)] == [1] * 12
        assert sorted(len(entry["attempts"]) for entry in await harness.log(other)) == [0] * 7 + [1] * 5
        assert len([mail for mail in await harness.mails() if "paused" in mail["subject"]]) == 1
        assert await harness.db.fetchval("select count(*) from due_deliveries") == 12 + 12

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 1")
def test_attempts_in_flight_when_a_webhook_is_paused_do_not_count(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        for nr in range(THRESHOLD + 3):
            await harness.send(f"{nr}")
        failed = await all_failed(harness)
        await record_failures(harness.db, failed[:THRESHOLD], harness.settings)
        await record_failures(harness.db, failed[THRESHOLD:], harness.settings)
        assert await state(harness, webhook) == (PAUSED, THRESHOLD)
        assert len([mail for mail in await harness.mails() if "paused" in mail["subject"]]) == 1

    with_harness(settings, act)


async def all_failed(harness: Harness) -> list[Failed]:
    """Make the attempts of all deliveries that are due now fail, without recording them."""
    await harness.worker.queue_events()
    lease = harness.clock() + timedelta(minutes=1)
    rows = await harness.db.fetch(queries.CLAIM, harness.clock(), lease, 16, 16, 100, NOON, [], [], lease, [], [])
    return [failed_attempt(claimed_delivery(row), harness.clock()) for row in rows]


def failed_attempt(claimed: ClaimedDelivery, at: datetime) -> Failed:
    log = Attempt(claimed.logged + 1, rfc3339(at), 5, 500, "HTTP 500", "", {})
    return claimed, AttemptResult(Exchange(500, "HTTP 500", "", 5), log, at)


@pytest.mark.contract("Webhook details 13")
def test_pings_and_resends_never_count(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        await succeed(harness)
        await fail(harness, 9)
        [*_, waiting, delivered] = await harness.log(webhook)
        for _ in range(3):
            answer = await harness.client.post(f"{hook}/test")
            assert answer.json()["delivery"]["status"] == "DELIVERY_STATUS_FAILED"
            for each in (waiting, delivered):
                assert (await harness.client.post(f"{hook}/deliveries/{each['delivery_id']}/resend")).status_code == 202
            assert await harness.worker.deliver_due() == 2
        assert await state(harness, webhook) == (ACTIVE, 9)
        harness.receiver.status = 200
        assert (await harness.client.post(f"{hook}/test")).json()["delivery"]["status"] == "DELIVERY_STATUS_SUCCEEDED"
        assert (await harness.client.post(f"{hook}/deliveries/{delivered['delivery_id']}/resend")).status_code == 202
        assert await harness.worker.deliver_due() == 1
        assert await state(harness, webhook) == (ACTIVE, 9), "nor does what succeeds by hand clear the count"

    with_harness(settings, act)


def test_a_missed_event_that_fails_when_resent_does_not_count(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        await harness.send()
        await harness.change(webhook, status=ACTIVE)
        [missed] = await harness.log(webhook)
        harness.receiver.status = 500
        await harness.client.post(
            f"{harness.hooks}/{webhook['webhook']['id']}/deliveries/{missed['delivery_id']}/resend"
        )
        assert await harness.worker.deliver_due() == 1
        assert await state(harness, webhook) == (ACTIVE, 0)

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 4")
def test_a_paused_webhook_stays_paused_after_the_count_expires(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await fail(harness, 10)
        harness.receiver.status = 200
        for _ in range(10):
            harness.pass_time(days=1)
            await harness.worker.deliver_due()
        assert (await state(harness, webhook))[0] == PAUSED
        assert len(harness.receiver.received) == 10, "no attempt is made while it is paused"

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 4")
def test_three_days_after_the_first_failure_the_count_and_the_limit_of_attempts_reset(
    settings: Settings,
) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await fail(harness, 1)
        await harness.db.execute("delete from due_deliveries")
        harness.clock.at = NOON + PERIOD
        assert await state(harness, webhook) == (ACTIVE, 1)
        for nr in range(20):
            await harness.send(f"{nr}")
        assert await harness.claim() == CLAIMED_AFTER_FAILURES
        while (await state(harness, webhook))[1] < 1 + CLAIMED_AFTER_FAILURES:
            await asyncio.sleep(0.01)
        harness.pass_time(milliseconds=1)
        assert await state(harness, webhook) == (ACTIVE, 0)
        listed = (await harness.client.get(harness.hooks)).json()["webhooks"]
        assert [each["failure_count"] for each in listed] == [0]
        assert await harness.claim() == 20 - CLAIMED_AFTER_FAILURES, "the limit is higher again"
        await harness.worker.deliver_due()

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 5", "Webhook details 15")
def test_a_reactivated_webhook_sends_waiting_events_gradually_and_can_replay_missed_ones(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        assert (await harness.change(webhook, status=PAUSED)).status_code == 400
        await fail(harness, 10)
        for nr in range(5):
            await harness.send(f"missed {nr}")
        harness.pass_time(hours=1)
        harness.receiver.status = 200
        assert await harness.worker.deliver_due() == 0
        assert (await harness.read(webhook))["missed_count"] == 5
        assert len(await harness.log(webhook, status="DELIVERY_STATUS_MISSED")) == 5
        changed = await harness.change(webhook, status=ACTIVE)
        assert (changed.status_code, changed.json()["webhook"]["failure_count"]) == (200, 0)
        assert await harness.worker.deliver_due() == 0, "not all immediately"
        went = []
        for _ in range(10):
            harness.pass_time(milliseconds=100)
            went.append(await harness.worker.deliver_due())
        assert went == [1] * 10
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        day_before = await harness.client.post(f"{hook}/replay", json={"since": "2026-11-20", "until": "2026-11-21"})
        assert (day_before.status_code, day_before.json()) == (202, {"replayed": 0})
        replayed = await harness.client.post(f"{hook}/replay", json={"since": "2026-11-21", "until": "2026-11-22"})
        assert (replayed.status_code, replayed.json()) == (202, {"replayed": 5})
        assert await harness.worker.deliver_due() == 1, "these go gradually too"
        harness.pass_time(seconds=1)
        assert await harness.worker.deliver_due() == 4
        assert {entry["status"] for entry in await harness.log(webhook)} == {"DELIVERY_STATUS_SUCCEEDED"}
        assert len({received.delivery_id for received in harness.receiver.received}) == 15
        assert (await harness.read(webhook))["missed_count"] == 0

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 13")
def test_an_event_can_be_set_to_count_only_when_its_first_retry_fails(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await fail(harness, 12)
        assert await state(harness, webhook) == (ACTIVE, 0)
        harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        assert (await state(harness, webhook))[0] == PAUSED

    with_harness(settings, act, pause_counts="first_retry")


@pytest.mark.contract("Webhook details 13")
def test_a_replayed_event_that_fails_again_is_not_counted_again(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        await fail(harness, 1)
        await harness.client.post(f"{hook}/test")
        for _ in range(5):
            harness.pass_time(hours=25)
            await harness.worker.deliver_due()
        query = {"since": "2026-11-21", "until": "2026-11-22", "status": "DELIVERY_STATUS_FAILED"}
        assert (await harness.client.post(f"{hook}/replay", json=query)).json() == {"replayed": 1}, "the ping is not"
        assert await harness.worker.deliver_due() == 1
        [_, entry] = await harness.log(webhook)
        assert [each["attempt"] for each in entry["attempts"]] == [1, 2, 3, 4, 5, 6, 7]
        assert await state(harness, webhook) == (ACTIVE, 0), "the count expired meanwhile, and no other began"

    with_harness(settings, act)


failures = st.lists(st.tuples(st.booleans(), st.integers(0, 20 * 3600)), max_size=60)


@given(failures)
@example([(False, 0), (False, 3 * 24 * 3600)])  # exactly three days: not expired yet
def test_only_ten_failures_in_a_row_within_three_days_pause(results: list[tuple[bool, int]]) -> None:
    """Compared with a simple implementation over the list of results."""
    count, at, row = Failures(), NOON, list[Any]()
    for succeeded, seconds in results:
        at += timedelta(seconds=seconds)
        if succeeded:
            count, row = Failures(), []
            continue
        if row and at - row[0] > PERIOD:
            row = []
        row.append(at)
        count = add_failure(count, at)
        assert count == Failures(len(row), row[0])
        assert count.reached_threshold == (len(row) >= THRESHOLD)


@given(st.integers(1, 8), st.lists(st.integers(1, 90_000), max_size=7))
def test_a_failure_is_retried_as_scheduled_and_counts_once(number: int, pauses: list[int]) -> None:
    schedule = [timedelta(seconds=pause) for pause in pauses]
    decision = after_failure(number, NOON, schedule, manual=False)
    if number <= len(schedule):
        assert decision == RetryAt(NOON + schedule[number - 1])
    else:
        assert decision == GiveUp(exhausted=True)
    assert after_failure(number, NOON, schedule, manual=True) == GiveUp(exhausted=False)
    assert is_counted(CountedAttempt.FIRST_ATTEMPT, number, decision) == (number == 1)
    assert is_counted(CountedAttempt.FIRST_RETRY, number, decision) == (number == 2)
    assert is_counted(CountedAttempt.EXHAUSTED, number, decision) == (number > len(schedule))

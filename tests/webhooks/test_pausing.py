"""Ten events in a row that fail within three days pause a webhook; nothing else does."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from atrium.kit.clock import rfc3339
from atrium.kit.network.outbound import Exchange
from atrium.kit.settings import Settings
from atrium.webhooks import delivery_queries as queries
from atrium.webhooks.delivery import AttemptResult, ClaimedDelivery, claimed_delivery
from atrium.webhooks.failures import Failed, record_failures
from atrium.webhooks.model import Attempt
from atrium.webhooks.pausing import PERIOD, THRESHOLD, CountedAttempt, Failures, is_counted, with_failure
from atrium.webhooks.retry import GiveUp, RetryAt, after_failure
from atrium.worker import CONCURRENT_PER_WEBHOOK, CONCURRENT_WHILE_FAILING, open_worker
from tests.webhooks.stage import NOON, Stage, on_stage

ACTIVE, PAUSED = "WEBHOOK_STATUS_ACTIVE", "WEBHOOK_STATUS_PAUSED"


async def fail(stage: Stage, events: int, *, every: timedelta = timedelta(seconds=1)) -> None:
    """So many events whose first attempt fails."""
    stage.receiver.status = 500
    for nr in range(events):
        await stage.say(f"event {nr}")
        await stage.worker.deliver_due()
        stage.clock.at += every


async def succeed(stage: Stage) -> None:
    stage.receiver.answer = None
    stage.receiver.status = 200
    await stage.say("works")
    await stage.worker.deliver_due()


async def state(stage: Stage, webhook: dict[str, Any]) -> tuple[str, int]:
    read = await stage.read(webhook)
    return read["status"], read["failure_count"]


def test_six_failed_attempts_of_one_event_count_once(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await fail(stage, 1)
        for _ in range(5):
            stage.pass_time(hours=25)
            assert await stage.worker.deliver_due() == 1
            expired = stage.clock.at > NOON + PERIOD
            assert await state(stage, webhook) == (ACTIVE, 0 if expired else 1)
        assert len(stage.receiver.received) == 6

    on_stage(settings, act)


def test_nine_failures_a_success_and_nine_failures_leave_it_active(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await fail(stage, 9)
        assert await state(stage, webhook) == (ACTIVE, 9)
        await succeed(stage)
        assert await state(stage, webhook) == (ACTIVE, 0)
        await fail(stage, 9)
        assert await state(stage, webhook) == (ACTIVE, 9)

    on_stage(settings, act)


def test_ten_failures_within_three_days_pause_it_and_mail_every_admin_once(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        organization = f"/v1/organizations/{stage.made['organization_id']}"
        for role, name in (("admin", "grace"), ("reader", "reader"), ("admin", "gone")):
            invitation = {"content": {"email": f"{name}@example.org", "role": role}}
            asked = await stage.client.post(f"{organization}/invitations", json=invitation)
            body = {"content": {"token": asked.json()["token"], "name": name}}
            accept = stage.client.build_request("POST", "/v1/invitations/accept", json=body)
            del accept.headers["authorization"]
            assert (await stage.client.send(accept)).status_code == 201
        gone = await stage.db.fetchval("select person_id from people where email = 'gone@example.org'")
        left = await stage.client.patch(f"{organization}/members/{gone}", json={"content": {"active": False}})
        assert left.status_code == 200
        webhook = await stage.subscribe()
        await fail(stage, 9, every=timedelta(hours=7, minutes=50))
        assert await state(stage, webhook) == (ACTIVE, 9)
        await fail(stage, 1)
        read = await stage.read(webhook)
        assert read["status"] == PAUSED
        assert "HTTP 500" in read["pause_reason"]
        mails = [mail for mail in await stage.mails() if mail["subject"].startswith("Webhook paused")]
        assert sorted(mail["recipient"] for mail in mails) == ["ada@example.org", "grace@example.org"]
        assert "HTTP 500" in mails[0]["body"]

    on_stage(settings, act)


def test_ten_failures_over_more_than_three_days_leave_it_active(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await fail(stage, 10, every=timedelta(hours=8, minutes=1))
        assert (await state(stage, webhook))[0] == ACTIVE
        assert [mail for mail in await stage.mails() if "paused" in mail["subject"]] == []

    on_stage(settings, act)


def test_ten_concurrent_failures_on_two_workers_are_one_pause_and_one_mail_each(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        stage.receiver.status = 500
        for nr in range(14):
            await stage.say(f"{nr}")
        async with open_worker(stage.settings, stage.clock) as second:
            await asyncio.gather(stage.worker.deliver_due(), second.deliver_due())
        assert (await state(stage, webhook))[0] == PAUSED
        assert len([mail for mail in await stage.mails() if "paused" in mail["subject"]]) == 1

    on_stage(settings, act)


def test_failures_recorded_together_count_per_webhook_and_skip_deleted_ones(
    settings: Settings,
) -> None:
    async def act(stage: Stage) -> None:
        failing, other, deleted = [await stage.subscribe() for _ in range(3)]
        for nr in range(12):
            await stage.say(f"{nr}")
        failed = await all_failed(stage)
        assert (await stage.client.delete(f"{stage.hooks}/{deleted['webhook']['id']}")).status_code == 204
        spared = [each for each in failed if str(each[0].webhook_id) == other["webhook"]["id"]][5:]
        await record_failures(stage.db, [each for each in failed if each not in spared], stage.settings)
        assert [await state(stage, webhook) for webhook in (failing, other)] == [(PAUSED, 10), (ACTIVE, 5)]
        assert [len(entry["attempts"]) for entry in await stage.log(failing)] == [1] * 12
        assert sorted(len(entry["attempts"]) for entry in await stage.log(other)) == [0] * 7 + [1] * 5
        assert len([mail for mail in await stage.mails() if "paused" in mail["subject"]]) == 1
        assert await stage.db.fetchval("select count(*) from due_deliveries") == 12 + 12

    on_stage(settings, act)


def test_attempts_in_flight_when_a_webhook_is_paused_do_not_count(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        for nr in range(THRESHOLD + 3):
            await stage.say(f"{nr}")
        failed = await all_failed(stage)
        await record_failures(stage.db, failed[:THRESHOLD], stage.settings)
        await record_failures(stage.db, failed[THRESHOLD:], stage.settings)
        assert await state(stage, webhook) == (PAUSED, THRESHOLD)
        assert len([mail for mail in await stage.mails() if "paused" in mail["subject"]]) == 1

    on_stage(settings, act)


async def all_failed(stage: Stage) -> list[Failed]:
    """Whatever is due was tried, and not recorded yet."""
    lease = stage.clock() + timedelta(minutes=1)
    rows = await stage.db.fetch(queries.CLAIM, stage.clock(), lease, 16, 16, 100, NOON)
    return [failed_attempt(claimed_delivery(row), stage.clock()) for row in rows]


def failed_attempt(claimed: ClaimedDelivery, at: datetime) -> Failed:
    log = Attempt(claimed.logged + 1, rfc3339(at), 5, 500, "HTTP 500", "", {})
    return claimed, AttemptResult(Exchange(500, "HTTP 500", "", 5), log, at)


def test_pings_and_resends_never_count(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        hook = f"{stage.hooks}/{webhook['webhook']['id']}"
        await succeed(stage)
        await fail(stage, 9)
        [*_, waiting, delivered] = await stage.log(webhook)
        for _ in range(3):
            answer = await stage.client.post(f"{hook}/test")
            assert answer.json()["delivery"]["status"] == "DELIVERY_STATUS_FAILED"
            for each in (waiting, delivered):
                assert (await stage.client.post(f"{hook}/deliveries/{each['delivery_id']}/resend")).status_code == 202
            assert await stage.worker.deliver_due() == 2
        assert await state(stage, webhook) == (ACTIVE, 9)
        stage.receiver.status = 200
        assert (await stage.client.post(f"{hook}/test")).json()["delivery"]["status"] == "DELIVERY_STATUS_SUCCEEDED"
        assert (await stage.client.post(f"{hook}/deliveries/{delivered['delivery_id']}/resend")).status_code == 202
        assert await stage.worker.deliver_due() == 1
        assert await state(stage, webhook) == (ACTIVE, 9), "nor does what succeeds by hand clear the count"

    on_stage(settings, act)


def test_a_missed_event_that_fails_when_resent_does_not_count(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await stage.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        await stage.say()
        await stage.change(webhook, status=ACTIVE)
        [missed] = await stage.log(webhook)
        stage.receiver.status = 500
        await stage.client.post(f"{stage.hooks}/{webhook['webhook']['id']}/deliveries/{missed['delivery_id']}/resend")
        assert await stage.worker.deliver_due() == 1
        assert await state(stage, webhook) == (ACTIVE, 0)

    on_stage(settings, act)


def test_a_paused_webhook_stays_paused_after_the_count_expires(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await fail(stage, 10)
        stage.receiver.status = 200
        for _ in range(10):
            stage.pass_time(days=1)
            await stage.worker.deliver_due()
        assert (await state(stage, webhook))[0] == PAUSED
        assert len(stage.receiver.received) == 10, "no attempt is made while it is paused"

    on_stage(settings, act)


def test_three_days_after_the_first_failure_the_count_and_the_limit_of_attempts_reset(
    settings: Settings,
) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await fail(stage, 1)
        await stage.db.execute("delete from due_deliveries")
        stage.clock.at = NOON + PERIOD
        assert await state(stage, webhook) == (ACTIVE, 1)
        for nr in range(20):
            await stage.say(f"{nr}")
        assert await stage.worker.claim() == CONCURRENT_WHILE_FAILING
        while (await state(stage, webhook))[1] < 1 + CONCURRENT_WHILE_FAILING:
            await asyncio.sleep(0.01)
        stage.pass_time(milliseconds=1)
        assert await state(stage, webhook) == (ACTIVE, 0)
        listed = (await stage.client.get(stage.hooks)).json()["webhooks"]
        assert [each["failure_count"] for each in listed] == [0]
        assert await stage.worker.claim() == CONCURRENT_PER_WEBHOOK
        await stage.worker.deliver_due()

    on_stage(settings, act)


def test_a_reactivated_webhook_sends_waiting_events_gradually_and_can_replay_missed_ones(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        assert (await stage.change(webhook, status=PAUSED)).status_code == 400
        await fail(stage, 10)
        for nr in range(5):
            await stage.say(f"missed {nr}")
        stage.pass_time(hours=1)
        stage.receiver.status = 200
        assert await stage.worker.deliver_due() == 0
        assert (await stage.read(webhook))["missed_count"] == 5
        assert len(await stage.log(webhook, status="DELIVERY_STATUS_MISSED")) == 5
        changed = await stage.change(webhook, status=ACTIVE)
        assert (changed.status_code, changed.json()["webhook"]["failure_count"]) == (200, 0)
        assert await stage.worker.deliver_due() == 0, "not all at once"
        went = []
        for _ in range(10):
            stage.pass_time(milliseconds=100)
            went.append(await stage.worker.deliver_due())
        assert went == [1] * 10
        hook = f"{stage.hooks}/{webhook['webhook']['id']}"
        day_before = await stage.client.post(f"{hook}/replay", json={"since": "2026-11-20", "until": "2026-11-21"})
        assert (day_before.status_code, day_before.json()) == (202, {"replayed": 0})
        replayed = await stage.client.post(f"{hook}/replay", json={"since": "2026-11-21", "until": "2026-11-22"})
        assert (replayed.status_code, replayed.json()) == (202, {"replayed": 5})
        assert await stage.worker.deliver_due() == 1, "these go gradually too"
        stage.pass_time(seconds=1)
        assert await stage.worker.deliver_due() == 4
        assert {entry["status"] for entry in await stage.log(webhook)} == {"DELIVERY_STATUS_SUCCEEDED"}
        assert len({received.delivery_id for received in stage.receiver.received}) == 15
        assert (await stage.read(webhook))["missed_count"] == 0

    on_stage(settings, act)


def test_an_event_can_be_set_to_count_only_when_its_first_retry_fails(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        await fail(stage, 12)
        assert await state(stage, webhook) == (ACTIVE, 0)
        stage.pass_time(minutes=1)
        await stage.worker.deliver_due()
        assert (await state(stage, webhook))[0] == PAUSED

    on_stage(settings, act, pause_counts="first_retry")


def test_a_replayed_event_that_fails_again_is_not_counted_again(settings: Settings) -> None:
    async def act(stage: Stage) -> None:
        webhook = await stage.subscribe()
        hook = f"{stage.hooks}/{webhook['webhook']['id']}"
        await fail(stage, 1)
        await stage.client.post(f"{hook}/test")
        for _ in range(5):
            stage.pass_time(hours=25)
            await stage.worker.deliver_due()
        query = {"since": "2026-11-21", "until": "2026-11-22", "status": "DELIVERY_STATUS_FAILED"}
        assert (await stage.client.post(f"{hook}/replay", json=query)).json() == {"replayed": 1}, "the ping is not"
        assert await stage.worker.deliver_due() == 1
        [_, entry] = await stage.log(webhook)
        assert [each["attempt"] for each in entry["attempts"]] == [1, 2, 3, 4, 5, 6, 7]
        assert await state(stage, webhook) == (ACTIVE, 0), "the count expired meanwhile, and no other began"

    on_stage(settings, act)


failures = st.lists(st.tuples(st.booleans(), st.integers(0, 20 * 3600)), max_size=60)


@given(failures)
@example([(False, 0), (False, 3 * 24 * 3600)])  # to the second: not expired yet
def test_only_ten_failures_in_a_row_within_three_days_pause(told: list[tuple[bool, int]]) -> None:
    """Against the rule said plainly, over the list of what happened."""
    count, at, row = Failures(), NOON, list[Any]()
    for succeeded, seconds in told:
        at += timedelta(seconds=seconds)
        if succeeded:
            count, row = Failures(), []
            continue
        if row and at - row[0] > PERIOD:
            row = []
        row.append(at)
        count = with_failure(count, at)
        assert count == Failures(len(row), row[0])
        assert count.too_many == (len(row) >= THRESHOLD)


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

"""A receiver gets each event once, signed two ways, the same bytes on every attempt, on schedule."""

import asyncio
import json
import re
from datetime import timedelta

import pytest
from aiohttp import web

from atrium.kit.clock import rfc3339
from atrium.kit.settings import Settings
from atrium.webhooks.delivery.worker import open_delivery_worker
from tests.webhooks.harness import NOON, Harness, with_harness
from tests.webhooks.receiver import Received, assert_verified, running_endpoint

SCHEDULE = [timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2), timedelta(hours=24)]


@pytest.mark.contract("Authentication 9", "Events and deliveries 1", "Events and deliveries 18")
def test_an_event_is_the_contracts_envelope_signed_two_ways(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        message = await harness.send("hi 👋")
        assert await harness.worker.deliver_due() == 1
        [received] = harness.receiver.received
        assert_verified(received, webhook["secret"])
        assert json.loads(received.body) == {
            "event_type": "message_sent",
            "subject": {"type": "room", "id": harness.made["room_id"]},
            "timestamp": message["sent_at"],
            "data": {
                "message_id": message["message_id"],
                "room_id": harness.made["room_id"],
                "user_id": message["user_id"],
                "status": "SENT",
                "created_at": message["created_at"],
            },
        }
        assert received.headers["Content-Type"] == "application/json"
        assert received.headers["X-Service-Event"] == "message_sent"
        assert received.headers["webhook-id"] == received.delivery_id
        [entry] = await harness.log(webhook)
        assert (entry["status"], entry["response_code"], entry["retry_count"]) == ("DELIVERY_STATUS_SUCCEEDED", 200, 0)
        assert entry["delivery_id"] == received.delivery_id
        assert entry["request_body"].encode() == received.body
        assert entry["attempts"][0]["response_excerpt"] == "taken"
        assert await harness.worker.deliver_due() == 0

    with_harness(settings, act)


def test_the_verifier_rejects_a_changed_byte(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        [received] = harness.receiver.received
        changed = Received(received.headers, received.body.replace(b"SENT", b"sent"))
        with pytest.raises(AssertionError):
            assert_verified(changed, webhook["secret"])

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 4", "Events and deliveries 19", "Events and deliveries 24")
def test_attempts_follow_the_schedule_from_the_end_of_the_previous_one_and_then_a_mail_is_sent(
    settings: Settings,
) -> None:
    """Each attempt takes 3 seconds; a millisecond early nothing is sent, and every attempt sends the same bytes."""

    async def act(harness: Harness) -> None:
        def slow_failure(_: Received) -> int:
            harness.pass_time(seconds=3)
            return 500

        harness.receiver.answer = slow_failure
        webhook = await harness.subscribe(name="Überwachung 🚨")
        await harness.send("emoji 🎉")
        assert await harness.worker.deliver_due() == 1
        for nr, pause in enumerate(SCHEDULE, start=1):
            ended = harness.clock.at
            [entry] = await harness.log(webhook)
            assert entry["next_retry_at"] == rfc3339(ended + pause)
            assert (entry["status"], entry["retry_count"]) == ("DELIVERY_STATUS_RETRYING", nr - 1)
            harness.clock.at = ended + pause - timedelta(milliseconds=1)
            assert await harness.worker.deliver_due() == 0
            assert await harness.mails() == []
            harness.clock.at = ended + pause
            assert await harness.worker.deliver_due() == 1
        [entry] = await harness.log(webhook)
        assert (entry["status"], entry["retry_count"], entry["next_retry_at"]) == ("DELIVERY_STATUS_FAILED", 5, None)
        assert [each["attempt"] for each in entry["attempts"]] == [1, 2, 3, 4, 5, 6]
        [mail] = await harness.mails()
        assert mail["recipient"] == "ada@example.org"
        assert "Überwachung 🚨" in mail["subject"]
        assert (
            f"http://127.0.0.1:{harness.settings.port}/o/{harness.made['organization_id']}/administration/webhooks/"
            in mail["body"]
        )
        assert re.search(r"^Event: +Message sent, \d{4}-\d\d-\d\d at \d\d:\d\d UTC$", mail["body"], re.M)
        harness.pass_time(days=20)
        assert await harness.worker.deliver_due() == 0
        assert len(harness.receiver.received) == 6
        assert len({each.body for each in harness.receiver.received}) == 1
        assert len({each.delivery_id for each in harness.receiver.received}) == 1
        for received in harness.receiver.received:
            assert_verified(received, webhook["secret"])
        signed_at = {each.headers["webhook-timestamp"] for each in harness.receiver.received}
        assert len(signed_at) == 6, "each attempt is signed afresh"

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 24")
def test_a_restart_between_attempts_changes_nothing(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.receiver.status = 503
        await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        for pause in SCHEDULE:
            async with open_delivery_worker(harness.settings, harness.clock) as fresh:
                harness.clock.at += pause - timedelta(milliseconds=1)
                assert await fresh.deliver_due() == 0
                harness.pass_time(milliseconds=1)
                assert await fresh.deliver_due() == 1
                assert await harness.worker.deliver_due() == 0
        assert len(harness.receiver.received) == 6

    with_harness(settings, act)


def test_a_clock_that_steps_back_makes_no_attempt_early_or_twice(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.receiver.status = 503
        await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        harness.pass_time(hours=-1)
        await harness.send("sent while the clock is back: time never goes down within a room")
        assert await harness.worker.deliver_due() == 1, "only the new one: the retry is not due"
        harness.clock.at = NOON
        assert await harness.worker.deliver_due() == 1, "its retry"
        harness.clock.at = NOON + timedelta(minutes=1)
        assert await harness.worker.deliver_due() == 1, "the retry of the first one"
        assert [len({r.delivery_id for r in harness.receiver.received}), len(harness.receiver.received)] == [2, 4]

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 24")
def test_after_an_outage_overdue_attempts_are_made_immediately_and_once(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.receiver.status = 503
        webhook = await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        harness.pass_time(hours=3)
        assert await harness.worker.deliver_due() == 1, "one attempt, not one for each that the outage swallowed"
        [entry] = await harness.log(webhook)
        assert entry["next_retry_at"] == rfc3339(harness.clock.at + timedelta(minutes=5))
        harness.receiver.status = 200
        harness.pass_time(minutes=5)
        assert await harness.worker.deliver_due() == 1
        [entry] = await harness.log(webhook)
        assert entry["status"] == "DELIVERY_STATUS_SUCCEEDED"
        assert await harness.mails() == []

    with_harness(settings, act)


def test_a_custom_schedule_is_followed(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.receiver.status = 404
        await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        for seconds in (2, 7):
            harness.pass_time(seconds=seconds - 0.001)
            assert await harness.worker.deliver_due() == 0
            harness.pass_time(milliseconds=1)
            assert await harness.worker.deliver_due() == 1
        assert len(await harness.mails()) == 1

    with_harness(settings, act, retry_schedule="2s,7s")


@pytest.mark.contract("Webhook details 24")
def test_a_delivery_claimed_and_never_recorded_is_due_again_when_its_lease_ends(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe()
        await harness.send()
        await harness.worker.queue_events()
        await harness.db.execute("update due_deliveries set leased = true, due_at = $1", NOON + timedelta(seconds=60))
        assert await harness.worker.deliver_due() == 0
        harness.pass_time(seconds=60)
        assert await harness.worker.deliver_due() == 1
        assert len(harness.receiver.received) == 1

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 26", "Webhook details 24")
def test_concurrent_attempts_of_a_webhook_are_limited_and_lower_while_it_fails(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook, other = await harness.subscribe(), await harness.subscribe(name="other")
        for nr in range(40):
            await harness.send(f"{nr}")
        async with open_delivery_worker(harness.settings, harness.clock) as second:
            harness.receiver.may_answer.clear()  # an attempt stays in flight until both workers have claimed
            assert await harness.claim() == 64, "32 of each: 16 in flight, 16 waiting"
            assert await second.claim() == 0
            while len(harness.receiver.received) < 32:
                await asyncio.sleep(0.01)
            assert len(await harness.log(other, limit=200)) == 40
            assert len(harness.receiver.received) == 32, "16 of each"
            harness.receiver.may_answer.set()
        # The first worker's attempts end and are recorded; then the rest is sent.
        await harness.worker.deliver_due()
        assert len(harness.receiver.received) == 80
        await harness.db.execute(
            "update webhooks set failure_count = 1 where webhook_id = $1", webhook["webhook"]["id"]
        )
        for nr in range(20):
            await harness.send(f"more {nr}")
        assert await harness.claim() == 22, "2 of the failing, all of the other"
        await harness.worker.deliver_due()
        assert len(harness.receiver.received) == 120
        assert (await harness.read(webhook))["failure_count"] == 0, "a success clears the count"
        assert len(await harness.log(other, limit=200)) == 60

    with_harness(settings, act)


def test_a_failure_recorded_after_another_workers_success_changes_nothing(settings: Settings) -> None:
    """The first worker's lease passed to the second, which delivered; then the first one's attempt fails."""

    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.send()
        answers = iter([500, 200])
        first_came, first_waits = asyncio.Event(), asyncio.Event()

        async def slow(request: web.Request) -> web.Response:
            first_came.set()
            status = next(answers)
            if status == 500:
                await first_waits.wait()
            return web.Response(status=status)

        async with running_endpoint(slow) as url:
            await harness.db.execute("update webhooks set endpoint_url = $1", url)
            await harness.claim()
            await first_came.wait()
            harness.pass_time(seconds=60)
            async with open_delivery_worker(harness.settings, harness.clock) as second:
                assert await second.deliver_due() == 1
            first_waits.set()
            await harness.worker.deliver_due()
        [entry] = await harness.log(webhook)
        assert entry["status"] == "DELIVERY_STATUS_SUCCEEDED"
        assert (await harness.read(webhook))["failure_count"] == 0

    with_harness(settings, act)

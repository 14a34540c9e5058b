"""Webhooks that deliver the events of a room in order, and webhooks with a rate."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from atrium.kit.clock import utc_now
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import queries
from atrium.webhooks.delivery.worker import LEASE
from tests.conftest import Api
from tests.contract.tour import subscription
from tests.webhooks.harness import Harness, with_harness
from tests.webhooks.receiver import Received
from tests.webhooks.subscribing import webhook

SPACE = "WEBHOOK_SUBJECT_TYPE_SPACE"
OF_MESSAGES = [f"WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_{change}" for change in ("SENT", "EDITED", "DELETED")]


async def of_space(harness: Harness, **fields: Any) -> dict[str, Any]:
    subject = {"subject_type": SPACE, "subject_id": harness.made["space_id"]}
    return await harness.subscribe(
        subscriptions=[{**subject, "subscription_type": each} for each in OF_MESSAGES], **fields
    )


async def new_rooms(harness: Harness, count: int) -> list[str]:
    path = f"/v2/spaces/{harness.made['space_id']}/rooms"
    return [(await harness.client.post(path, json={"name": f"room {nr}"})).json()["room_id"] for nr in range(count)]


def summary_of(received: Received) -> tuple[str, str, str]:
    """Return the room, the event and the message of a delivery."""
    body = json.loads(received.body)
    return body["subject"]["id"], body["event_type"], body["data"]["message_id"]


@pytest.mark.contract("Events and deliveries 27")
def test_a_failing_delivery_waits_with_its_own_room_only(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        bad, *good = await new_rooms(harness, 3)
        hook = await of_space(harness, ordering="room", retry_schedule=[10, 20])
        harness.receiver.answer = lambda each: 500 if summary_of(each)[0] == bad else 200
        sent = [
            (room, (await harness.send(str(nr), room_id=room))["message_id"])
            for nr in range(4)
            for room in (bad, *good)
        ]
        await harness.worker.deliver_due()
        of_bad = [message for room, message in sent if room == bad]
        for room in good:
            assert [summary_of(each)[2] for each in harness.receiver.received if summary_of(each)[0] == room] == [
                message for of, message in sent if of == room
            ]
        attempts = list[str]()
        for seconds in (0, 10, 20, 0, 10, 20):
            harness.pass_time(seconds=seconds)
            harness.receiver.received.clear()
            await harness.worker.deliver_due()
            attempts += [summary_of(each)[2] for each in harness.receiver.received]
        of_each = [of_bad[0]] * 2 + [of_bad[1]] * 3 + [of_bad[2]]
        assert attempts == of_each, "after the last attempt of one the next goes on"
        assert [entry["status"] for entry in await harness.log(hook) if entry["subject"]["id"] == bad] == [
            "DELIVERY_STATUS_PENDING",
            "DELIVERY_STATUS_RETRYING",
            "DELIVERY_STATUS_FAILED",
            "DELIVERY_STATUS_FAILED",
        ]

    with_harness(settings, act, pause_counts="exhausted")


@pytest.mark.contract("Events and deliveries 27")
def test_a_room_has_one_delivery_under_way_on_all_workers_also_once_that_is_asked_for(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        first, second = await new_rooms(harness, 2)
        hook = await of_space(harness)
        for room in (first, second):
            message = await harness.send("1", room_id=room)
            path = f"/v2/rooms/{room}/messages/{message['message_id']}"
            await harness.client.patch(path, json={"text": "2"})
            await harness.client.delete(path)
            await harness.send("3", room_id=room)
        harness.clock.at = utc_now() + timedelta(seconds=1)  # triggers take the time of the database
        assert (await harness.change(hook, ordering="room")).status_code == 200
        harness.receiver.may_answer.clear()
        limits = (harness.clock(), harness.clock() + timedelta(minutes=1), 16, 2, 100, harness.clock(), [], [])
        assert await harness.claim() == 2
        assert await harness.db.fetch(queries.CLAIM, *limits, harness.clock(), [], []) == [], (
            "another worker gets nothing"
        )
        while len(harness.receiver.received) < 2:
            await asyncio.sleep(0.01)
        harness.receiver.may_answer.set()
        await harness.worker.deliver_due()
        for room in (first, second):
            events = [summary_of(each)[1] for each in harness.receiver.received if summary_of(each)[0] == room]
            assert events == ["message_sent", "message_edited", "message_deleted", "message_sent"]

    with_harness(settings, act)


def test_what_waits_behind_a_retry_in_its_room_is_not_due(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        hook = await of_space(harness, ordering="room", retry_schedule=[1000])
        harness.receiver.status = 500
        for nr in range(3):
            await harness.send(f"{nr}")
        began = harness.clock()
        await harness.worker.deliver_due()
        assert await harness.db.fetchval(queries.NEXT_DUE) == began + timedelta(seconds=1000)
        await harness.change(hook, ordering="none")
        assert await harness.db.fetchval(queries.NEXT_DUE) == began

    with_harness(settings, act)


def test_a_worker_gives_back_no_delivery_that_another_has_claimed_since(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe()
        await harness.send()
        await harness.worker.queue_events()

        async def claim() -> asyncpg.Record | None:
            now = harness.clock()
            limits = (now, now + LEASE, 16, 2, 100, now, [], [], now, [], [])
            return await harness.db.fetchrow(queries.CLAIM, *limits)

        async def give_back(row: asyncpg.Record) -> None:
            await harness.db.fetch(
                queries.GIVE_BACK,
                *([row[name]] for name in ("webhook_id", "delivery_id", "due_at", "leased_until")),
            )

        lapsed = await claim()
        assert lapsed is not None
        harness.pass_time(seconds=61)
        current = await claim()
        assert current is not None
        await give_back(lapsed)
        assert await claim() is None, "the second worker has it"
        await give_back(current)
        assert await claim() is not None

    with_harness(settings, act)


def test_of_a_small_claim_each_webhook_gets_its_share(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        busy, quiet = await harness.subscribe(), await harness.subscribe()
        for nr in range(10):
            await harness.send(f"{nr}")
        await harness.worker.queue_events()
        await harness.db.execute(
            "delete from due_deliveries where webhook_id = $1 and position > 10",
            quiet["webhook"]["id"],
        )
        now = harness.clock()
        wide = ([busy["webhook"]["id"]], [256])
        rows = await harness.db.fetch(queries.CLAIM, now, now + LEASE, 32, 2, 8, now, *wide, now, [], [])
        of_each = [str(row["webhook_id"]) for row in rows]
        assert {each["webhook"]["id"]: of_each.count(each["webhook"]["id"]) for each in (busy, quiet)} == {
            busy["webhook"]["id"]: 2,
            quiet["webhook"]["id"]: 2,
        }

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 28")
def test_a_rate_is_shared_by_all_workers_and_used_in_full(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        hook = await harness.subscribe(rate_limit=20)
        unlimited = await harness.subscribe()
        for nr in range(60):
            await harness.send(f"{nr}")
        await harness.worker.queue_events()
        claimed, began = list[tuple[str, float]](), harness.clock()
        for _ in range(20):
            now = harness.clock()
            limits = (now, now + timedelta(minutes=1), 64, 2, 100, now, [], [], now + timedelta(seconds=0.2), [], [])
            for _ in range(2):
                rows = await harness.db.fetch(queries.CLAIM, *limits)
                passed = (now - began).total_seconds()
                claimed += [(str(row["webhook_id"]), passed + row["begins_in"]) for row in rows]
            harness.pass_time(milliseconds=130)
        slots = [at for webhook_id, at in claimed if webhook_id == hook["webhook"]["id"]]
        assert slots == pytest.approx([nr / 20 for nr in range(len(slots))]), "a slot every twentieth of a second"
        assert len(slots) == 20 * (19 * 0.13 + 0.2) // 1 + 1
        assert [at for webhook_id, at in claimed if webhook_id == unlimited["webhook"]["id"]] == [0] * 60

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 28")
def test_a_slow_rate_delivers_everything(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe(rate_limit=1)
        for nr in range(3):
            await harness.send(f"{nr}")
        for count in (1, 1, 2, 2, 3, 3):
            await harness.worker.deliver_due()
            assert len(harness.receiver.received) == count
            harness.pass_time(milliseconds=500)

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 27")
def test_order_and_rate_are_kept_until_they_are_changed(api: Api) -> None:
    path = f"{api.organization}/webhooks/{webhook(api, subscription(api.room_id))}"

    def options(**content: Any) -> tuple[str, int | None]:
        answer = api.person.patch(path, json={"content": content})
        assert answer.status_code == 200, answer.text
        return answer.json()["webhook"]["ordering"], answer.json()["webhook"]["rate_limit"]

    assert options(name="x") == ("none", None)
    assert options(ordering="room") == ("room", None)
    assert options(rate_limit=5) == ("room", 5)
    assert options(time_limit=5) == ("room", 5)
    assert options(ordering="none", rate_limit=None) == ("none", None)
    for wrong in ({"ordering": "space"}, {"ordering": None}, {"rate_limit": 0}, {"rate_limit": 1001}):
        answer = api.person.patch(path, json={"content": wrong})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == f"/content/{next(iter(wrong))}"

"""A deleted message is empty in stored deliveries too: the log shows its tombstone, and so does what is sent again."""

import json
from typing import Any

import pytest

from atrium.kit.settings import Settings
from tests.contract.tour import subscription
from tests.rooms.everything import next_runs, rows_with
from tests.webhooks.harness import Harness, with_harness
from tests.webhooks.receiver import assert_verified

EVENTS = ("MESSAGE_SENT", "MESSAGE_EDITED", "MESSAGE_DELETED", "REACTION_ADDED")
WORD = "quokka"


async def subscribe(harness: Harness, *, with_message: bool = True) -> dict[str, Any]:
    """Create a webhook for all that happens to messages, with the message where an event can have it."""
    rows = [
        {**subscription(harness.made["room_id"]), "subscription_type": f"WEBHOOK_SUBSCRIPTION_TYPE_{event}"}
        | ({"include": ["message"]} if with_message and event in EVENTS[:2] else {})
        for event in EVENTS
    ]
    return await harness.subscribe(subscriptions=rows)


async def say(harness: Harness) -> str:
    """Send a message, edit it twice, and react to it; return its path."""
    path = f"/v2/rooms/{harness.made['room_id']}/messages"
    message = f"{path}/{(await harness.send(WORD))['message_id']}"
    for text in (f"{WORD} two", f'{WORD} ","message":{{"message_id":"'):
        await harness.worker.queue_events()
        assert (await harness.client.patch(message, json={"text": text})).is_success
    await harness.worker.queue_events()
    assert (await harness.client.put(f"{message}/reactions/👍")).is_success
    return message


async def deliver(harness: Harness) -> None:
    while await harness.worker.deliver_due():
        pass


async def bodies(harness: Harness, webhook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the bodies in the log, oldest first."""
    log = await harness.log(webhook, limit=200)
    return sorted((json.loads(each["request_body"]) for each in log), key=lambda body: EVENTS.index(_name(body)))


def _name(body: dict[str, Any]) -> str:
    return str(body["event_type"]).upper()


def without_message(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "data": {key: value for key, value in body["data"].items() if key != "message"}}


@pytest.mark.contract("Webhook details 14")
def test_the_log_shows_the_tombstone_and_all_else_of_the_events(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        thick, thin = await subscribe(harness), await subscribe(harness, with_message=False)
        message, other = await say(harness), await say(harness)
        await deliver(harness)
        before, before_thin = await bodies(harness, thick), await bodies(harness, thin)
        assert (await harness.client.delete(message)).status_code == 204
        tombstone, unchanged = [(await harness.client.get(each)).json() for each in (message, other)]
        assert (tombstone["status"], tombstone["text"]) == ("DELETED", "")
        after = [each for each in await bodies(harness, thick) if each["event_type"] != "message_deleted"]
        assert [without_message(each) for each in after] == [without_message(each) for each in before]
        shown = [each["data"]["message"] for each in after if "message" in each["data"]]
        assert [each for each in shown if each["message_id"] == tombstone["message_id"]] == [tombstone] * 3
        assert len(shown) == 6
        texts = [each["text"] for each in shown if each["message_id"] == unchanged["message_id"]]
        assert set(texts) == {WORD, f"{WORD} two", unchanged["text"]}, "another message is as it was sent"
        assert [each for each in await bodies(harness, thin) if _name(each) != EVENTS[2]] == before_thin
        assert (await harness.client.delete(other)).status_code == 204
        assert await rows_with(harness, [WORD]) == {}

    with_harness(settings, act)


async def _retry(harness: Harness, webhook: dict[str, Any]) -> None:
    harness.pass_time(minutes=2)


async def _resend(harness: Harness, webhook: dict[str, Any]) -> None:
    for entry in await harness.log(webhook):
        path = f"{harness.hooks}/{webhook['webhook']['id']}/deliveries/{entry['delivery_id']}/resend"
        assert (await harness.client.post(path)).is_success


async def _replay(harness: Harness, webhook: dict[str, Any]) -> None:
    period = {"since": "2026-11-20", "until": "2026-11-23"}
    path = f"{harness.hooks}/{webhook['webhook']['id']}/replay"
    assert (await harness.client.post(path, json=period)).json() == {"replayed": 1}


@pytest.mark.contract("Webhook details 14")
@pytest.mark.parametrize(
    ("what", "again"),
    [("message", _retry), ("message", _resend), ("message", _replay), ("room", _resend), ("room", _replay)],
)
def test_what_is_sent_after_the_deletion_is_the_tombstone(settings: Settings, what: str, again: Any) -> None:
    """With a signature of these bytes, in the delivery that was made before."""

    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(subscriptions=[subscription(harness.made["room_id"], include=["message"])])
        if again is _replay:
            await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        harness.receiver.status = 500
        message = await harness.send(WORD)
        await deliver(harness)
        path = f"/v2/rooms/{harness.made['room_id']}"
        assert (
            await harness.client.delete(path if what == "room" else f"{path}/messages/{message['message_id']}")
        ).is_success
        if what == "room":
            await next_runs(harness)
        await harness.change(webhook, status="WEBHOOK_STATUS_ACTIVE")
        harness.receiver.status, earlier = 200, len(harness.receiver.received)
        await again(harness, webhook)
        await deliver(harness)
        [received] = harness.receiver.received[earlier:]
        assert_verified(received, webhook["secret"])
        [entry] = await harness.log(webhook)
        assert received.delivery_id == entry["delivery_id"]
        assert received.body.decode() == entry["request_body"]
        assert WORD not in entry["request_body"]
        sent = json.loads(received.body)["data"]
        assert (sent["message_id"], sent["message"]["status"]) == (message["message_id"], "DELETED")
        assert entry["status"] == "DELIVERY_STATUS_SUCCEEDED"

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 14")
def test_the_deliveries_of_a_message_are_found_by_an_index(settings: Settings) -> None:
    """In every partition, and without reading the log."""

    async def act(harness: Harness) -> None:
        await harness.db.execute("select keep_deliveries(now(), 30)")
        await harness.db.execute("set enable_seqscan = off")
        plan = await harness.db.fetch(
            "explain select from deliveries d where included_message(d.body) = '00000000-0000-0000-0000-000000000000'"
        )
        assert not [row[0] for row in plan if "Seq Scan" in row[0]]
        assert sum("included_message" in row[0] for row in plan) >= 4

    with_harness(settings, act)

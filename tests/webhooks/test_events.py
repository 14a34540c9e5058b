"""The events of a webhook: their choice, log, resending and deletion."""

import asyncio
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from aiohttp import web

from atrium.kit.clock import rfc3339
from atrium.kit.settings import Settings
from atrium.transcripts.queries import LOG_PUBLISHED
from atrium.webhooks.delivery.headers import with_custom
from atrium.webhooks.log.queries import MAINTAIN_PARTITIONS
from tests.contract.tour import subscription
from tests.webhooks.harness import NOON, Harness, with_harness
from tests.webhooks.receiver import Received, assert_verified, running_endpoint

TRANSCRIPT = "WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_TRANSCRIPT_PUBLISHED"


async def new_room(harness: Harness, room_type: str) -> str:
    body = {"name": f"{room_type} {uuid4()}", "room_type": room_type}
    return (await harness.client.post(f"/v2/spaces/{harness.made['space_id']}/rooms", json=body)).json()["room_id"]


async def events_of(harness: Harness, webhook: dict[str, Any]) -> list[str]:
    """Return the ids of the messages sent to the webhook, oldest first."""
    log = await harness.log(webhook, limit=200)
    return [json.loads(entry["request_body"])["data"]["message_id"] for entry in reversed(log)]


@pytest.mark.contract("Webhooks and subscriptions 2")
def test_subscriptions_to_a_room_a_space_and_a_filter_match_only_their_events(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        room, space = harness.made["room_id"], harness.made["space_id"]
        video = await new_room(harness, "video")
        of_room = await harness.subscribe()
        of_space = await harness.subscribe(subscriptions=[subscription(space, "SPACE")])
        of_videos = await harness.subscribe(subscriptions=[subscription(space, "SPACE", filter={"room_type": "video"})])
        filtered = await harness.subscribe(subscriptions=[subscription(room, filter={"room_type": "post"})])
        chat_message = (await harness.send("a"))["message_id"]
        harness.pass_time(seconds=1)
        video_message = (await harness.send("b", room_id=video))["message_id"]
        harness.pass_time(seconds=1)
        reply = (await harness.send("c", parent_id=chat_message))["message_id"]
        assert await events_of(harness, of_room) == [chat_message, reply]
        assert await events_of(harness, of_space) == [chat_message, video_message, reply]
        assert await events_of(harness, of_videos) == [video_message]
        assert await events_of(harness, filtered) == []
        assert await harness.worker.deliver_due() == 6

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 1")
def test_several_matching_subscriptions_create_one_delivery(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        room, space = harness.made["room_id"], harness.made["space_id"]
        wanted = [subscription(room), subscription(space, "SPACE"), subscription(room, filter={"room_type": "chat"})]
        webhook = await harness.subscribe(subscriptions=wanted)
        await harness.send()
        assert await harness.worker.deliver_due() == 1
        assert len(await harness.log(webhook)) == 1

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 1")
def test_a_rejected_or_repeated_send_creates_no_event(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        path, once = f"/v2/rooms/{harness.made['room_id']}/messages", {"idempotency-key": "k"}
        for _ in range(3):
            assert (await harness.client.post(path, json={"text": "x"}, headers=once)).status_code == 201
        refused = await harness.client.post(path, json={"text": "y", "parent_id": harness.made["room_id"]})
        assert refused.status_code == 404
        assert len(await harness.log(webhook)) == 1

    with_harness(settings, act)


@pytest.mark.contract("Webhook status 6")
def test_an_inactive_webhook_receives_nothing_and_its_log_shows_missed_events(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        await harness.send()
        assert await harness.worker.deliver_due() == 0
        [entry] = await harness.log(webhook)
        assert (entry["status"], entry["attempts"], entry["next_retry_at"]) == ("DELIVERY_STATUS_MISSED", [], None)
        assert (await harness.read(webhook))["missed_count"] == 1
        await harness.change(webhook, status="WEBHOOK_STATUS_ACTIVE")
        harness.pass_time(minutes=1)
        assert await harness.worker.deliver_due() == 0, "what was missed goes when it is replayed, and not before"
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        assert (await harness.client.post(f"{hook}/deliveries/{entry['delivery_id']}/resend")).status_code == 202
        assert await harness.worker.deliver_due() == 1
        [entry] = await harness.log(webhook)
        assert entry["status"] == "DELIVERY_STATUS_SUCCEEDED"

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 2")
def test_the_transcript_event_has_its_own_subscription_and_data(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        room = harness.made["room_id"]
        matching = await harness.subscribe(subscriptions=[{**subscription(room), "subscription_type": TRANSCRIPT}])
        not_matching = await harness.subscribe()
        missing = await harness.subscribe(subscriptions=[{**subscription(room), "subscription_type": TRANSCRIPT}])
        await harness.change(missing, status="WEBHOOK_STATUS_INACTIVE")
        data = json.dumps({"recording_id": room, "room_id": room, "created_at": "2026-11-21T12:00:00.000Z"})
        await harness.db.execute(LOG_PUBLISHED, room, "room_recording_transcript_published", data)
        assert await harness.worker.deliver_due() == 1
        [received] = harness.receiver.received
        envelope = json.loads(received.body)
        assert envelope["event_type"] == received.headers["X-Service-Event"] == "room_recording_transcript_published"
        assert envelope["subject"] == {"type": "room", "id": room}
        assert envelope["data"] == json.loads(data)
        assert (len(await harness.log(matching)), len(await harness.log(not_matching))) == (1, 0)
        [missed] = await harness.log(missing)
        assert (missed["status"], missed["next_retry_at"]) == ("DELIVERY_STATUS_MISSED", None)

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 2")
def test_custom_headers_are_sent_and_ours_win(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(
            headers={"X-Token": "opaque", "X-SERVICE-event": "forged", "User-Agent": "me"}
        )
        await harness.send()
        await harness.worker.deliver_due()
        [received] = harness.receiver.received
        assert received.headers["X-Token"] == "opaque"
        assert received.headers["X-Service-Event"] == "message_sent"
        assert "forged" not in received.headers.values()
        assert received.headers["User-Agent"].startswith("Atrium-Webhooks/")
        assert "opaque" not in json.dumps(await harness.log(webhook))

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 2")
def test_a_custom_header_with_the_name_of_a_built_in_one_is_dropped_in_any_case() -> None:
    ours, custom = {"X-Service-Event": "message_sent"}, {"X-Token": "opaque", "x-SERVICE-event": "forged"}
    assert with_custom(ours, custom) == {"X-Token": "opaque", "X-Service-Event": "message_sent"}


@pytest.mark.contract("Webhook details 12")
def test_both_secrets_sign_during_the_overlap_and_then_only_the_new_one(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        rotated = (await harness.client.post(f"{hook}/rotate-secret", json={"overlap_hours": 2})).json()
        await harness.send()
        await harness.worker.deliver_due()
        harness.pass_time(hours=2)
        await harness.send()
        await harness.worker.deliver_due()
        during, after = harness.receiver.received
        assert_verified(during, webhook["secret"])
        both = during.headers["webhook-signature"].split(" ")
        assert len(both) == 2
        assert_verified(after, rotated["secret"])
        assert len(after.headers["webhook-signature"].split(" ")) == 1

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 15")
def test_a_test_returns_the_response_of_the_endpoint(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(name="Prüfung 🔔")
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        shown = (await harness.client.post(f"{hook}/test")).json()["delivery"]
        assert (shown["event_type"], shown["status"]) == ("ping", "DELIVERY_STATUS_SUCCEEDED")
        assert shown["attempts"][0]["response_excerpt"] == "taken"
        harness.receiver.answer = lambda _: 418
        shown = (await harness.client.post(f"{hook}/test")).json()["delivery"]
        assert (shown["status"], shown["response_code"]) == ("DELIVERY_STATUS_FAILED", 418)
        assert shown["attempts"][0]["error"] == "HTTP 418"
        assert json.loads(harness.receiver.received[0].body)["data"]["name"] == "Prüfung 🔔"
        assert await harness.worker.deliver_due() == 0

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 4")
def test_the_log_is_filtered_and_paged_newest_first(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        harness.receiver.answer = lambda received: 500 if b"ping" in received.body else 200
        for _ in range(7):
            await harness.send()
            harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        hook = f"{harness.hooks}/{webhook['webhook']['id']}"
        await harness.client.post(f"{hook}/test")
        assert len(await harness.log(webhook, event_type="ping")) == 1
        assert len(await harness.log(webhook, status="DELIVERY_STATUS_FAILED")) == 1
        assert len(await harness.log(webhook, status="DELIVERY_STATUS_SUCCEEDED")) == 7
        window = {"since": "2026-11-21T12:02:00Z", "until": "2026-11-21T12:04:00Z"}
        assert len(await harness.log(webhook, **window)) == 2
        seen, cursor = list[str](), None
        while True:
            query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
            page = (await harness.client.get(f"{hook}/logs", params=query)).json()
            seen += [entry["delivery_id"] for entry in page["logs"]]
            if (cursor := page["next_cursor"]) is None:
                break
        assert len(seen) == 8
        assert seen == sorted(seen, reverse=True)
        for name, value in (("status", "SENT"), ("since", "noon"), ("cursor", "x")):
            assert (await harness.client.get(f"{hook}/logs", params={name: value})).status_code == 400

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 4")
def test_a_waiting_delivery_of_an_inactive_webhook_has_no_next_attempt_time(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        harness.receiver.status = 500
        await harness.send()
        await harness.worker.deliver_due()
        [entry] = await harness.log(webhook)
        assert entry["next_retry_at"] == rfc3339(NOON + timedelta(minutes=1))
        await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        [waiting] = await harness.log(webhook)
        assert waiting == {**entry, "next_retry_at": None}
        harness.pass_time(days=2)
        assert await harness.worker.deliver_due() == 0
        harness.clock.at = NOON
        await harness.change(webhook, status="WEBHOOK_STATUS_ACTIVE")
        assert await harness.log(webhook) == [entry]

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 4")
def test_the_response_code_is_that_of_the_last_attempt_or_null(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        harness.receiver.status = 500
        await harness.send()
        assert [entry["response_code"] for entry in await harness.log(webhook)] == [None]
        await harness.worker.deliver_due()
        assert [entry["response_code"] for entry in await harness.log(webhook)] == [500]
        await harness.db.execute("update webhooks set endpoint_url = 'http://127.0.0.1:9/'")
        harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        [entry] = await harness.log(webhook)
        assert [each["response_code"] for each in entry["attempts"]] == [500, None]
        assert entry["response_code"] is None

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 4")
def test_a_failed_manual_resend_leaves_a_delivered_event_succeeded(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        [entry] = await harness.log(webhook)
        harness.receiver.status = 500
        resend = f"{harness.hooks}/{webhook['webhook']['id']}/deliveries/{entry['delivery_id']}/resend"
        answer = await harness.client.post(resend)
        assert answer.json()["delivery"]["status"] == "DELIVERY_STATUS_SUCCEEDED"
        assert await harness.worker.deliver_due() == 1
        [entry] = await harness.log(webhook)
        assert (entry["status"], entry["retry_count"]) == ("DELIVERY_STATUS_SUCCEEDED", 1)
        assert (entry["response_code"], entry["attempts"][1]["error"]) == (500, "HTTP 500")
        assert entry["next_retry_at"] is None
        harness.pass_time(days=2)
        assert (await harness.worker.deliver_due(), await harness.mails()) == (0, []), (
            "it is tried once, and no mail is sent"
        )

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 3")
@pytest.mark.parametrize(("subscribed", "deleted"), [("room", "room"), ("space", "space"), ("room", "space")])
def test_a_webhook_reports_a_deleted_room_or_space_and_its_waiting_deliveries_are_missed(
    settings: Settings, subscribed: str, deleted: str
) -> None:
    async def act(harness: Harness) -> None:
        room, space = await new_room(harness, "chat"), harness.made["space_id"]
        subject = subscription(room) if subscribed == "room" else subscription(space, "SPACE")
        webhook = await harness.subscribe(subscriptions=[subject])
        other = await harness.subscribe(subscriptions=[subscription(space, "SPACE")])
        harness.receiver.status = 500
        await harness.send(room_id=room)
        await harness.worker.deliver_due()
        await harness.send(room_id=room)
        remaining = (await harness.send())["message_id"]
        assert (await harness.read(webhook))["deleted_subjects"] == []
        gone = await harness.client.delete(f"/v2/rooms/{room}" if deleted == "room" else f"/v1/spaces/{space}")
        assert gone.status_code == 204
        assert (await harness.read(webhook))["deleted_subjects"] == [subject["subject_id"]]
        ended = [entry for hook in (webhook, other) for entry in await harness.log(hook) if remaining not in str(entry)]
        assert len(ended) == 4
        assert {(entry["status"], entry["next_retry_at"]) for entry in ended} == {("DELIVERY_STATUS_MISSED", None)}
        harness.pass_time(days=2)
        assert await harness.worker.deliver_due() == (1 if deleted == "room" else 0), "the other room goes on"

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 3")
def test_an_attempt_in_flight_when_its_room_is_deleted_is_recorded_if_it_succeeds(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        room = await new_room(harness, "chat")
        webhook = await harness.subscribe(subscriptions=[subscription(room)])
        came, waits = asyncio.Event(), asyncio.Event()

        async def slow(_: web.Request) -> web.Response:
            came.set()
            await waits.wait()
            return web.Response()

        async with running_endpoint(slow) as url:
            await harness.db.execute("update webhooks set endpoint_url = $1", url)
            await harness.send(room_id=room)
            await harness.claim()
            await came.wait()
            assert (await harness.client.delete(f"/v2/rooms/{room}")).status_code == 204
            assert [entry["status"] for entry in await harness.log(webhook)] == ["DELIVERY_STATUS_MISSED"]
            waits.set()
            await harness.worker.deliver_due()
        [entry] = await harness.log(webhook)
        assert (entry["status"], len(entry["attempts"])) == ("DELIVERY_STATUS_SUCCEEDED", 1)

    with_harness(settings, act)


def test_a_deleted_webhook_receives_nothing_more(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        harness.receiver.status = 500
        await harness.send()
        await harness.worker.deliver_due()
        assert (await harness.client.delete(f"{harness.hooks}/{webhook['webhook']['id']}")).status_code == 204
        await harness.send()
        harness.pass_time(days=2)
        assert await harness.worker.deliver_due() == 0
        assert await harness.db.fetchval("select count(*) from due_deliveries") == 0

    with_harness(settings, act)


def test_a_webhook_deleted_during_an_attempt_is_not_retried(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.send()

        def fail_later(_: Received) -> int:
            return 500

        harness.receiver.answer = fail_later
        await harness.claim()
        await harness.client.delete(f"{harness.hooks}/{webhook['webhook']['id']}")
        await harness.worker.deliver_due()
        harness.pass_time(days=2)
        assert await harness.worker.deliver_due() == 0

    with_harness(settings, act)


@pytest.mark.contract("Webhooks and subscriptions 4")
def test_the_log_is_kept_thirty_days_and_then_dropped_by_partition(settings: Settings) -> None:
    async def partitions(harness: Harness) -> list[str]:
        rows = await harness.db.fetch(
            """select relname from pg_class where relname ~ '^deliveries_[0-9]{8}$' and relkind = 'r'
               and relnamespace = current_schema()::regnamespace order by relname"""
        )
        return [row["relname"] for row in rows]

    async def act(harness: Harness) -> None:
        await harness.db.execute(MAINTAIN_PARTITIONS, NOON, 30)
        assert await partitions(harness) == [f"deliveries_202611{day}" for day in (21, 22, 23, 24)]
        webhook = await harness.subscribe()
        await harness.send()
        await harness.worker.queue_events()
        assert await harness.db.fetchval("select count(*) from deliveries_20261121") == 1
        for day in range(1, 31):
            await harness.db.execute(MAINTAIN_PARTITIONS, NOON + timedelta(days=day), 30)
        assert len(await harness.log(webhook)) == 1
        await harness.db.execute(MAINTAIN_PARTITIONS, NOON + timedelta(days=31), 30)
        assert await harness.log(webhook) == []
        assert "deliveries_20261121" not in await partitions(harness)
        assert await harness.db.fetchval("select count(*) from due_deliveries") == 0

    with_harness(settings, act)

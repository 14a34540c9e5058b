"""A webhook on a space whose rooms are in two buckets."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from atrium.kit.clock import rfc3339, utc_now
from atrium.kit.settings import Settings
from atrium.webhooks import delivery_worker
from atrium.webhooks.actions import REPLAY_INTERVAL
from tests.transcripts.harness import add_recording
from tests.webhooks.harness import Harness, running_harness

SPACE, TYPE, STATUS = "WEBHOOK_SUBJECT_TYPE_SPACE", "WEBHOOK_SUBSCRIPTION_TYPE_", "DELIVERY_STATUS_"
OF_ROOMS = ("MESSAGE_SENT", "MESSAGE_EDITED", "ROOM_CREATED", "ROOM_UPDATED", "ROOM_RECORDING_READY")
BUCKET_OF_DELIVERY = """
select 0 as bucket from public.deliveries where delivery_id = $1
union all select 1 from bucket_1.deliveries where delivery_id = $1
"""
Rooms = tuple[str, str]


async def new_room(harness: Harness, name: str) -> str:
    made = await harness.client.post(f"/v2/spaces/{harness.made['space_id']}/rooms", json={"name": name})
    return str(made.json()["room_id"])


async def of_space(harness: Harness, *events: str, **fields: Any) -> dict[str, Any]:
    """Create a webhook for events of the space, and thereby of its rooms."""
    subject = {"subject_type": SPACE, "subject_id": harness.made["space_id"]}
    wanted = [{**subject, "subscription_type": TYPE + each} for each in events or OF_ROOMS]
    return await harness.subscribe(subscriptions=wanted, **fields)


async def send_to_each(harness: Harness, rooms: Rooms, count: int = 3) -> list[str]:
    """Send messages to the rooms in turn; return their ids."""
    return [
        (await harness.send(f"{nr}", room_id=room))["message_id"] for nr in range(count) for room in rooms
    ]  # fmt: skip


def messages_of(bodies: Sequence[dict[str, Any]]) -> list[str]:
    return [body["data"]["message_id"] for body in bodies]


def received(harness: Harness) -> list[dict[str, Any]]:
    """Return the bodies that the endpoint received since the last call, in their order."""
    taken = [json.loads(each.body) for each in harness.receiver.received]
    harness.receiver.received.clear()
    return taken


async def waiting(harness: Harness) -> list[Any]:
    """Return what waits in the queues of both buckets, in the order of the times when it is due."""
    return await harness.db.fetch("select * from every_bucket.due_deliveries order by due_at")


def with_rooms(settings: Settings, act: Callable[[Harness, Rooms], Awaitable[None]]) -> None:
    """Run `act` with a harness, and rooms in bucket 1 and in bucket 0."""

    async def example() -> None:
        async with asyncio.timeout(120), running_harness(settings) as harness:
            rooms = harness.made["room_id"], await new_room(harness, "other")
            assert [
                await harness.db.fetchval("select bucket from rooms where room_id = $1", UUID(room)) for room in rooms
            ] == [1, 0]
            await act(harness, rooms)

    asyncio.run(example())


def test_each_message_is_sent_once_and_the_log_has_those_of_both_buckets(two_buckets: Settings) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        hook = await of_space(harness)
        sent = await send_to_each(harness, rooms)
        assert await harness.worker.deliver_due() == len(sent)
        assert sorted(messages_of(received(harness))) == sorted(sent)
        assert await waiting(harness) == []
        entries = await harness.log(hook)
        assert [entry["delivery_id"] for entry in entries] == sorted(
            (entry["delivery_id"] for entry in entries), reverse=True
        )
        assert sorted(messages_of([json.loads(entry["request_body"]) for entry in entries])) == sorted(sent)
        assert {entry["status"] for entry in entries} == {STATUS + "SUCCEEDED"}
        paged, query = list[dict[str, Any]](), dict[str, Any](limit=4)
        while True:
            page = (await harness.client.get(f"{harness.hooks}/{hook['webhook']['id']}/logs", params=query)).json()
            paged += page["logs"]
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
        assert paged == entries

    with_rooms(two_buckets, act)


def test_a_delivery_of_either_bucket_is_resent(two_buckets: Settings) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        hook = await of_space(harness)
        sent = await send_to_each(harness, rooms, 1)
        await harness.worker.deliver_due()
        received(harness)
        path = f"{harness.hooks}/{hook['webhook']['id']}/deliveries"
        for entry in await harness.log(hook):
            assert (await harness.client.post(f"{path}/{entry['delivery_id']}/resend")).status_code == 202
        assert await harness.worker.deliver_due() == len(sent)
        assert sorted(messages_of(received(harness))) == sorted(sent)
        assert [len(entry["attempts"]) for entry in await harness.log(hook)] == [2, 2]

    with_rooms(two_buckets, act)


def test_a_replay_and_its_preview_count_both_buckets_and_share_one_pace(two_buckets: Settings) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        hook = await of_space(harness)
        path = f"{harness.hooks}/{hook['webhook']['id']}"
        await harness.change(hook, status="WEBHOOK_STATUS_INACTIVE")
        sent = await send_to_each(harness, rooms)
        assert (await harness.read(hook))["missed_count"] == len(sent)
        await harness.change(hook, status="WEBHOOK_STATUS_ACTIVE")
        previews = (await harness.client.get(f"{path}/replay")).json()["previews"]
        assert {each["status"]: each["deliveries"] for each in previews}[STATUS + "MISSED"] == len(sent)
        period = {"since": rfc3339(harness.clock() - timedelta(1)), "until": rfc3339(harness.clock() + timedelta(1))}
        assert (await harness.client.post(f"{path}/replay", json=period)).json() == {"replayed": len(sent)}
        due = [row["due_at"] for row in await waiting(harness)]
        assert due == [harness.clock() + nr * REPLAY_INTERVAL for nr in range(len(sent))]
        harness.pass_time(seconds=1)
        await harness.worker.deliver_due()
        assert sorted(messages_of(received(harness))) == sorted(sent)

    with_rooms(two_buckets, act)


def test_failures_in_both_buckets_pause_a_webhook_and_what_waits_goes_out_gradually_after(
    two_buckets: Settings,
) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        hook = await of_space(harness, retry_schedule=[100])
        harness.receiver.status = 500
        sent = await send_to_each(harness, rooms, 5)
        await harness.worker.deliver_due()
        assert (await harness.read(hook))["status"] == "WEBHOOK_STATUS_PAUSED"
        assert [mail["subject"] for mail in await harness.mails()].count("Webhook paused: hook") == 1
        missed = await send_to_each(harness, rooms, 1)
        harness.pass_time(seconds=101)
        assert await harness.worker.deliver_due() == 0
        await harness.change(hook, status="WEBHOOK_STATUS_ACTIVE")
        due = [row["due_at"] for row in await waiting(harness)]
        assert due == [harness.clock() + nr * REPLAY_INTERVAL for nr in range(1, len(sent) + 1)]
        received(harness)
        harness.receiver.status = 200
        harness.pass_time(seconds=2)
        await harness.worker.deliver_due()
        assert sorted(messages_of(received(harness))) == sorted(sent)
        entries = await harness.log(hook, status=STATUS + "MISSED")
        assert sorted(messages_of([json.loads(entry["request_body"]) for entry in entries])) == sorted(missed)

    with_rooms(two_buckets, act)


def test_events_of_a_room_wait_in_its_bucket_in_their_order_wherever_they_happen(two_buckets: Settings) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        hook = await of_space(harness, ordering="room")
        events = list[str]()
        for number in (1, 0):
            room = await new_room(harness, f"in {number}")  # by a request of the space
            made = await harness.client.post(f"/v2/rooms/{room}/incoming-webhooks", json={"name": "Alerts"})
            await harness.send("first", room_id=room)
            url = made.json()["url"].removeprefix("http://atrium.test")
            assert (await harness.client.post(url, json={"text": "second"})).text == "ok"
            await harness.client.patch(f"/v2/rooms/{room}", json={"name": f"renamed {number}"})
            await add_recording(harness, room_id=room)
            events = ["room_created", "message_sent", "message_sent", "room_updated", "room_recording_ready"]
            entries = [entry for entry in await harness.log(hook) if entry["subject"]["id"] == room]
            found = [await harness.db.fetch(BUCKET_OF_DELIVERY, UUID(entry["delivery_id"])) for entry in entries]
            assert [[row["bucket"] for row in rows] for rows in found] == [[number]] * len(events)
        harness.clock.at = utc_now() + timedelta(seconds=1)  # triggers take the time of the database
        await harness.worker.deliver_due()
        by_room = dict[str, list[str]]()
        for body in received(harness):
            by_room.setdefault(body["subject"]["id"], []).append(body["event_type"])
        assert list(by_room.values()) == [events] * 2

    with_rooms(two_buckets, act)


def test_an_event_without_a_room_waits_in_bucket_0_also_if_it_happens_in_a_room(two_buckets: Settings) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        organization = harness.made["organization_id"]
        subject = {"subject_type": "WEBHOOK_SUBJECT_TYPE_ORGANIZATION", "subject_id": organization}
        hook = await harness.subscribe(subscriptions=[{**subject, "subscription_type": TYPE + "AUDIT_ENTRY"}])
        for room in rooms:
            await harness.client.patch(f"/v2/rooms/{room}", json={"name": f"renamed {room}"})
        entries = await harness.log(hook)
        found = [await harness.db.fetch(BUCKET_OF_DELIVERY, UUID(entry["delivery_id"])) for entry in entries]
        assert len(found) > len(rooms)
        assert [[row["bucket"] for row in rows] for rows in found] == [[0]] * len(entries)

    with_rooms(two_buckets, act)


def test_nothing_waits_in_any_bucket_for_a_room_a_space_or_a_webhook_that_was_deleted(two_buckets: Settings) -> None:
    async def act(harness: Harness, rooms: Rooms) -> None:
        hook = await of_space(harness, "MESSAGE_SENT")
        await send_to_each(harness, rooms, 2)
        for gone in rooms:
            assert (await harness.client.delete(f"/v2/rooms/{gone}")).status_code == 204
            assert UUID(gone) not in {row["subject_id"] for row in await waiting(harness)}
        assert [entry["status"] for entry in await harness.log(hook)] == [STATUS + "MISSED"] * 4
        others = await new_room(harness, "third"), await new_room(harness, "fourth")
        await send_to_each(harness, others, 1)
        assert {row["subject_id"] for row in await waiting(harness)} == set(map(UUID, others))
        spare = await of_space(harness, "MESSAGE_SENT")
        await send_to_each(harness, others, 1)
        assert (await harness.client.delete(f"{harness.hooks}/{spare['webhook']['id']}")).status_code == 204
        assert {row["webhook_id"] for row in await waiting(harness)} == {UUID(hook["webhook"]["id"])}
        assert (await harness.client.delete(f"/v1/spaces/{harness.made['space_id']}")).status_code == 204
        assert await waiting(harness) == []

    with_rooms(two_buckets, act)


def test_a_backlog_in_one_bucket_does_not_keep_the_other_waiting(
    two_buckets: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_worker, "CONCURRENT", 1)

    async def act(harness: Harness, rooms: Rooms) -> None:
        await of_space(harness)
        for room in [*[rooms[0]] * 4, *[rooms[1]] * 4]:
            await harness.send(room_id=room)
        await harness.worker.deliver_due()
        delivered = [body["subject"]["id"] for body in received(harness)]
        assert len(delivered) == 8
        assert all(set(pair) == set(rooms) for pair in zip(delivered[::2], delivered[1::2], strict=True))

    with_rooms(two_buckets, act)


def test_a_test_of_a_webhook_is_in_its_log(two_buckets: Settings) -> None:
    async def act(harness: Harness, _: Rooms) -> None:
        hook = await of_space(harness)
        tested = await harness.client.post(f"{harness.hooks}/{hook['webhook']['id']}/test")
        assert tested.json()["delivery"]["status"] == STATUS + "SUCCEEDED"
        assert await harness.log(hook) == [tested.json()["delivery"]]

    with_rooms(two_buckets, act)

"""Organizations share the places of a worker: none of them can make the others wait."""

import asyncio
from collections import defaultdict
from typing import Any

import httpx
import pytest

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.kit.process.fair_semaphore import FairSemaphore
from atrium.kit.settings import Settings
from atrium.webhooks.delivery.worker import DeliveryWorker, open_delivery_worker
from atrium.webhooks.log import ping
from atrium.webhooks.manage import queries
from tests.contract.tour import assert_problem, subscription
from tests.webhooks.harness import NOON, Harness, with_harness
from tests.webhooks.receiver import Receiver, running_receiver

PLACES = 8


async def another_organization(harness: Harness, receiver: Receiver) -> dict[str, Any]:
    """Create another organization with a webhook for its room."""
    async with harness.db.transaction():
        made = await set_up(
            harness.db, "http://atrium.test", organization="Other", email="grace@other.example", name="Grace", now=NOON
        )
    content = {"name": "hook", "endpoint_url": receiver.url, "subscriptions": [subscription(made["room_id"])]}
    path = f"/v1/organizations/{made['organization_id']}/webhooks"
    answer = await harness.client.post(path, json={"content": content}, headers=key_of(made))
    assert answer.status_code == 201, answer.text
    return {**made, "webhook": f"{path}/{answer.json()['webhook']['id']}"}


def key_of(made: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {made['personal_key']}"}


async def send_in(harness: Harness, made: dict[str, Any]) -> None:
    path = f"/v2/rooms/{made['room_id']}/messages"
    answer = await harness.client.post(path, json={"text": "hello"}, headers=key_of(made))
    assert answer.status_code == 201, answer.text


async def wait_for_requests(receiver: Receiver, number: int) -> None:
    while len(receiver.received) < number:
        await asyncio.sleep(0.01)


async def claim_all(worker: DeliveryWorker) -> int:
    """Queue and claim until nothing more can be claimed. Return the number of claimed deliveries."""
    await worker.queue_events()
    number = 0
    while claimed := await worker.claim():
        number += claimed
    return number


@pytest.mark.contract("Webhook details 17")
def test_the_hanging_webhooks_of_an_organization_do_not_delay_those_of_another(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        for _ in range(3 * PLACES):
            await harness.subscribe()
        harness.receiver.may_answer.clear()
        async with (
            open_delivery_worker(harness.settings, harness.clock, places=PLACES) as worker,
            running_receiver() as quick,
        ):
            other = await another_organization(harness, quick)
            await harness.send()
            assert await claim_all(worker) == PLACES / 2
            await wait_for_requests(harness.receiver, PLACES // 2)
            await send_in(harness, other)
            assert await claim_all(worker) == 1, "and the first organization still gets no more"
            await wait_for_requests(quick, 1)
            assert len(harness.receiver.received) == PLACES / 2, "which all hang"
            harness.receiver.may_answer.set()
            await worker.deliver_due()
        assert len(harness.receiver.received) == 3 * PLACES

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 17")
def test_organizations_get_equal_shares_of_a_claim(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        for _ in range(PLACES):
            await harness.subscribe()
        harness.receiver.may_answer.clear()
        async with (
            open_delivery_worker(harness.settings, harness.clock, places=PLACES) as worker,
            running_receiver() as other,
        ):
            made = await another_organization(harness, other)
            other.may_answer.clear()
            for _ in range(PLACES):
                await harness.send()
                await send_in(harness, made)
            await worker.queue_events()
            assert await worker.claim() == 6, "a third each, and a third is free"
            await wait_for_requests(harness.receiver, 3)
            await wait_for_requests(other, 3)
            assert (len(harness.receiver.received), len(other.received)) == (3, 3)
            for each in (harness.receiver, other):
                each.may_answer.set()
            await worker.deliver_due()
        assert (len(harness.receiver.received), len(other.received)) == (PLACES * PLACES, PLACES)

    with_harness(settings, act)


def test_the_long_queue_of_an_organization_leaves_places_for_a_webhook_that_fails(settings: Settings) -> None:
    """Webhooks that fail come last, but not behind all that another organization has queued."""

    async def act(harness: Harness) -> None:
        for _ in range(3 * PLACES):
            await harness.subscribe()
        async with (
            open_delivery_worker(harness.settings, harness.clock, places=PLACES) as worker,
            running_receiver() as other,
        ):
            made = await another_organization(harness, other)
            other.status = 500
            await send_in(harness, made)
            await worker.deliver_due()
            other.status = 200
            await send_in(harness, made)
            await harness.send()
            await worker.queue_events()
            assert await worker.claim() > PLACES / 2, "more than one organization may have"
            await worker.deliver_due()
        assert len(harness.receiver.received) == 3 * PLACES

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 17")
def test_an_organization_runs_one_preview_at_a_time(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async def preview(made: dict[str, Any]) -> httpx.Response:
            path = f"/v1/organizations/{made['organization_id']}/webhook-preview"
            body = {"content": {"subscriptions": [subscription(made["room_id"])]}}
            return await harness.client.post(path, json=body, headers=key_of(made))

        async with running_receiver() as receiver:
            other = await another_organization(harness, receiver)
        async with harness.db.transaction():  # as a preview that takes long
            await harness.db.fetchval(queries.TRY_LOCK_PREVIEW, harness.made["organization_id"])
            refused = await preview(harness.made)
            assert assert_problem(refused, 429)["code"] == "preview_in_progress"
            assert refused.headers["retry-after"] == "1"
            assert (await preview(other)).status_code == 200
        assert (await preview(harness.made)).status_code == 200

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 17")
def test_the_hanging_tests_of_an_organization_do_not_delay_those_of_another(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ping, "_tests", defaultdict(lambda: FairSemaphore(3, 2)))

    async def act(harness: Harness) -> None:
        async with running_receiver() as quick:
            hook, other = await harness.subscribe(), await another_organization(harness, quick)
            harness.receiver.may_answer.clear()
            path = f"{harness.hooks}/{hook['webhook']['id']}/test"
            hanging = [asyncio.create_task(harness.client.post(path)) for _ in range(6)]
            await wait_for_requests(harness.receiver, 2)
            tested = await harness.client.post(f"{other['webhook']}/test", headers=key_of(other))
            assert tested.json()["delivery"]["status"] == "DELIVERY_STATUS_SUCCEEDED"
            assert len(harness.receiver.received) == 2
            harness.receiver.may_answer.set()
            assert {answer.status_code for answer in await asyncio.gather(*hanging)} == {200}

    with_harness(settings, act)

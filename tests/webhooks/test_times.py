"""A webhook's own retry schedule and time limit."""

import asyncio
from typing import Any

import pytest
from aiohttp import web

from atrium.kit.settings import Settings
from tests.conftest import Api
from tests.contract.tour import subscription
from tests.webhooks.harness import Harness, with_harness
from tests.webhooks.receiver import running_endpoint
from tests.webhooks.subscribing import webhook


@pytest.mark.contract("Events and deliveries 25")
def test_attempts_follow_the_schedule_of_their_webhook(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.receiver.status = 500
        own = await harness.subscribe(retry_schedule=[10, 20])
        none = await harness.subscribe(retry_schedule=[])
        usual = await harness.subscribe()
        await harness.send()
        for seconds, attempts in (
            (0, [1, 1, 1]),
            (9, [1, 1, 1]),
            (1, [2, 1, 1]),
            (19, [2, 1, 1]),
            (1, [3, 1, 1]),
            (30, [3, 1, 2]),
        ):
            harness.pass_time(seconds=seconds)
            await harness.worker.deliver_due()
            assert [len((await harness.log(each))[0]["attempts"]) for each in (own, none, usual)] == attempts
        statuses = [(await harness.log(each))[0]["status"] for each in (own, none, usual)]
        assert statuses == ["DELIVERY_STATUS_FAILED", "DELIVERY_STATUS_FAILED", "DELIVERY_STATUS_RETRYING"]
        await harness.change(usual, retry_schedule=[1])
        harness.pass_time(minutes=5)
        await harness.worker.deliver_due()
        assert (await harness.log(usual))[0]["status"] == "DELIVERY_STATUS_FAILED"  # its schedule has no third attempt

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 25")
def test_an_attempt_ends_at_the_time_limit_of_its_webhook(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async def hang(_: web.Request) -> web.Response:
            await asyncio.Event().wait()
            raise AssertionError

        async with running_endpoint(hang) as url:
            impatient = await harness.subscribe(endpoint_url=url, time_limit=1)
            await harness.send()
            await harness.worker.deliver_due()
            [entry] = await harness.log(impatient)
            assert entry["attempts"][0]["error"] == "no response within 1 second"
            tested = await harness.client.post(f"{harness.hooks}/{impatient['webhook']['id']}/test")
            assert tested.json()["delivery"]["attempts"][0]["error"] == "no response within 1 second"

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 25")
def test_times_are_kept_until_they_are_changed_or_given_back(api: Api) -> None:
    path = f"{api.organization}/webhooks/{webhook(api, subscription(api.room_id))}"
    usual = {"retry_schedule": None, "time_limit": None}

    def times(**content: Any) -> dict[str, Any]:
        answer = api.person.patch(path, json={"content": content})
        assert answer.status_code == 200, answer.text
        return {name: answer.json()["webhook"][name] for name in usual}

    assert times(name="x") == usual
    assert times(retry_schedule=[5, 60]) == {"retry_schedule": [5, 60], "time_limit": None}
    assert times(time_limit=3) == {"retry_schedule": [5, 60], "time_limit": 3}
    assert times(name="y") == {"retry_schedule": [5, 60], "time_limit": 3}
    assert times(retry_schedule=None) == {"retry_schedule": None, "time_limit": 3}
    changed = api.person.get(f"{api.organization}/audit-log?action=webhook.updated&limit=1").json()["entries"][0]
    assert changed["before"] == {"retry_schedule": [5, 60]}
    assert changed["after"] == {"retry_schedule": None}


@pytest.mark.contract("Events and deliveries 25")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("retry_schedule", [0]),
        ("retry_schedule", [86_401]),
        ("retry_schedule", [1] * 11),
        ("retry_schedule", "1m"),
        ("time_limit", 0),
        ("time_limit", 16),
        ("time_limit", 1.5),
    ],
)
def test_times_out_of_bounds_are_rejected_and_named(api: Api, field: str, value: Any) -> None:
    path = f"{api.organization}/webhooks/{webhook(api, subscription(api.room_id))}"
    answer = api.person.patch(path, json={"content": {field: value}})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"].startswith(f"/content/{field}")

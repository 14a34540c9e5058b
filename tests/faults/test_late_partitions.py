"""The partition of a day is made on that day, for instance because there was no room for it before."""

import asyncio
from collections.abc import Awaitable

import httpx
import pytest

from atrium.kit.settings import Settings
from tests.before_it_commits import WAITING
from tests.webhooks.harness import NOON, Harness, with_harness

DELIVERIES, LIVE_EVENTS = f"select keep_deliveries('{NOON}', 30)", "select keep_live_events(now())"


async def meeting(harness: Harness, late: str, request: Awaitable[httpx.Response]) -> httpx.Response:
    """Return the response to a request that waits for the partition."""
    async with harness.db.transaction():
        await harness.db.execute(late)
        sending = asyncio.ensure_future(request)
        while not await harness.db.fetch(WAITING):
            assert not sending.done(), sending.result().text
            await asyncio.sleep(0.01)
    return await sending


@pytest.mark.parametrize("late", [DELIVERIES, LIVE_EVENTS])
def test_a_message_that_meets_the_new_partition_is_sent(settings: Settings, late: str) -> None:
    async def act(harness: Harness) -> None:
        await harness.subscribe()
        path = f"/v2/rooms/{harness.made['room_id']}/messages"
        answer = await meeting(harness, late, harness.client.post(path, json={"text": "hello"}))
        assert answer.status_code == 201, answer.text

    with_harness(settings, act)


def test_any_other_request_that_meets_it_can_be_repeated(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        path, body = f"/v2/spaces/{harness.made['space_id']}/rooms", {"name": "another"}
        answer = await meeting(harness, LIVE_EVENTS, harness.client.post(path, json=body))
        assert (answer.status_code, "retry-after" in answer.headers) == (503, True), answer.text
        assert (await harness.client.post(path, json=body)).status_code == 201

    with_harness(settings, act)

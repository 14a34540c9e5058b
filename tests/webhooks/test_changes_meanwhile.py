"""A webhook changes or is deleted while a request reads it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import httpx

from atrium.kit.settings import Settings
from tests.contract.tour import assert_problem, subscription
from tests.webhooks.harness import Harness, with_harness

WAITING = """
select from pg_locks
where not granted and relation is not null
  and database = (select oid from pg_database where datname = current_database())
"""


async def changed_while(
    harness: Harness, request: Awaitable[httpx.Response], lock: str, change: Callable[[Any], Awaitable[object]]
) -> httpx.Response:
    """Return the response to a request that waits for a lock while something changes."""
    other = await asyncpg.connect(harness.settings.database_url)
    try:
        async with other.transaction():
            await other.execute(lock)
            task = asyncio.ensure_future(request)
            while await harness.db.fetchrow(WAITING) is None and not task.done():
                await asyncio.sleep(0.01)
            await change(other)
        return await task
    finally:
        await other.close()


def test_a_webhook_that_is_deleted_while_it_is_tested_is_not_found(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        path = f"{harness.hooks}/{(await harness.subscribe())['webhook']['id']}"
        tested = await changed_while(
            harness, harness.client.post(f"{path}/test"), "lock table public.deliveries in exclusive mode",
            lambda _: harness.client.delete(path),
        )  # fmt: skip
        assert assert_problem(tested, 404)["code"] == "webhook_not_found"

    with_harness(settings, act)


def test_a_message_is_compared_with_the_subscriptions_that_the_answer_names(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        made, room = await harness.subscribe(), harness.made["room_id"]
        sent = await harness.send()
        named = {"room_id": room, "message_id": sent["message_id"]}
        more = [subscription(room), subscription(room, filter={"thread": "reply"})]
        matched = await changed_while(
            harness, harness.client.get(f"{harness.hooks}/{made['webhook']['id']}/match", params=named),
            "lock table messages in access exclusive mode", lambda _: harness.change(made, subscriptions=more),
        )  # fmt: skip
        assert matched.status_code == 200, matched.text
        assert [each["matches"] for each in matched.json()["subscriptions"]] == [True]

    with_harness(settings, act)

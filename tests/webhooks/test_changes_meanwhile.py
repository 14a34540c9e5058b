"""A webhook changes or is deleted while a request reads it, or while a request waits for a name server."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import httpx
import psycopg
import pytest

from atrium.kit.settings import Settings
from tests.contract.tour import assert_problem, subscription
from tests.webhooks.credentials import OAUTH
from tests.webhooks.harness import Harness, with_harness

WAITING = """
select from pg_locks
where not granted and relation is not null
  and database = (select oid from pg_database where datname = current_database())
"""
# What a request for it does would read the messages too.
SUBSCRIBE_AGAIN = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type, thread)
values ($1, 2, 'WEBHOOK_SUBJECT_TYPE_ROOM', $2, 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT', 'reply')
"""


async def request_while_changing(
    harness: Harness, request: Awaitable[httpx.Response], lock: str, change: Callable[[Any], Awaitable[object]]
) -> httpx.Response:
    """Return the response to a request that waits for a lock while something changes."""
    await harness.worker.queue_events()  # they wait for the lock too
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


@pytest.mark.contract("Webhook details 15")
def test_a_webhook_that_is_deleted_while_it_is_tested_is_not_found(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        path = f"{harness.hooks}/{(await harness.subscribe())['webhook']['id']}"
        tested = await request_while_changing(
            harness,
            harness.client.post(f"{path}/test"),
            "lock table public.deliveries in exclusive mode",
            lambda _: harness.client.delete(path),
        )
        assert assert_problem(tested, 404)["code"] == "webhook_not_found"

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 9")
def test_a_message_is_compared_with_the_subscriptions_that_the_answer_names(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        made, room = await harness.subscribe(), harness.made["room_id"]
        sent = await harness.send()
        named = {"room_id": room, "message_id": sent["message_id"]}
        matched = await request_while_changing(
            harness,
            harness.client.get(f"{harness.hooks}/{made['webhook']['id']}/match", params=named),
            "lock table messages in access exclusive mode",
            lambda _: harness.db.execute(SUBSCRIBE_AGAIN, made["webhook"]["id"], room),
        )
        assert matched.status_code == 200, matched.text
        assert [each["matches"] for each in matched.json()["subscriptions"]] == [True]

    with_harness(settings, act)


def test_nothing_is_locked_while_a_name_is_looked_up(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could change a webhook of the organization until it answers."""
    lookups: list[str] = []
    system_resolver = socket.getaddrinfo

    async def act(harness: Harness) -> None:
        def resolver(host: str, *arguments: Any, **options: Any) -> Any:
            if not str(host).endswith(".example"):
                return system_resolver(host, *arguments, **options)
            lookups.append(host)
            with psycopg.connect(harness.settings.database_url or "") as db:
                db.execute("select from organizations for no key update nowait")
                db.execute("select from webhooks for no key update nowait")
            return system_resolver("127.0.0.1", *arguments, **options)

        hook = await harness.subscribe()
        monkeypatch.setattr(socket, "getaddrinfo", resolver)
        await harness.subscribe(
            endpoint_url="http://new.example/hook", authentication={**OAUTH, "token_url": "http://new-token.example/"}
        )
        for change in (
            {"endpoint_url": "http://changed.example/hook", "subscriptions": [subscription(harness.made["room_id"])]},
            {"authentication": {**OAUTH, "token_url": "http://changed-token.example/"}, "name": "renamed"},
        ):
            changed = await harness.change(hook, **change)
            assert changed.status_code == 200, changed.text
        assert lookups == ["new.example", "new-token.example", "changed.example", "changed-token.example"]

    with_harness(settings, act)

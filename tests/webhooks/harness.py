"""The complete service in the test's process, on its own database, with a clock that only the test moves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.kit.settings import Settings
from atrium.webhooks.delivery.worker import DeliveryWorker, open_delivery_worker
from tests.conftest import FakeClock, fresh_database, in_process_client
from tests.contract.tour import subscription
from tests.webhooks.receiver import Receiver, running_receiver

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
REMOVE_BY_CLOCK = "insert into removal (until) values ('infinity')"  # a test lets months pass in a moment
MESSAGE_SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"


@dataclass
class Harness:
    """An organization, a client of its super_admin, a worker, a receiver, and a connection to the database."""

    settings: Settings
    clock: FakeClock
    made: dict[str, str]
    client: httpx.AsyncClient
    worker: DeliveryWorker
    receiver: Receiver
    db: Any

    @property
    def hooks(self) -> str:
        return f"/v1/organizations/{self.made['organization_id']}/webhooks"

    def pass_time(self, **length: float) -> None:
        self.clock.at += timedelta(**length)

    async def subscribe(self, **fields: Any) -> dict[str, Any]:
        """Create a webhook for the room; return the response that shows its secret."""
        content = {
            "name": "hook",
            "endpoint_url": self.receiver.url,
            "subscriptions": [subscription(self.made["room_id"])],
        } | fields
        answer = await self.client.post(self.hooks, json={"content": content})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def send(self, text: str = "hello", room_id: str | None = None, **more: Any) -> dict[str, Any]:
        path = f"/v2/rooms/{room_id or self.made['room_id']}/messages"
        answer = await self.client.post(path, json={"text": text, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def claim(self) -> int:
        """Queue the events up to now, and claim what is due, without waiting for the attempts."""
        await self.worker.queue_events()
        return await self.worker.claim()

    async def log(self, webhook: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        """Return the log of a webhook, newest first, once the events up to now are queued."""
        await self.worker.queue_events()
        answer = await self.client.get(f"{self.hooks}/{webhook['webhook']['id']}/logs", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()["logs"]

    async def read(self, webhook: dict[str, Any]) -> dict[str, Any]:
        await self.worker.queue_events()
        return (await self.client.get(f"{self.hooks}/{webhook['webhook']['id']}")).json()["webhook"]

    async def change(self, webhook: dict[str, Any], **content: Any) -> httpx.Response:
        return await self.client.patch(f"{self.hooks}/{webhook['webhook']['id']}", json={"content": content})

    async def mails(self) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.db.fetch("select * from mails order by mail_id")]


@asynccontextmanager
async def running_harness(settings: Settings) -> AsyncIterator[Harness]:
    clock = FakeClock(NOON)
    db = await asyncpg.connect(settings.database_url)
    async with db.transaction():
        made = await set_up(
            db, "http://atrium.test", organization="Acme", email="ada@example.org", name="Ada", now=NOON
        )
    await db.execute(REMOVE_BY_CLOCK)
    async with (
        in_process_client(settings, clock) as client,
        open_delivery_worker(settings, clock) as worker,
        running_receiver() as receiver,
    ):
        client.headers["authorization"] = f"Bearer {made['personal_key']}"
        yield Harness(settings, clock, made, client, worker, receiver, db)
    await db.close()


def with_harness(settings: Settings, act: Callable[[Harness], Awaitable[None]], **changes: Any) -> None:
    """Run `act` with a new harness."""

    async def example() -> None:
        async with asyncio.timeout(120), running_harness(own.with_changes(**changes)) as harness:
            await act(harness)

    with fresh_database(settings) as own:
        asyncio.run(example())

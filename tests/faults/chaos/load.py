"""The load while the server is killed: people send, reply, read and follow; a webhook receives."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
from aiohttp import web

from tests.conftest import TLS, Api
from tests.faults.chaos.record import Followed, Record
from tests.messages.walk import awalk

AGAIN, BETWEEN_SENDS, BETWEEN_PAGES = 0.05, 0.04, 0.05  # seconds
RECENT = 50  # recent messages that may get a reply
FAILS_ONE_IN = 7
EVENTS_UNTIL_CUT = (20, 300)


class Load:
    """The clients of a run. They continue through every fault, senders and walkers until `ending`."""

    def __init__(self, api: Api, record: Record, seed: int) -> None:
        self.api, self.record, self.seed = api, record, seed
        self.ending = asyncio.Event()

    def client(self, **timeouts: float) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {self.api.personal_key}"}
        return httpx.AsyncClient(
            base_url=self.api.url, headers=headers, verify=TLS, timeout=httpx.Timeout(20, **timeouts)
        )

    async def send(self, number: int, *, replies: bool = False) -> None:
        """Send messages, or replies to recent ones, one after the other."""
        chance, turn = random.Random(f"{self.seed} {number}"), 0
        async with self.client() as client:
            while not self.ending.is_set():
                turn += 1
                parent = chance.choice(self.record.roots[-RECENT:]) if replies and self.record.roots else None
                await self.send_one(client, str(number), f"{number} {turn}", parent)
                await asyncio.sleep(BETWEEN_SENDS)

    async def send_one(self, client: httpx.AsyncClient, sender: str, text: str, parent: str | None = None) -> str:
        """Send a message with one idempotency key until the server acknowledges it; return its id."""
        key = {"idempotency-key": str(uuid4())}
        body = {"text": text} | ({"parent_id": parent} if parent else {})
        while True:
            try:
                answer = await client.post(self.api.messages, json=body, headers=key)
            except httpx.TransportError:
                await asyncio.sleep(AGAIN)
                continue
            if answer.status_code == 201:
                message_id = str(answer.json()["message_id"])
                self.record.acknowledge(sender, message_id, text, parent)
                return message_id
            self._expect_503(answer, "a send")
            if answer.status_code != 503:
                return ""
            await asyncio.sleep(AGAIN)

    def _expect_503(self, answer: httpx.Response, what: str) -> None:
        if answer.status_code != 503 or "retry-after" not in answer.headers:
            self.record.violations.append(f"{what} was answered {answer.status_code}: {answer.text[:200]}")

    async def walk(self) -> None:
        """Read the whole room over and over: what was acknowledged before is there, once, in order."""
        async with self.client() as client:
            while not self.ending.is_set():
                before, seen = set(self.record.acknowledged), list[str]()
                try:
                    async for _, page in awalk(client, self.api.room_id, limit=200):
                        seen += [message["message_id"] for message in page["messages"]]
                        await asyncio.sleep(BETWEEN_PAGES)
                except httpx.TransportError:
                    await asyncio.sleep(AGAIN)
                    continue
                except httpx.HTTPStatusError as error:
                    self._expect_503(error.response, "a page")
                    await asyncio.sleep(AGAIN)
                    continue
                self.record.walks += 1
                if seen != sorted(set(seen), reverse=True):
                    self.record.violations.append("a walk met messages twice or out of order")
                self.record.violations += [f"a walk missed {each}" for each in before - set(seen)]

    async def follow(self, stream: Followed) -> None:
        """Follow live events, resuming by the last id whenever the connection breaks or is dropped here."""
        chance = random.Random(f"{self.seed} stream {stream.number}")
        async with self.client(read=90) as client:
            while True:
                try:
                    await self._follow_once(client, stream, chance.randint(*EVENTS_UNTIL_CUT))
                except httpx.TransportError:
                    await asyncio.sleep(chance.uniform(0, 0.5))

    async def _follow_once(self, client: httpx.AsyncClient, stream: Followed, max_events: int) -> None:
        headers = {"last-event-id": stream.last_id} if stream.last_id else {}
        async with client.stream("GET", "/v2/events", headers=headers) as answer:
            if answer.status_code != 200:
                await answer.aread()
                self._expect_503(answer, "a stream")
                await asyncio.sleep(AGAIN)
                return
            stream.connections += 1
            async for event in _events(answer):
                max_events -= 1
                stream.last_id = event.get("id", stream.last_id)
                await self._take(client, stream, event)
                if max_events < 0:
                    return

    async def _take(self, client: httpx.AsyncClient, stream: Followed, event: dict[str, str]) -> None:
        kind = event.get("event")
        if kind == "message.sent":
            self.record.receive(stream, json.loads(event["data"])["message_id"])
        elif kind == "reset":
            stream.resets += 1
            stream.read_up_to = max(stream.read_up_to, await self._newest(client))

    async def _newest(self, client: httpx.AsyncClient) -> str:
        while True:
            try:
                answer = await client.get(self.api.messages, params={"limit": 1})
                if answer.status_code == 200:
                    return str(answer.json()["messages"][0]["message_id"])
            except httpx.TransportError:
                pass
            await asyncio.sleep(AGAIN)

    async def receive(self, request: web.Request) -> web.Response:
        """Act as the webhook: reject the first attempt of some deliveries."""
        body, delivery_id = await request.read(), request.headers["X-Service-Delivery"]
        first = delivery_id not in self.record.bodies
        self.record.deliver(json.loads(body)["data"]["message_id"], delivery_id, body)
        refused = first and int(delivery_id.replace("-", "")[-6:], 16) % FAILS_ONE_IN == 0
        return web.Response(status=500 if refused else 200)


async def _events(answer: httpx.Response) -> AsyncIterator[dict[str, str]]:
    """Return the events of a stream that arrived completely."""
    fields: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if not line and fields:
            yield fields
            fields = {}
        name, colon, value = line.partition(": ")
        if colon and name:
            fields[name] = value

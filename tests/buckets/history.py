"""The same history, written to an organization by the API, whose rooms are in one bucket or in several."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

import asyncpg
import httpx
from hypothesis import strategies as st

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.buckets.routing import using_buckets
from atrium.kit.settings import Settings
from atrium.search.indexing import index_batch
from atrium.unread.participation import record_participation
from tests.conftest import FakeClock, in_process_client
from tests.messages.walk import awalk

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
WORDS = ("engine", "analytical", "loom")
ROOMS = 4
IN_ONE_BUCKET = "update organizations set bucket = 0 where organization_id = $1::text::uuid"
BUCKETS_USED = "select count(distinct bucket) from rooms where room_id = any($1::text[]::uuid[])"
Json = dict[str, Any]


class Step(NamedTuple):
    """Something that a person does in a room, with the message that `nth` selects."""

    act: str
    room: int
    person: int
    nth: int
    words: list[str]
    mentions: bool


STEPS = st.lists(
    st.builds(
        Step,
        act=st.sampled_from(["send", "send", "reply", "reply", "edit", "delete", "react", "read", "record", "index"]),
        room=st.integers(0, ROOMS - 1),
        person=st.integers(0, 1),
        nth=st.integers(0, 99),
        words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
        mentions=st.booleans(),
    ),
    min_size=5,
    max_size=30,
)


@dataclass
class World:
    """An organization with two people and their rooms, in an application of its own, at a time that the test sets."""

    settings: Settings
    client: httpx.AsyncClient
    clock: FakeClock
    ids: dict[str, str]
    people: list[str]
    keys: list[str]
    rooms: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # of messages, by id
    sent: list[list[tuple[str, int]]] = field(default_factory=lambda: [[] for _ in range(ROOMS)])  # id, author

    async def ask(self, person: int, method: str, path: str, **also: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.keys[person]}"}
        answer = await self.client.request(method, path, headers=headers, **also)
        assert answer.is_success, answer.text
        return answer

    async def take(self, step: Step) -> None:
        """Do a step, a second after the one before."""
        self.clock.at += timedelta(seconds=1)
        path, sent = f"/v2/rooms/{self.rooms[step.room]}", self.sent[step.room]
        text = " ".join([*step.words, *([f"<@{self.people[1 - step.person]}>"] if step.mentions else [])])
        if step.act == "record" or step.act == "index":
            await self.work(index=step.act == "index")
        elif step.act == "send" or not sent:
            await self.send(step, {"text": text})
        elif step.act == "reply":
            await self.send(step, {"text": text, "parent_id": sent[step.nth % len(sent)][0]})
        else:
            await self.change(step, path, *sent[step.nth % len(sent)], text)

    async def send(self, step: Step, body: Json) -> None:
        made = await self.ask(step.person, "POST", f"/v2/rooms/{self.rooms[step.room]}/messages", json=body)
        self.sent[step.room].append((made.json()["message_id"], step.person))
        self.names[made.json()["message_id"]] = f"message {len(self.names)}"

    async def change(self, step: Step, room: str, chosen: str, author: int, text: str) -> None:
        message = f"{room}/messages/{chosen}"
        match step.act:
            case "edit":
                await self.ask(author, "PATCH", message, json={"text": text})
            case "delete":
                await self.ask(author, "DELETE", message)
                self.sent[step.room].remove((chosen, author))
            case "react":
                await self.ask(step.person, "PUT", f"{message}/reactions/%F0%9F%91%8D")
            case "read":
                await self.ask(step.person, "PUT", f"{room}/read-marker", json={"message_id": chosen})

    async def work(self, *, index: bool) -> None:
        """Do what the worker does in each bucket."""
        async with using_buckets(self.settings, size=1) as buckets:
            if not index:
                await buckets.in_each(record_participation)
            for each in await buckets.all() if index else ():
                while await index_batch(each.pool, self.settings.search_languages):
                    pass

    async def buckets_used(self) -> int:
        return int(await fetchval(self.settings, BUCKETS_USED, self.rooms))

    async def everything(self) -> Json:
        """Return all that both people can read, with names in place of ids that are chosen at random."""
        await self.work(index=True)
        organization = f"/v2/organizations/{self.ids['organization_id']}"
        read: Json = {"overview": await self.page(0, f"{organization.replace('v2', 'v1')}/overview", {"days": 3})}
        for person in (0, 1):
            for name in ("unread", "threads", "mentions"):
                read[f"{name} of {person}"] = await self.pages(person, f"{organization}/{name}")
            for order in ("best", "newest"):
                for q in (*WORDS, "engine loom", "-loom engine", "has:reaction", "has:thread", "on:2026-11-21"):
                    read[f"{q} {order} for {person}"] = await self.pages(
                        person, f"{organization}/search", q=q, order=order
                    )
        for nr, room in enumerate(self.rooms):
            self.client.headers["authorization"] = f"Bearer {self.keys[nr % 2]}"
            async for query, page in awalk(self.client, room, limit=3):
                read[f"page of {nr} at {self.named(query)}"] = self.named(page)
            for parent, _ in self.sent[nr]:
                answer = await self.client.get(f"/v2/rooms/{room}/threads/{parent}/messages", params={"limit": 2})
                read[f"thread of {self.names[parent]}"] = self.named(answer.json())
        return read

    async def pages(self, person: int, path: str, **query: str) -> list[Json]:
        """Return all pages of a list, without their cursors."""
        pages, cursor = list[Json](), None
        while cursor is not None or not pages:
            page = await self.page(person, path, {**query, "limit": 2, **({"cursor": cursor} if cursor else {})})
            cursor = page.pop("next_cursor")
            pages.append(page)
        return pages

    async def page(self, person: int, path: str, query: Json) -> Json:
        return self.named((await self.ask(person, "GET", path, params=query)).json())

    def named(self, read: Json) -> Json:
        """Return what was read with names in place of ids."""
        named = self.names | {id_: f"room {nr}" for nr, id_ in enumerate(self.rooms)}
        named |= {id_: f"person {nr}" for nr, id_ in enumerate(self.people)}
        named |= {self.ids["space_id"]: "space", self.ids["organization_id"]: "organization"}
        return {key: replaced(each, named) for key, each in read.items() if key != "request_id"}


def replaced(value: Any, named: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: replaced(each, named) for key, each in value.items()}
    if isinstance(value, list):
        return [replaced(each, named) for each in value]
    if isinstance(value, str):
        for id_, name in named.items():
            value = value.replace(id_, name)
    return value


async def fetchval(settings: Settings, statement: str, *arguments: Any) -> Any:
    db = await asyncpg.connect(settings.database_url)
    try:
        return await db.fetchval(statement, *arguments)
    finally:
        await db.close()


@asynccontextmanager
async def new_world(settings: Settings, *, one_bucket: bool) -> AsyncIterator[World]:
    """Yield an organization with two people and rooms, all in one bucket or in one after the other."""
    clock = FakeClock(START)
    db = await asyncpg.connect(settings.database_url)
    async with db.transaction():
        email = f"ada-{uuid4()}@example.org"
        ids = await set_up(db, "", organization="Acme", email=email, name="Ada", now=START)
    await db.close()
    if one_bucket:
        await fetchval(settings, IN_ONE_BUCKET, ids["organization_id"])
    async with in_process_client(settings, clock) as client:
        world = World(settings, client, clock, ids, [ids["person_id"]], [ids["personal_key"]])
        await _invite(world)
        for nr in range(ROOMS):
            clock.at += timedelta(seconds=1)
            made = await world.ask(0, "POST", f"/v2/spaces/{ids['space_id']}/rooms", json={"name": f"room {nr}"})
            world.rooms.append(made.json()["room_id"])
        yield world


async def _invite(world: World) -> None:
    invitations = f"/v1/organizations/{world.ids['organization_id']}/invitations"
    content = {"email": f"bob-{world.ids['person_id']}@example.org", "role": "member"}
    invited = await world.ask(0, "POST", invitations, json={"content": content})
    body = {"content": {"token": invited.json()["token"], "name": "Bob"}}
    taken = (await world.client.post("/v1/invitations/accept", json=body)).json()
    world.people.append(taken["person_id"])
    world.keys.append(taken["key"])

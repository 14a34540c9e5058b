"""A room whose messages, times and deletions a test chooses, and the application that reads it."""

import asyncio
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from atrium.kit.clock import from_ms, parse_time, to_ms
from tests.conftest import Api, FakeClock
from tests.messages.walk import Page, Query, at, ms_of

WINDOW = 7_000  # milliseconds: a room of a few minutes has dozens of windows
START = to_ms(parse_time("2026-03-01")) // WINDOW * WINDOW
INSERT = """
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, sent_at)
select $1, id_at(seq), $2, 'person', null, null, 'm', time_of_ms(seq >> 12) from unnest($3::bigint[]) seq
returning message_id
"""
REPLY = """
update messages set thread_root_id = (select min(message_id::text)::uuid from messages where room_id = $1), parent_id =
(select min(message_id::text)::uuid from messages where room_id = $1) where room_id = $1 and message_id = any($2::uuid[])
"""
HEAD = "update room_heads set last_seq = greatest(last_seq, $2), last_message_id = $3 where room_id = $1"


@dataclass
class World:
    """The application in this process with an organization, its clock and its tables."""

    runner: asyncio.Runner
    client: httpx.AsyncClient
    db: asyncpg.Connection
    clock: FakeClock
    api: Api

    @property
    def now_ms(self) -> int:
        return to_ms(self.clock.at)

    def set_clock(self, ms: int) -> None:
        self.clock.at = from_ms(ms)

    async def new_room(self, created_ms: int) -> str:
        self.set_clock(created_ms)
        made = await self.client.post(f"/v2/spaces/{self.api.space_id}/rooms", json={"name": f"room {uuid4()}"})
        assert made.status_code == 201, made.text
        assert made.json()["created_at"] == at(created_ms)
        room_id: str = made.json()["room_id"]
        return room_id


@dataclass
class Room:
    """A room and its messages as the test knows them: ids in order, and which are replies."""

    world: World
    room_id: str
    created_ms: int
    ids: list[str] = field(default_factory=list)
    replies: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    @property
    def path(self) -> str:
        return f"/v2/rooms/{self.room_id}/messages"

    async def fill(self, times: list[int], replies: list[bool]) -> None:
        """Insert messages at these times, as an import would; the first is no reply."""
        seqs: list[int] = []
        for ms in sorted(times):
            seqs.append(max(ms << 12, seqs[-1] + 1) if seqs else (ms << 12) + 1)
        rows = await self.world.db.fetch(INSERT, UUID(self.room_id), UUID(self.world.api.person_id), seqs)
        self.ids = sorted(str(row["message_id"]) for row in rows)
        if seqs:
            self.replies = {id_ for id_, reply in zip(self.ids[1:], replies, strict=False) if reply}
            await self.world.db.execute(REPLY, UUID(self.room_id), [UUID(id_) for id_ in self.replies])
            await self.world.db.execute(HEAD, UUID(self.room_id), seqs[-1], UUID(self.ids[-1]))

    async def send(self, parent_id: str | None = None) -> str:
        body = {"text": "new"} | ({"parent_id": parent_id} if parent_id else {})
        sent = await self.world.client.post(self.path, json=body)
        assert sent.status_code == 201, sent.text
        message_id: str = sent.json()["message_id"]
        assert not self.ids or message_id > self.ids[-1], "an id has to be above all that came before it"
        assert sent.json()["sent_at"] == at(ms_of(message_id))
        self.ids.append(message_id)
        if parent_id:
            self.replies.add(message_id)
        return message_id

    def listed_ids(self, top_level: bool) -> list[str]:
        return [id_ for id_ in self.ids if id_ not in self.replies] if top_level else self.ids

    @property
    def latest_ms(self) -> int:
        return max(self.world.now_ms, ms_of(self.ids[-1]) if self.ids else self.created_ms)

    def expected(self, query: Query, limit: int, *, top_level: bool) -> tuple[list[str], bool]:
        """Return the ids and `shard_has_more` that a request gets at this moment (docs/contract.md#room-messages)."""
        cursor = to_ms(parse_time(query["cursor_sent_at"])) if query else self.latest_ms
        opens = min(cursor, self.latest_ms) // WINDOW * WINDOW
        if opens + WINDOW <= self.created_ms:
            return [], False
        inside = [id_ for id_ in self.listed_ids(top_level) if opens <= ms_of(id_) < opens + WINDOW]
        inside = inside[: bisect_left(inside, query["cursor_message_id"])] if "cursor_message_id" in query else inside
        return inside[-limit:][::-1], len(inside) > limit


Event = tuple[str, int]


async def happen(room: Room, event: Event) -> None:
    """Change something in the room as another actor."""
    kind, number = event
    world = room.world
    if kind == "clock":
        return world.set_clock(world.now_ms + number)
    if kind == "clock_to_edge":
        return world.set_clock((world.now_ms // WINDOW + number) * WINDOW - number % 2)
    if kind == "send" or not room.ids:
        await room.send()
        return None
    chosen = room.ids[number % len(room.ids)]
    if kind == "reply":
        await room.send(parent_id=chosen)
    elif kind == "edit" and chosen not in room.deleted:
        edited = await world.client.patch(f"{room.path}/{chosen}", json={"text": f"edited {number}"})
        assert edited.status_code == 200, edited.text
    elif chosen not in room.deleted:
        gone = await world.client.delete(f"{room.path}/{chosen}")
        assert gone.status_code == 204, gone.text
        room.deleted.add(chosen)
    return None


async def a_room(world: World, *times: int) -> Room:
    """Create a room at START with messages at these milliseconds after it; the clock stops at the last one."""
    room = Room(world, await world.new_room(START), START)
    await room.fill([START + ms for ms in times], [])
    world.set_clock(room.latest_ms)
    return room


async def page_of(room: Room, **query: Any) -> Page:
    answer = await room.world.client.get(room.path, params=query)
    assert answer.status_code == 200, answer.text
    page: Page = answer.json()
    return page

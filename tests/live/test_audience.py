"""An event of each kind reaches exactly the audience that the catalogue names, on open streams and on resumed ones."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from atrium.events import Audience
from atrium.events import LiveEventKind as Live
from tests.conftest import Api
from tests.live.client import Json, Stream, listen, streams

END = "the end"


@dataclass
class World:
    """A private space with a room; its admin and a member; a colleague without access to it, and an outsider."""

    api: Api
    outsider: Api
    keys: dict[str, str]
    ids: dict[str, str]
    space_id: str
    room: str

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        answer = self.api.person.request(method, path, json=body)
        assert answer.is_success, answer.text
        return dict(answer.json()) if answer.content else {}

    def send(self, **more: Any) -> str:
        return str(self.call("POST", f"{self.room}/messages", {"text": "hello", **more})["message_id"])

    def message(self) -> str:
        return f"{self.room}/messages/{self.send()}"

    def block(self) -> Json:
        return self.call("POST", f"{self.room}/blocks", {"type": "paragraph", "content": {"text": "x"}})

    def grant(self, name: str, role: str = "reader") -> None:
        self.call("PUT", self.member(name), {"content": {"role": role}})

    def member(self, name: str) -> str:
        return f"/v1/spaces/{self.space_id}/members/{self.ids[name]}"

    def readers(self) -> set[str]:
        """Return the actors who can access the space."""
        path = f"/v1/spaces/{self.space_id}"
        return {name for name, key in self.keys.items() if self.api.client(key).get(path).status_code == 200}


@pytest.fixture
def world(api: Api, outsider: Api) -> World:
    space, people = api.new_space("private"), {name: api.new_person() for name in ("member", "colleague", "invited")}
    keys = {"admin": api.personal_key, "outsider": outsider.personal_key}
    keys |= {name: people[name][1] for name in ("member", "colleague")}
    ids = {name: person_id for name, (person_id, _) in people.items()}
    made = World(api, outsider, keys, ids, space, f"/v2/rooms/{api.new_room(space)['room_id']}")
    made.grant("member")
    return made


Act = Callable[[], Any]


def _create_space(world: World) -> None:
    world.space_id = world.api.new_space()


def _revoke_key(world: World) -> Act:
    made = world.call("POST", "/v1/me/integrations", {"content": {"name": "another"}})
    return lambda: world.call("DELETE", f"/v1/me/integrations/{made['api_key']['api_key_id']}")


def _remove_reaction(world: World) -> Act:
    path = f"{world.message()}/reactions/+1"
    world.call("PUT", path)
    return lambda: world.call("DELETE", path)


def _update_block(world: World) -> Act:
    block = world.block()
    change = {"version": block["version"], "content": {"text": "y"}}
    return lambda: world.call("PATCH", f"/v2/blocks/{block['block_id']}", change)


def _of_message(method: str, path: str = "", body: Json | None = None) -> Callable[[World], Act]:
    def prepare(world: World) -> Act:
        message = world.message()
        return lambda: world.call(method, message + path, body)

    return prepare


def _of_member(act: Callable[[World], Any]) -> Callable[[World], Act]:
    def prepare(world: World) -> Act:
        world.grant("invited")
        return lambda: act(world)

    return prepare


def _mark_read(world: World) -> Act:
    message = world.send()
    return lambda: world.call("PUT", f"{world.room}/read-marker", {"message_id": message})


def _mark_thread_read(world: World) -> Act:
    root = world.send()
    path, body = f"{world.room}/threads/{root}/read-marker", {"message_id": world.send(parent_id=root)}
    return lambda: world.call("PUT", path, body)


def _delete_block(world: World) -> Act:
    block = world.block()
    return lambda: world.call("DELETE", f"/v2/blocks/{block['block_id']}")


def _now(act: Callable[[World], Any]) -> Callable[[World], Act]:
    return lambda world: lambda: act(world)


PREPARATIONS: dict[Live, Callable[[World], Act]] = {
    Live.MESSAGE_SENT: _now(World.send),
    Live.MESSAGE_EDITED: _of_message("PATCH", body={"text": "edited"}),
    Live.MESSAGE_DELETED: _of_message("DELETE"),
    Live.REACTION_ADDED: _of_message("PUT", "/reactions/+1"),
    Live.REACTION_REMOVED: _remove_reaction,
    Live.BLOCK_CREATED: _now(World.block),
    Live.BLOCK_UPDATED: _update_block,
    Live.BLOCK_DELETED: _delete_block,
    Live.ROOM_CREATED: _now(lambda world: world.api.new_room(world.space_id)),
    Live.ROOM_UPDATED: _now(lambda world: world.call("PATCH", world.room, {"name": "ideas"})),
    Live.ROOM_ARCHIVED: _now(lambda world: world.call("PATCH", world.room, {"archived": True})),
    Live.ROOM_DELETED: _now(lambda world: world.call("DELETE", world.room)),
    Live.SPACE_CREATED: _now(_create_space),
    Live.SPACE_UPDATED: _now(
        lambda world: world.call("PATCH", f"/v1/spaces/{world.space_id}", {"content": {"name": "Lab"}})
    ),
    Live.SPACE_MEMBER_ADDED: _now(lambda world: world.grant("invited")),
    Live.SPACE_MEMBER_UPDATED: _of_member(lambda world: world.grant("invited", "member")),
    Live.SPACE_MEMBER_REMOVED: _of_member(lambda world: world.call("DELETE", world.member("invited"))),
    Live.ACCESS_CHANGED: _now(lambda world: world.grant("colleague")),
    Live.READ_MARKER_MOVED: _mark_read,
    Live.THREAD_READ_MARKER_MOVED: _mark_thread_read,
    Live.TYPING: _now(lambda world: world.call("POST", f"{world.room}/typing")),
    Live.KEY_CHANGED: _revoke_key,
}


def expected(world: World, audience: Audience) -> set[str]:
    match audience:
        case Audience.SPACE | Audience.CONNECTED:
            return world.readers()
        case Audience.ACTOR:
            return {"admin"}
        case Audience.AFFECTED:
            return {"colleague"}
    assert audience is Audience.SERVER
    return set()


async def receivers(world: World, listening: dict[str, Stream], kind: Live) -> set[str]:
    """Return the names of the streams that receive an event of the kind before a message that every stream receives."""
    for api in (world.outsider, world.api):
        await asyncio.to_thread(api.send, END)
    for stream in listening.values():
        await stream.until(Live.MESSAGE_SENT, text=END)
    return {
        name
        for name, stream in listening.items()
        if any(event.kind == kind and event.data.get("text") != END for event in stream.events)
    }


def test_every_stored_kind_is_published_here() -> None:
    assert PREPARATIONS.keys() == {kind for kind in Live if kind.audience is not Audience.CLIENT}


@pytest.mark.parametrize("kind", PREPARATIONS)
def test_an_event_reaches_exactly_its_audience(world: World, kind: Live) -> None:
    act = PREPARATIONS[kind](world)

    async def run() -> tuple[set[str], set[str]]:
        async with AsyncExitStack() as stack:
            names = list(world.keys)
            listening = await stack.enter_async_context(
                streams(*(listen(world.api.url, key) for key in world.keys.values()))
            )
            since = [stream.last_id for stream in listening]
            await asyncio.to_thread(act)
            live = await receivers(world, dict(zip(names, listening, strict=True)), kind)
            keys = zip(world.keys.values(), since, strict=True)
            resumed = await stack.enter_async_context(streams(*(listen(world.api.url, *each) for each in keys)))
            return live, await receivers(world, dict(zip(names, resumed, strict=True)), kind)

    live, resumed = asyncio.run(run())
    assert live == expected(world, kind.audience)
    assert resumed == (set() if kind.audience is Audience.CONNECTED else live)


def test_a_change_of_access_for_an_organization_reaches_its_members(world: World) -> None:
    async def run() -> set[str]:
        async with streams(*(listen(world.api.url, key) for key in world.keys.values())) as listening:
            await asyncio.to_thread(world.api.new_space, "private")
            return await receivers(world, dict(zip(world.keys, listening, strict=True)), Live.ACCESS_CHANGED)

    assert asyncio.run(run()) == {"admin", "member", "colleague"}


@pytest.mark.parametrize(("kind", "last_id"), [(Live.HELLO, None), (Live.RESET, "unknown")])
def test_the_events_of_a_stream_reach_only_the_client_that_connects(
    world: World, kind: Live, last_id: str | None
) -> None:
    assert kind.audience is Audience.CLIENT

    async def run() -> set[str]:
        async with AsyncExitStack() as stack:
            listening = await stack.enter_async_context(
                streams(*(listen(world.api.url, key) for key in world.keys.values()))
            )
            for stream in listening:
                stream.events.clear()
            connecting = streams(listen(world.api.url, world.api.personal_key, last_id))
            [new] = await stack.enter_async_context(connecting)
            everyone = dict(zip(world.keys, listening, strict=True)) | {"new": new}
            return await receivers(world, everyone, kind)

    assert asyncio.run(run()) == {"new"}

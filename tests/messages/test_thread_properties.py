"""A thread is read completely, oldest first, also while it grows; so is a room read by its newest messages."""

import asyncio
import random
from itertools import pairwise
from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.messages.concurrent import callers, send
from tests.messages.walk import Page, ids_of, next_query

REPLIES = 205
WRITERS = 200


def thread_path(api: Api, root_id: str) -> str:
    return f"/v2/rooms/{api.room_id}/threads/{root_id}/messages"


def cursor_of(page: Page) -> dict[str, str]:
    names = ("cursor_sent_at", "cursor_message_id")
    return {name: page[f"next_{name}"] for name in names if page[f"next_{name}"] is not None}


async def _create_nested_thread(api: Api) -> tuple[str, list[str]]:
    """Create a root with replies of every depth by concurrent writers, among messages outside of the thread."""
    shape = random.Random(7)
    async with callers(api, 8) as clients:
        root = (await send(clients[0], api.room_id, "root"))["message_id"]
        other = (await send(clients[0], api.room_id, "another root"))["message_id"]
        known = [root]

        async def write(client: httpx.AsyncClient, count: int) -> None:
            for number in range(count):
                parent = shape.choice(known)
                reply = await send(client, api.room_id, parent_id=parent)
                assert (reply["parent_id"], reply["thread_root_id"]) == (parent, root)
                known.append(reply["message_id"])
                if number % 10 == 0:
                    await send(client, api.room_id, parent_id=other)

        shares = [REPLIES // len(clients) + (n < REPLIES % len(clients)) for n in range(len(clients))]
        await asyncio.gather(*map(write, clients, shares))
    return root, sorted(known[1:])


@pytest.mark.contract("Thread messages 1", "Thread messages 4")
def test_a_thread_is_read_completely_and_in_order_at_any_page_size(api: Api) -> None:
    root, replies = asyncio.run(_create_nested_thread(api))
    client = api.integration
    for limit in (1, 2, 3, 7, 41, 50, 99, 200):
        met: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = client.get(thread_path(api, root), params=cursor | {"limit": limit}).raise_for_status().json()
            met += ids_of(page)
            assert len(page["messages"]) == min(limit, REPLIES - len(met) + len(page["messages"]))
            assert page["has_more"] is (len(met) < REPLIES)
            cursor = cursor_of(page)
            if not page["has_more"]:
                break
        assert met == replies
    assert client.get(f"{api.messages}/{root}").json()["reply_count"] == REPLIES


@pytest.mark.contract("Thread messages 2")
def test_the_last_page_of_a_thread_has_a_cursor_and_an_empty_page_repeats_it(api: Api) -> None:
    root = api.send("root")["message_id"]
    client, path = api.integration, thread_path(api, root)
    assert client.get(path).json() == {
        "messages": [],
        "has_more": False,
        "next_cursor_sent_at": None,
        "next_cursor_message_id": None,
    }
    reply = api.send(parent_id=root)
    full = client.get(path).json()
    assert full["has_more"] is False
    assert full["messages"] == [reply]
    assert cursor_of(full) == {"cursor_sent_at": reply["sent_at"], "cursor_message_id": reply["message_id"]}
    empty = client.get(path, params=cursor_of(full)).json()
    assert empty["messages"] == []
    assert cursor_of(empty) == cursor_of(full)
    later = api.send(parent_id=reply["message_id"])
    assert ids_of(client.get(path, params=cursor_of(empty)).json()) == [later["message_id"]]


def test_a_cursor_on_a_reply_deleted_meanwhile_works_and_its_tombstone_stays(api: Api) -> None:
    root = api.send("root")["message_id"]
    replies = [api.send(parent_id=root)["message_id"] for _ in range(4)]
    client, path = api.integration, thread_path(api, root)
    first = client.get(path, params={"limit": 2}).json()
    for gone in (replies[1], replies[2], root):
        assert api.person.delete(f"{api.messages}/{gone}").status_code == 204
    rest = client.get(path, params=cursor_of(first)).json()
    assert [(each["message_id"], each["status"]) for each in rest["messages"]] == [
        (replies[2], "DELETED"),
        (replies[3], "SENT"),
    ]
    assert client.get(f"{api.messages}/{root}").json()["reply_count"] == 4


@pytest.mark.contract("Thread messages 2")
@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"cursor_sent_at": "2026-11-21"}, "cursor_message_id"),
        ({"cursor_message_id": "01930000-0000-7000-8000-000000000000"}, "cursor_sent_at"),
        ({"cursor_sent_at": "2026-11-21", "cursor_message_id": "x"}, "cursor_message_id"),
        ({"limit": "201"}, "limit"),
    ],
)
def test_half_a_cursor_is_rejected_and_the_missing_half_named(api: Api, query: dict[str, str], parameter: str) -> None:
    answer = api.integration.get(thread_path(api, api.send("root")["message_id"]), params=query)
    assert answer.status_code == 400
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


@pytest.mark.contract("Thread messages 3")
def test_a_reply_requested_as_a_root_names_its_root(api: Api, outsider: Api) -> None:
    root = api.send("root")["message_id"]
    reply = api.send(parent_id=root)["message_id"]
    nested = api.send(parent_id=reply)["message_id"]
    for each in (reply, nested):
        refused = api.integration.get(thread_path(api, each))
        assert refused.status_code == 400
        assert refused.json()["code"] == "not_a_thread_root"
        assert refused.json()["thread_root_id"] == root
    elsewhere = outsider.send("elsewhere")["message_id"]
    assert api.integration.get(thread_path(api, elsewhere)).status_code == 404


class Writing:
    """Whether the writers are still running, and every acknowledged message."""

    def __init__(self) -> None:
        self.over = False
        self.ids: list[str] = []


async def _write(writing: Writing, clients: list[httpx.AsyncClient], room_id: str, parents: list[str | None]) -> None:
    """Let each client send two messages, the second as a reply to any message known by then if `parents` has a root."""
    shape = random.Random(11)

    async def write(client: httpx.AsyncClient) -> None:
        for _ in range(2):
            message = await send(client, room_id, parent_id=shape.choice(parents))
            writing.ids.append(message["message_id"])
            if message["thread_root_id"]:
                parents.append(message["message_id"])

    await asyncio.gather(*map(write, clients))
    writing.over = True


async def _tail(client: httpx.AsyncClient, path: str, limit: int, writing: Writing) -> list[str]:
    """Read as a client that stores only the last cursor."""
    met: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        last_look = writing.over
        page = (await client.get(path, params=cursor | {"limit": str(limit)})).raise_for_status().json()
        met += ids_of(page)
        cursor = cursor_of(page)
        if last_look and not page["has_more"]:
            return met


@pytest.mark.contract("Thread messages 5")
def test_a_thread_read_from_its_last_cursor_misses_nothing_while_two_hundred_write(api: Api) -> None:
    root = api.send("root")["message_id"]

    async def example() -> None:
        writing = Writing()
        async with callers(api, WRITERS) as writers, callers(api, 4, key=api.organization_key) as readers:
            _, *tails = await asyncio.gather(
                _write(writing, writers, api.room_id, [root]),
                *(
                    _tail(reader, thread_path(api, root), limit, writing)
                    for reader, limit in zip(readers, (1, 3, 50, 200), strict=True)
                ),
            )
        for met in tails:
            assert all(older < newer for older, newer in pairwise(met))
            assert met == sorted(writing.ids)

    asyncio.run(example())
    assert len(api.sql("select from messages where thread_root_id = $1", root)) == 2 * WRITERS


async def _newer_than(client: httpx.AsyncClient, room_id: str, seen: str, limit: int) -> list[str]:
    """Return all messages after `seen`, newest first: a walk that stops at a known message."""
    created_at = (await client.get(f"/v2/rooms/{room_id}")).json()["created_at"]
    met: list[str] = []
    query: dict[str, Any] | None = {}
    while query is not None:
        answer = await client.get(f"/v2/rooms/{room_id}/messages", params=query | {"limit": limit})
        page = answer.raise_for_status().json()
        met += [id_ for id_ in ids_of(page) if id_ > seen]
        if any(id_ <= seen for id_ in ids_of(page)):
            break
        query = next_query(page, created_at)
    return met


def test_a_room_read_by_its_newest_messages_misses_nothing_while_two_hundred_write(api: Api) -> None:
    """Sound because no message ever commits below one that could be read."""

    async def follow(client: httpx.AsyncClient, limit: int, writing: Writing) -> list[str]:
        met = [first]
        while True:
            last_look = writing.over
            met += reversed(await _newer_than(client, api.room_id, met[-1], limit))
            if last_look:
                return met

    first = api.send("first")["message_id"]

    async def example() -> None:
        writing = Writing()
        async with callers(api, WRITERS) as writers, callers(api, 3, key=api.organization_key) as readers:
            _, *followed = await asyncio.gather(
                _write(writing, writers, api.room_id, [None]),
                *(follow(reader, limit, writing) for reader, limit in zip(readers, (2, 20, 200), strict=True)),
            )
        for met in followed:
            assert met == [first, *sorted(writing.ids)]

    asyncio.run(example())

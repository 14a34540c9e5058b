"""Import a real archive: 22,172 messages of 351 people, each once, in order, in its thread."""

import asyncio
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.imports.conftest import Racket, command
from tests.imports.export import summary_of
from tests.messages.walk import Page, Query, messages_of, walk

MESSAGES, TOP_LEVEL, REPLIES, PEOPLE = 22_172, 2_364, 19_808, 351
PAGE = 200
CONCURRENT = 16
WINDOW_MS = 10 * 24 * 3600 * 1000


@pytest.fixture(scope="module")
def steps(racket: Racket) -> list[tuple[Query, Page]]:
    return list(walk(racket.api.integration, racket.room_id, limit=str(PAGE)))


@pytest.fixture(scope="module")
def oldest_first(steps: list[tuple[Query, Page]]) -> list[dict[str, Any]]:
    return messages_of(iter(steps))[::-1]


def test_the_summary_counts_the_contents_of_the_archive(racket: Racket) -> None:
    assert racket.summary == {
        "people": (PEOPLE, 0),
        "rooms": (1, 0),
        "messages": (MESSAGES, 0),
        "of them replies": (REPLIES, 0),
        "reactions": (0, 0),
    }


@pytest.mark.contract("Room messages 4", "Room messages 13")
def test_a_walk_returns_each_message_once_newest_first(steps: list[tuple[Query, Page]]) -> None:
    ids = [message["message_id"] for message in messages_of(iter(steps))]
    assert len(ids) == MESSAGES
    assert all(newer > older for newer, older in pairwise(ids))


@pytest.mark.contract("Room messages 13", "Authentication 4")
def test_a_personal_key_walks_the_same_history(racket: Racket, steps: list[tuple[Query, Page]]) -> None:
    assert list(walk(racket.api.person, racket.room_id, limit=str(PAGE))) == steps


@pytest.mark.contract("Room messages 4")
def test_a_walk_sends_at_most_one_request_per_page_and_window(steps: list[tuple[Query, Page]]) -> None:
    by_window: dict[int, int] = defaultdict(int)
    for message in messages_of(iter(steps)):
        by_window[int(message["message_id"].replace("-", "")[:12], 16) // WINDOW_MS] += 1
    pages = sum(-(-count // PAGE) for count in by_window.values())
    assert len(steps) <= pages + len(by_window) + 1


def test_every_message_matches_the_archive(racket: Racket, oldest_first: list[dict[str, Any]]) -> None:
    people = {row["actor_id"]: row["name"] for row in racket.api.sql("select actor_id, name from actors")}
    by_ts = dict(zip((entry["ts"] for entry in racket.entries), oldest_first, strict=True))
    for entry in racket.entries:
        message = by_ts[entry["ts"]]
        assert message["sent_at"] == message["created_at"]
        assert int(message["message_id"].replace("-", "")[:12], 16) == int(entry["ts"].replace(".", "")) // 1000
        assert people_name(people, message) == racket.names[entry["user"]]
        is_reply = entry.get("thread_ts", entry["ts"]) != entry["ts"]
        root = by_ts[entry["thread_ts"]]["message_id"] if is_reply else None
        assert message["parent_id"] == message["thread_root_id"] == root
        assert message["reply_count"] == entry.get("reply_count", 0)


def people_name(people: dict[Any, str], message: dict[str, Any]) -> str:
    return next(name for actor, name in people.items() if str(actor) == message["user_id"])


@pytest.mark.contract("Thread messages 4")
def test_every_thread_is_complete_oldest_first(racket: Racket, oldest_first: list[dict[str, Any]]) -> None:
    expected: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for message in oldest_first:
        if message["thread_root_id"]:
            expected[message["thread_root_id"]].append(message)
    tops = [message for message in oldest_first if not message["thread_root_id"]]
    threads = asyncio.run(read_threads(racket, [top["message_id"] for top in tops]))
    assert len(tops) == TOP_LEVEL
    assert sum(map(len, threads)) == REPLIES
    for top, thread in zip(tops, threads, strict=True):
        assert thread == expected[top["message_id"]]
        assert len(thread) == top["reply_count"]
        assert top["last_reply_at"] == (thread[-1]["sent_at"] if thread else None)


async def read_threads(racket: Racket, roots: list[str]) -> list[list[dict[str, Any]]]:
    headers = {"authorization": f"Bearer {racket.api.organization_key}"}
    turns = asyncio.Semaphore(CONCURRENT)
    async with httpx.AsyncClient(base_url=racket.api.url, headers=headers, timeout=60) as client:

        async def read(root: str) -> list[dict[str, Any]]:
            async with turns:
                return await read_thread(client, f"/v2/rooms/{racket.room_id}/threads/{root}/messages")

        return await asyncio.gather(*map(read, roots))


async def read_thread(client: httpx.AsyncClient, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    query: dict[str, str] = {}
    while True:
        page = (await client.get(path, params={"limit": str(PAGE), **query})).raise_for_status().json()
        found += page["messages"]
        if not page["has_more"]:
            return found
        query = {"cursor_sent_at": page["next_cursor_sent_at"], "cursor_message_id": page["next_cursor_message_id"]}


@pytest.mark.contract("Room 3")
def test_the_room_is_as_old_as_its_first_message(racket: Racket, oldest_first: list[dict[str, Any]]) -> None:
    room = racket.api.person.get(f"/v2/rooms/{racket.room_id}").json()
    assert room["created_at"] <= oldest_first[0]["sent_at"]
    assert room["last_message_at"] == oldest_first[-1]["sent_at"]


@pytest.mark.contract("Messages and blocks 23")
def test_importing_it_again_adds_nothing(racket: Racket, archive: Path) -> None:
    assert summary_of(command(racket.api, archive)) == {
        "people": (0, PEOPLE),
        "rooms": (0, 1),
        "messages": (0, MESSAGES),
        "of them replies": (0, REPLIES),
        "reactions": (0, 0),
    }
    found = racket.api.sql("select count(*) from messages where room_id = $1", racket.room_id)
    assert found[0]["count"] == MESSAGES

"""The client reads, continues and follows a history, each message once, even while the server is killed."""

import asyncio
import itertools
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import httpx
import psutil
import pytest

from atrium.client import AsyncAtrium, Atrium, Message, Position, Retries
from atrium.kit.settings import Settings
from tests.conftest import Api, RunningServer, free_port, new_organization, running_server
from tests.faults.running import kill_all
from tests.messages.walk import messages_of, walk

MANY_RETRIES = Retries(attempts=1000, first_wait=0.02, max_wait=0.2)
OLD = 1_400_000_000_000  # 2014: many empty windows ago


@pytest.fixture
def atrium(api: Api) -> Iterator[Atrium]:
    with Atrium(api.url, api.personal_key) as client:
        yield client


def insert_old(api: Api, count: int) -> None:
    """Insert messages of long ago, a second apart, as an import does."""
    api.sql(
        """insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
        select $1::uuid, id_at(ms << 12), $2::uuid, 'person', 'old ' || ms, time_of_ms(ms)
        from generate_series($3::bigint, $3::bigint + ($4::bigint - 1) * 1000, 1000) ms""",
        api.room_id,
        api.person_id,
        OLD,
        count,
    )
    api.sql("update rooms set created_at = time_of_ms($2::bigint) where room_id = $1", api.room_id, OLD)


def ids(messages: Any) -> list[str]:
    return [str(each.message_id) for each in messages]


def ids_of_walk(api: Api) -> list[str]:
    return [each["message_id"] for each in messages_of(walk(api.person, api.room_id, limit=200))]


@pytest.mark.contract("Client, agents and incoming webhooks 1")
@pytest.mark.parametrize("page_size", [1, 7, 200])
def test_a_history_is_read_across_windows_and_continues_from_any_position(
    api: Api, atrium: Atrium, page_size: int
) -> None:
    insert_old(api, 15)
    for number in range(5):
        api.send(f"new {number}")
    room = atrium.room(api.room_id)
    complete = list(room.messages(page_size=page_size))
    assert ids(complete) == ids_of_walk(api)
    assert len(complete) == 20
    for cut in range(20):
        stored = Position.parse(str(complete[cut].position))
        assert ids(room.messages(before=stored, page_size=page_size)) == ids(complete[cut + 1 :])
        assert ids(room.messages(after=stored, page_size=page_size)) == ids(reversed(complete[:cut]))


def test_an_empty_room_has_an_empty_history(api: Api, atrium: Atrium) -> None:
    assert list(atrium.room(api.room_id).messages()) == []


def test_top_level_omits_replies_and_a_thread_returns_them(api: Api, atrium: Atrium) -> None:
    root = api.send("root")
    replies = [api.send(f"reply {nr}", parent_id=root["message_id"])["message_id"] for nr in range(5)]
    room = atrium.room(api.room_id)
    assert ids(room.messages(top_level=True)) == [root["message_id"]]
    thread = room.thread(root["message_id"])
    assert thread.root().text == "root"
    found = list(thread.messages(page_size=2))
    assert ids(found) == replies
    assert ids(thread.messages(after=found[2].position)) == replies[3:]


def test_messages_include_their_attachments(api: Api, atrium: Atrium) -> None:
    made = api.person.post(f"/v2/rooms/{api.room_id}/attachments", params={"name": "a.txt"}, content=b"bytes").json()
    api.send("look", attachments=[made["attachment_id"]])
    [file] = next(iter(atrium.room(api.room_id).messages())).attachments
    assert (file.name, file.size, file.width, file.url) == ("a.txt", 5, None, made["url"])


def test_positions_are_ordered_and_stored_as_text(api: Api, atrium: Atrium) -> None:
    room = atrium.room(api.room_id)
    first, second = room.send("one").position, room.send("two").position
    assert first < second
    assert Position.parse(str(first)) == first
    with pytest.raises(ValueError, match="Invalid isoformat"):
        Position.parse("yesterday/none")


def test_before_and_follow_cannot_be_combined(api: Api, atrium: Atrium) -> None:
    room = atrium.room(api.room_id)
    at = room.send("here").position
    with pytest.raises(ValueError, match="before reads back"):
        room.messages(before=at, follow=True)


@pytest.mark.contract("Client, agents and incoming webhooks 2")
def test_following_a_room_yields_missed_then_new_messages(api: Api, atrium: Atrium) -> None:
    room = atrium.room(api.room_id)
    at = room.send("known").position
    missed = [str(room.send(f"missed {nr}").message_id) for nr in range(5)]
    with closing(room.messages(after=at, follow=True, page_size=2)) as followed:
        assert ids(itertools.islice(followed, 5)) == missed
        for number in range(3):
            sent = room.send(f"live {number}")
            assert next(followed).message_id == sent.message_id
        reply = room.thread(sent.message_id).send("a reply")
        assert next(followed) == reply


@pytest.mark.contract("Client, agents and incoming webhooks 2")
def test_follow_alone_starts_now_in_a_room_and_at_the_first_reply_in_a_thread(api: Api) -> None:
    api.send("before")
    root = api.send("root")

    async def example() -> None:
        async with AsyncAtrium(api.url, api.personal_key) as atrium:
            room = atrium.room(api.room_id)
            thread = room.thread(root["message_id"])
            replied = await thread.send("first")
            in_thread, in_room = thread.messages(follow=True), room.messages(follow=True)
            assert (await anext(in_thread)).message_id == replied.message_id
            waiting = asyncio.ensure_future(anext(in_room))
            reply = asyncio.ensure_future(anext(in_thread))
            while not waiting.done():  # it follows from the newest message that it has read, and one of these is newer
                last = await room.send("not a reply")
                await asyncio.sleep(0.05)
            assert waiting.result().text == "not a reply"
            assert not reply.done()
            second = await thread.send("second")
            assert (await reply).message_id == second.message_id
            assert last.message_id != second.message_id
            await in_thread.aclose()
            await in_room.aclose()

    asyncio.run(asyncio.wait_for(example(), 60))


class DelayedStreams(httpx.AsyncHTTPTransport):
    """A transport that delays live streams until `allowed` is set, as a busy machine might."""

    def __init__(self) -> None:
        super().__init__()
        self.requested, self.allowed = asyncio.Semaphore(0), asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v2/events":
            self.requested.release()
            await self.allowed.wait()
        return await super().handle_async_request(request)


@pytest.mark.contract("Client, agents and incoming webhooks 7")
def test_following_includes_messages_sent_before_the_stream_starts(api: Api) -> None:
    root = api.send("before")

    async def example() -> tuple[list[Message], list[Message]]:
        delayed = DelayedStreams()
        async with AsyncAtrium(api.url, api.personal_key, transport=delayed) as atrium:
            room = atrium.room(api.room_id)
            thread = room.thread(root["message_id"])
            in_room = asyncio.create_task(_first_of(room.messages(follow=True), "last"))
            in_thread = asyncio.create_task(_first_of(thread.messages(follow=True), "last reply"))
            for _ in (in_room, in_thread):
                await delayed.requested.acquire()
            for text in ("meanwhile", "last"):
                await room.send(text)
            for text in ("reply meanwhile", "last reply"):
                await thread.send(text)
            delayed.allowed.set()
            return await in_room, await in_thread

    in_room, in_thread = asyncio.run(asyncio.wait_for(example(), 60))
    assert [each.text for each in in_room] == ["meanwhile", "last"]
    assert [each.text for each in in_thread] == ["reply meanwhile", "last reply"]


class Killer(threading.Thread):
    """A thread that kills a server and restarts it on the same database, again and again, until it is stopped."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(daemon=True)
        self.settings = settings.with_changes(port=free_port(), workers=1)
        self.url = f"http://127.0.0.1:{self.settings.port}"
        self.started_up, self.stopped = threading.Event(), threading.Event()
        self.kills = 0

    def run(self) -> None:
        while not self.stopped.is_set():
            with running_server(self.settings) as running:
                self.started_up.set()
                self.stopped.wait(1.0)
                if not self.stopped.is_set():
                    self._kill(running)

    def _kill(self, running: RunningServer) -> None:
        family = psutil.Process(running.process.pid).children(recursive=True)
        running.process.kill()
        kill_all(family)
        running.process.wait(10)
        self.kills += 1

    def __enter__(self) -> "Killer":
        self.start()
        assert self.started_up.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self.join(60)


@pytest.mark.contract("Client, agents and incoming webhooks 3")
def test_while_the_server_is_killed_each_message_is_sent_and_received_once(settings: Settings) -> None:
    with Killer(settings) as killer:
        api = new_organization(settings, killer.url)
        insert_old(api, 40)
        asyncio.run(asyncio.wait_for(_through_kills(api, killer), 240))
        assert killer.kills >= 4


async def _through_kills(api: Api, killer: Killer) -> None:
    async with AsyncAtrium(api.url, api.personal_key, retries=MANY_RETRIES) as atrium:
        room = atrium.room(api.room_id)
        root = await room.send("root")
        followed, replies = room.messages(after=root.position, follow=True), room.thread(root.message_id)
        tail = asyncio.create_task(_first_of(followed, "last"))
        thread = asyncio.create_task(_first_of(replies.messages(follow=True, page_size=3), "last reply"))
        sent, number = [root], 0
        while killer.kills < 4:
            sent.append(await (room.send(f"message {number}") if number % 3 else replies.send(f"reply {number}")))
            number += 1
            await asyncio.sleep(0.02)
        sent += [await replies.send("last reply"), await room.send("last")]
        walk_back = [each async for each in _through_a_kill(room.messages(page_size=7), killer)]
        thread_again = [each async for each in _through_a_kill(replies.messages(page_size=3), killer)]
        assert ids(await tail) == ids(sent[1:])
        in_thread = ids(each for each in sent if each.thread_root_id == root.message_id)
        assert ids(await thread) == ids(thread_again) == in_thread
        assert ids(walk_back)[: len(sent)] == ids(reversed(sent))
        assert len({each.message_id for each in walk_back}) == len(walk_back) == len(sent) + 40
        assert walk_back[-1].sent_at - walk_back[-2].sent_at == timedelta(seconds=-1)


async def _first_of(messages: Any, last: str) -> list[Message]:
    found = []
    async for message in messages:
        found.append(message)
        if message.text == last:
            break
    await messages.aclose()
    return found


async def _through_a_kill(messages: Any, killer: Killer) -> Any:
    """Yield the messages, but wait after the fifth until the server was killed and restarted."""
    received = 0
    async for message in messages:
        received, before = received + 1, killer.kills
        while received == 5 and killer.kills == before:
            await asyncio.sleep(0.02)
        yield message
    assert received > 5

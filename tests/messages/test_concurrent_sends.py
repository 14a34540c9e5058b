"""Concurrent sends: ids rise in the order of commits, counts are exact, and a repeated send is one message."""

import asyncio
import json
import os
from itertools import pairwise
from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.messages.concurrent import callers, send
from tests.messages.walk import ids_of, walk

SENDERS = 60


async def _watch(client: httpx.AsyncClient, room_id: str, until: asyncio.Event) -> list[list[str]]:
    """Return the room's content at each read; it has less than a page of messages."""
    looks = []
    while True:
        last = until.is_set()
        page = (await client.get(f"/v2/rooms/{room_id}/messages", params={"limit": 200})).raise_for_status().json()
        looks.append(ids_of(page)[::-1])
        if last:
            return looks


@pytest.mark.contract("Messages and blocks 1")
def test_no_message_ever_appears_below_what_a_reader_has_seen(api: Api) -> None:
    rooms = [api.room_id, api.new_room()["room_id"], api.new_room()["room_id"]]

    async def example() -> None:
        over = asyncio.Event()

        async def write(number: int, client: httpx.AsyncClient) -> list[tuple[str, str]]:
            chosen = [rooms[(number + turn) % len(rooms)] for turn in range(8)]
            return [(room, (await send(client, room))["message_id"]) for room in chosen]

        async def write_all(clients: list[httpx.AsyncClient]) -> list[list[tuple[str, str]]]:
            written = await asyncio.gather(*(write(number, client) for number, client in enumerate(clients)))
            over.set()
            return written

        async with callers(api, SENDERS) as writers, callers(api, 6, key=api.organization_key) as readers:
            written, watched = await asyncio.gather(
                write_all(writers),
                asyncio.gather(*(_watch(reader, rooms[n % 3], over) for n, reader in enumerate(readers))),
            )
        for one_sender in written:
            for room in rooms:
                own = [id_ for where, id_ in one_sender if where == room]
                assert own == sorted(own), "who sends after an answer sends above it"
        for n, looks in enumerate(watched):
            whole = sorted(id_ for each in written for where, id_ in each if where == rooms[n % 3])
            assert looks[-1] == whole
            for look in looks:
                assert look == whole[: len(look)], "a look is all that had committed, up to the newest it shows"
            assert all(len(older) <= len(newer) for older, newer in pairwise(looks))

    asyncio.run(example())


def test_two_hundred_concurrent_replies_are_two_hundred_in_the_count(api: Api) -> None:
    roots = [api.send(f"root {n}")["message_id"] for n in range(2)]

    async def example() -> list[dict[str, Any]]:
        async with callers(api, 200) as clients:
            replies = [send(each, api.room_id, parent_id=roots[n % 10 == 0]) for n, each in enumerate(clients)]
            reactions = [each.put(f"{api.messages}/{roots[0]}/reactions/{n}") for n, each in enumerate(clients[:20])]
            answers = await asyncio.gather(*replies, *reactions)
        return [each for each in answers if isinstance(each, dict)]

    replies = asyncio.run(example())
    shown = [api.integration.get(f"{api.messages}/{root}").json() for root in roots]
    assert [root["reply_count"] for root in shown] == [180, 20]
    for root in shown:
        of_it = [reply["sent_at"] for reply in replies if reply["thread_root_id"] == root["message_id"]]
        assert root["last_reply_at"] == max(of_it)
    assert len(shown[0]["reactions"]) == 20, "no reaction was lost to a reply counted at the same time"
    listed = {m["message_id"]: m for _, page in walk(api.integration, api.room_id) for m in page["messages"]}
    assert [listed[root["message_id"]] for root in shown] == shown


@pytest.mark.contract("Conventions 21")
def test_fifty_identical_sends_under_one_key_create_one_message_with_one_response(api: Api) -> None:
    async def example() -> list[httpx.Response]:
        headers = {"idempotency-key": os.urandom(8).hex()}
        async with callers(api, 50) as clients:
            return await asyncio.gather(
                *(client.post(api.messages, json={"text": "once"}, headers=headers) for client in clients)
            )

    for _ in range(4):
        answers = asyncio.run(example())
        assert {answer.status_code for answer in answers} == {201}, sorted(answer.text for answer in answers)[-1]
        assert len({answer.content for answer in answers}) == 1
    assert len(ids_of(api.integration.get(api.messages).json())) == 4


def test_a_reply_sent_twice_concurrently_counts_once(api: Api) -> None:
    root = api.send("root")["message_id"]

    async def example() -> list[int]:
        headers = {"idempotency-key": "the same"}
        body = {"text": "once", "parent_id": root}
        async with callers(api, 30) as clients:
            answers = await asyncio.gather(*(each.post(api.messages, json=body, headers=headers) for each in clients))
        return [answer.status_code for answer in answers]

    assert asyncio.run(example()) == [201] * 30
    assert api.integration.get(f"{api.messages}/{root}").json()["reply_count"] == 1


def test_two_concurrent_bodies_under_one_key_are_one_message_and_one_mismatch(api: Api) -> None:
    async def example() -> list[tuple[int, str]]:
        headers = {"idempotency-key": "one"}
        async with callers(api, 40) as clients:
            answers = (
                each.post(api.messages, json={"text": f"{n % 2}"}, headers=headers) for n, each in enumerate(clients)
            )
            return [(answer.status_code, answer.text) for answer in await asyncio.gather(*answers)]

    answers = asyncio.run(example())
    assert {status for status, _ in answers} == {201, 422}, answers
    [stored] = api.integration.get(api.messages).json()["messages"]
    assert [json.loads(text) for status, text in answers if status == 201] == [stored] * 20
    assert {json.loads(text)["code"] for status, text in answers if status == 422} == {"idempotency_mismatch"}


def test_an_idempotency_key_belongs_to_its_caller_and_room(api: Api) -> None:
    other_room = api.new_room()["room_id"]
    headers = {"idempotency-key": "k"}
    answers = [
        api.person.post(api.messages, json={"text": "a"}, headers=headers),
        api.integration.post(api.messages, json={"text": "a"}, headers=headers),
        api.person.post(f"/v2/rooms/{other_room}/messages", json={"text": "a"}, headers=headers),
    ]
    assert [answer.status_code for answer in answers] == [201] * 3
    assert len({answer.json()["message_id"] for answer in answers}) == 3


def test_invalid_requests_in_a_batch_fail_alone(api: Api, outsider: Api) -> None:
    """Every kind of error, and values that the database would reject, within the same few milliseconds."""
    archived = api.new_room()["room_id"]
    assert api.person.patch(f"/v2/rooms/{archived}", json={"archived": True}).status_code == 200
    guest = api.new_person("guest")[1]
    here, nowhere = api.messages, "/v2/rooms/00000000-0000-7000-8000-000000000000/messages"
    bad: list[tuple[str, dict[str, Any], str, set[int]]] = [
        (nowhere, {"text": "a"}, api.personal_key, {404}),
        (outsider.messages, {"text": "a"}, api.personal_key, {404}),
        (here, {"text": "a"}, guest, {404}),
        (here, {"text": "a"}, outsider.personal_key, {404}),
        (f"/v2/rooms/{archived}/messages", {"text": "a"}, api.personal_key, {409}),
        (here, {"text": "a", "parent_id": "00000000-0000-7000-8000-000000000000"}, api.personal_key, {404}),
        (here, {"text": "nul \x00 inside"}, api.personal_key, {400}),
        (here, {"blocks": [{"type": "paragraph", "content": {"text": "nul \x00"}}]}, api.personal_key, {400}),
        (here, {"text": " "}, api.personal_key, {400}),
        (here, {"text": "<@00000000-0000-0000-0000-00000000zzzz> <@x> {,}"}, api.personal_key, {201}),
    ]

    async def example() -> None:
        async with callers(api, 100) as clients:
            for _ in range(2):
                good = [send(client, api.room_id) for client in clients[:80]]
                refused = [
                    client.post(path, json=body, headers={"authorization": f"Bearer {key}"})
                    for client, (path, body, key, _) in zip(clients[80:], bad * 2, strict=True)
                ]
                answers = await asyncio.gather(*good[:40], *refused, *good[40:])
                got = [answer for answer in answers if isinstance(answer, httpx.Response)]
                for answer, (_, body, _, wanted) in zip(got, bad * 2, strict=True):
                    assert answer.status_code in wanted, (body, answer.text)

    asyncio.run(example())
    assert len([m for _, page in walk(api.integration, api.room_id) for m in page["messages"]]) == 2 * (80 + 2)

"""The storage quota of an organization, also with concurrent uploads, and no limit without a quota."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from atrium.kit.clock import utc_now
from tests.conftest import Api, FakeClock, in_process_client
from tests.contract.tour import assert_problem
from tests.recordings.media import TUS, video_room, webm

QUOTA = 100_000
Act = Callable[[httpx.AsyncClient, str], Awaitable[None]]


def with_quota(api: Api, act: Act) -> None:
    """Run `act` with a client of a server that has a quota, and a video room."""
    room = video_room(api)

    async def scenario() -> None:
        async with in_process_client(api.settings.with_changes(storage_quota=QUOTA), FakeClock(utc_now())) as client:
            client.headers["authorization"] = f"Bearer {api.personal_key}"
            await act(client, f"/v2/rooms/{room}")

    asyncio.run(scenario())


async def attach(client: httpx.AsyncClient, room: str, content: Any) -> httpx.Response:
    return await client.post(f"{room}/attachments", params={"name": "a.bin"}, content=content)


async def in_pieces(size: int) -> AsyncIterator[bytes]:
    """Yield a body in pieces, so that its length is not announced."""
    for _ in range(0, size, 1000):
        yield bytes(1000)


async def begin(client: httpx.AsyncClient, room: str, size: int) -> httpx.Response:
    return await client.post(f"{room}/uploads", headers={**TUS, "upload-length": str(size), "upload-metadata": ""})


def assert_full(answer: httpx.Response) -> None:
    assert assert_problem(answer, 413)["code"] == "storage_quota_exceeded"


@pytest.mark.contract("Recordings and attachments 22")
def test_recordings_attachments_and_running_uploads_count_and_deletions_free_space(api: Api, outsider: Api) -> None:
    async def act(client: httpx.AsyncClient, room: str) -> None:
        made = await client.post(f"{room}/recordings", params={"name": "f"}, content=webm(50_000))
        assert made.status_code == 201, made.text
        assert (await attach(client, room, bytes(30_000))).status_code == 201
        upload = await begin(client, room, 20_000)
        assert upload.status_code == 201, "to the last byte"
        assert_full(await begin(client, room, 1))
        assert_full(await attach(client, room, b"x"))
        assert (await client.post(f"{room}/messages", json={"text": "talk is free"})).status_code == 201
        assert (await client.delete(upload.headers["location"], headers=TUS)).status_code == 204
        assert_full(await attach(client, room, bytes(20_001)))
        assert (await attach(client, room, bytes(20_000))).status_code == 201
        assert (await client.delete(f"/v2/recordings/{made.json()['recording_id']}")).status_code == 204
        assert (await attach(client, room, bytes(50_000))).status_code == 201
        theirs = {"authorization": f"Bearer {outsider.personal_key}"}
        elsewhere = f"/v2/rooms/{outsider.room_id}/attachments"
        assert (await client.post(elsewhere, content=bytes(QUOTA), headers=theirs)).status_code == 201

    with_quota(api, act)


@pytest.mark.contract("Recordings and attachments 22")
def test_concurrent_uploads_cannot_exceed_the_quota(api: Api) -> None:
    async def act(client: httpx.AsyncClient, room: str) -> None:
        sized = [attach(client, room, bytes(30_000)) for _ in range(8)]
        answers = Counter([each.status_code for each in await asyncio.gather(*sized)])
        assert answers == {201: 3, 413: 5}

    with_quota(api, act)


@pytest.mark.contract("Recordings and attachments 22")
def test_bodies_of_unknown_length_are_counted(api: Api) -> None:
    async def act(client: httpx.AsyncClient, room: str) -> None:
        assert_full(await attach(client, room, in_pieces(QUOTA + 1000)))
        at_once = [attach(client, room, in_pieces(60_000)) for _ in range(4)]
        answers = Counter([each.status_code for each in await asyncio.gather(*at_once)])
        assert answers == {201: 1, 413: 3}
        assert (await attach(client, room, in_pieces(40_000))).status_code == 201, "what was refused is given up"

    with_quota(api, act)


@pytest.mark.contract("Recordings and attachments 22")
def test_without_a_quota_nothing_is_queried(api: Api) -> None:
    assert api.settings.storage_quota is None
    assert api.person.post(f"/v2/rooms/{api.room_id}/attachments", content=bytes(QUOTA + 1)).status_code == 201

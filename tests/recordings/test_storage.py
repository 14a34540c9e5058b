"""The storage, a folder or an S3 server, and the removal of unused objects."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from atrium.cleanup.actions import clean_up
from atrium.kit.settings import Settings
from atrium.kit.storage import Storage, StorageUnavailable, open_storage
from tests.conftest import FakeClock, new_organization, running_server
from tests.contract.tour import assert_problem
from tests.recordings.media import TUS, append, begin, offset_of, record, video_room, webm
from tests.recordings.storage import CREDENTIALS, rounds, stored_folders, under_a_clock
from tests.recordings.storage import s3 as s3  # noqa: PLC0414 - a fixture


@pytest.fixture(params=["folder", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Storage:
    if request.param == "folder":
        return open_storage(Settings(data_dir=tmp_path))
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return open_storage(Settings(storage=request.getfixturevalue("s3")))


@pytest.mark.contract("Recordings and attachments 12")
def test_objects_are_written_read_by_range_and_deleted_by_folder(storage: Storage) -> None:
    async def act() -> None:
        content = bytes(range(256)) * 4096
        for name in ("one/a", "one/b", "only/c"):
            await storage.put(name, content)
        assert b"".join([chunk async for chunk in storage.read("one/a", 5, 700_000)]) == content[5:700_000]
        assert await storage.size("one/b") == len(content)
        await storage.delete("one")
        await storage.delete("one")
        with pytest.raises(StorageUnavailable):
            await storage.size("one/a")
        assert await storage.size("only/c") == len(content)

    asyncio.run(act())


@pytest.mark.contract("Recordings and attachments 12")
def test_a_recording_is_stored_in_s3(settings: Settings, s3: str) -> None:
    content = webm(9 << 20)
    with running_server(settings.with_changes(storage=s3), **CREDENTIALS) as running:
        api = new_organization(running.settings, running.url)
        room_id = video_room(api)
        made = record(api, room_id, content)
        upload = begin(api.person, room_id, len(content))
        append(api.person, upload, 0, content[: 5 << 20])
        append(api.person, upload, 5 << 20, content[5 << 20 :])
        for recording_id in (made["recording_id"], upload.rsplit("/", 1)[1]):
            path = f"/v2/recordings/{recording_id}/media"
            assert api.person.get(path).content == content
            assert api.person.get(path, headers={"range": "bytes=4194300-4194310"}).content == content[4194300:4194311]
        api.close()
    assert not list((settings.data_dir / "media").glob(made["recording_id"]))


@pytest.mark.contract("Recordings and attachments 12")
def test_a_failing_storage_is_reported_and_leaves_no_recording(settings: Settings, s3: str) -> None:
    nowhere = s3.replace("s3://media/", "s3://no-such-bucket/")
    with running_server(settings.with_changes(storage=nowhere), **CREDENTIALS) as running:
        api = new_organization(running.settings, running.url)
        room_id = video_room(api)
        refused = api.person.post(f"/v2/rooms/{room_id}/recordings", content=webm(100))
        assert assert_problem(refused, 503)["code"] == "storage_unavailable"
        assert api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"] == []
        upload = begin(api.person, room_id, 100)
        assert_problem(append(api.person, upload, 0, webm(100)), 503)
        assert offset_of(api.person, upload) == 0
        api.close()


@pytest.mark.parametrize("text", ["/media", "media", "http://x/y", "s3://", "file:///tmp"])
def test_an_invalid_storage_url_is_rejected_at_start(text: str) -> None:
    with pytest.raises(ValueError, match="s3://bucket/prefix"):
        Settings(storage=text)


async def new_video_room(client: httpx.AsyncClient, space_id: str) -> str:
    made = await client.post(f"/v2/spaces/{space_id}/rooms", json={"name": "films", "room_type": "video"})
    return str(made.json()["room_id"])


async def add_file_block(client: httpx.AsyncClient, room_id: str) -> dict[str, Any]:
    """Upload a file and show it on the page of the room."""
    file = (await client.post(f"/v2/rooms/{room_id}/attachments", content=b"x")).json()
    content = {"url": f"http://atrium.test{file['url']}", "attachment_id": file["attachment_id"]}
    made = await client.post(f"/v2/rooms/{room_id}/blocks", json={"type": "file", "content": content})
    assert made.status_code == 201, made.text
    return dict(made.json())


@pytest.mark.contract("Messages and blocks 15", "Recordings and attachments 13")
def test_unfinished_uploads_and_unused_attachments_are_deleted_after_a_day() -> None:
    async def act(client: httpx.AsyncClient, clock: FakeClock, service: Any, ids: dict[str, str]) -> None:
        room_id = await new_video_room(client, ids["space"])
        begun = await client.post(f"/v2/rooms/{room_id}/uploads", headers={**TUS, "upload-length": "100000"})
        upload = begun.headers["location"]
        own = {**TUS, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
        assert (await client.patch(upload, content=webm(50_000), headers=own)).status_code == 204
        unsent = (await client.post(f"/v2/rooms/{room_id}/attachments", content=b"x")).json()
        sent = (await client.post(f"/v2/rooms/{room_id}/attachments", content=b"x")).json()
        body = {"text": "x", "attachments": [sent["attachment_id"]]}
        assert (await client.post(f"/v2/rooms/{room_id}/messages", json=body)).status_code == 201
        recording = (await client.post(f"/v2/rooms/{room_id}/recordings", content=webm(100))).json()
        shown, deleted = [await add_file_block(client, room_id) for _ in range(2)]
        assert (await client.delete(f"/v2/blocks/{deleted['block_id']}")).status_code == 204
        clock.at += timedelta(hours=23)
        await rounds(service, clock)
        assert len(stored_folders(service)) == 6
        clock.at += timedelta(hours=1)
        assert (await client.head(upload, headers=TUS)).status_code == 404
        await rounds(service, clock)
        remaining = {sent["attachment_id"], shown["content"]["attachment_id"], recording["recording_id"]}
        assert stored_folders(service) == remaining
        assert (await client.get(unsent["url"])).status_code == 404
        assert (await client.get(sent["url"])).status_code == 200

    under_a_clock(act)


def test_an_upload_stays_while_bytes_arrive() -> None:
    async def act(client: httpx.AsyncClient, clock: FakeClock, service: Any, ids: dict[str, str]) -> None:
        room_id = await new_video_room(client, ids["space"])
        begun = await client.post(f"/v2/rooms/{room_id}/uploads", headers={**TUS, "upload-length": "3000"})
        for at in range(3):
            clock.at += timedelta(hours=20)
            await clean_up(service.pool, service.storage, service.settings, service.clock, service.clock())
            own = {**TUS, "upload-offset": str(at * 1000), "content-type": "application/offset+octet-stream"}
            content = webm(3000)[at * 1000 : at * 1000 + 1000]
            assert (await client.patch(begun.headers["location"], content=content, headers=own)).status_code == 204

    under_a_clock(act)


@pytest.mark.contract("Recordings and attachments 13")
@pytest.mark.parametrize("what", ["recording", "message", "room", "space"])
def test_deleted_files_leave_the_storage_later(what: str) -> None:
    async def act(client: httpx.AsyncClient, clock: FakeClock, service: Any, ids: dict[str, str]) -> None:
        room_id = await new_video_room(client, ids["space"])
        recording = (await client.post(f"/v2/rooms/{room_id}/recordings", content=webm(9 << 20))).json()["recording_id"]
        attachment = (await client.post(f"/v2/rooms/{room_id}/attachments", content=b"x")).json()["attachment_id"]
        body = {"text": "x", "attachments": [attachment]}
        message = (await client.post(f"/v2/rooms/{room_id}/messages", json=body)).json()["message_id"]
        begun = await client.post(f"/v2/rooms/{room_id}/uploads", headers={**TUS, "upload-length": "10"})
        own = {**TUS, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
        await client.patch(begun.headers["location"], content=b"12345", headers=own)
        assert len(stored_folders(service)) == 3
        paths = {
            "recording": f"/v2/recordings/{recording}",
            "message": f"/v2/rooms/{room_id}/messages/{message}",
            "room": f"/v2/rooms/{room_id}",
            "space": f"/v1/spaces/{ids['space']}",
        }
        assert (await client.delete(paths[what])).status_code == 204
        clock.at += timedelta(seconds=1)
        await rounds(service, clock)
        upload = begun.headers["location"].rsplit("/", 1)[1]
        left = {"recording": {attachment, upload}, "message": {recording, upload}}
        assert stored_folders(service) == left.get(what, set())
        rows = await service.pool.fetchval("select count(distinct object) from media_parts")
        assert rows == len(left.get(what, ()))

    under_a_clock(act)

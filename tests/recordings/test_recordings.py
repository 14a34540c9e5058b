"""Recordings of video rooms: uploading, listing, renaming, deleting, and errors."""

import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest

from tests.audit.entries import entries
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.recordings.media import film, record, video_room, webm
from tests.wait_until import wait_until


@pytest.mark.contract("Recordings and attachments 1")
def test_a_recording_is_created_listed_and_read(api: Api) -> None:
    room_id, content = video_room(api), webm(10_000)
    made = record(api, room_id, content, name="Planning.mp4")
    assert made == {
        "recording_id": made["recording_id"],
        "room_id": room_id,
        "name": "Planning.mp4",
        "media_type": "video/webm",
        "size": 10_000,
        "duration_ms": None,
        "created_by": api.person_id,
        "created_at": made["created_at"],
        "transcript_version": None,
        "transcription": made["transcription"],
    }
    [listed] = api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"]
    path = f"/v2/recordings/{made['recording_id']}"
    for shown in (listed, api.person.get(path).json()):
        assert {**shown, "transcription": made["transcription"]} == made
    assert api.person.get(f"{path}/media").content == content


def test_a_recording_in_many_parts_is_returned_unchanged(api: Api) -> None:
    room_id, content = video_room(api), webm((9 << 20) + 17)
    made = record(api, room_id, content)
    assert made["size"] == len(content)
    assert api.person.get(f"/v2/recordings/{made['recording_id']}/media").content == content
    exact = webm(8 << 20)
    made = record(api, room_id, exact)
    assert api.person.get(f"/v2/recordings/{made['recording_id']}/media").content == exact


def test_a_body_of_unknown_length_is_accepted(api: Api) -> None:
    content = webm(5 << 20)
    pieces = (content[at : at + 70_000] for at in range(0, len(content), 70_000))
    made = api.person.post(f"/v2/rooms/{video_room(api)}/recordings", content=pieces)
    assert made.json()["size"] == len(content)
    assert api.person.get(f"/v2/recordings/{made.json()['recording_id']}/media").content == content


@pytest.mark.contract("Recordings and attachments 1")
def test_the_list_is_paged_oldest_first(api: Api) -> None:
    room_id = video_room(api)
    made = [record(api, room_id, webm(100), name=f"r{nr}")["recording_id"] for nr in range(3)]
    found, cursor = [], ""
    while cursor is not None:
        query = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = api.person.get(f"/v2/rooms/{room_id}/recordings", params=query).json()
        found += [each["recording_id"] for each in page["recordings"]]
        cursor = page["next_cursor"]
    assert found == made


@pytest.mark.contract("Recordings and attachments 1")
def test_its_uploader_and_a_space_admin_can_rename_and_delete_it(api: Api) -> None:
    room_id = video_room(api)
    uploader, other = (api.client(api.new_person()[1]) for _ in range(2))
    for allowed in (uploader, api.person):
        made = record(api, room_id, webm(100), uploader)
        path = f"/v2/recordings/{made['recording_id']}"
        assert_problem(other.patch(path, json={"name": "mine"}), 403)
        assert_problem(other.delete(path), 403)
        assert allowed.patch(path, json={"name": "Take two"}).json()["name"] == "Take two"
        assert allowed.delete(path).status_code == 204
        for gone in (path, f"{path}/media"):
            assert_problem(api.person.get(gone), 404)
        assert api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"] == []
    actions = [entry["action"] for entry in entries(api, action="recording")]
    assert actions == ["recording.deleted", "recording.renamed", "recording.uploaded"] * 2


@pytest.mark.contract("Recordings and attachments 11")
def test_a_reader_can_read_and_not_upload(api: Api) -> None:
    room_id = video_room(api)
    made = record(api, room_id, webm(100))
    reader = api.client(api.new_integration([{"space_id": api.space_id, "role": "reader"}])["key"])
    assert reader.get(f"/v2/recordings/{made['recording_id']}/media").content == webm(100)
    for path in ("recordings", "attachments", "uploads"):
        assert_problem(reader.post(f"/v2/rooms/{room_id}/{path}", content=webm(100)), 403)


@pytest.mark.contract("Recordings and attachments 11")
def test_an_unreachable_room_is_answered_like_a_missing_one(api: Api, outsider: Api) -> None:
    private = api.new_space("private")
    room_id = video_room(api, private)
    made = record(api, room_id, webm(100))
    outsiders = [outsider.person, api.client(api.new_person()[1]), api.client(api.new_integration()["key"])]
    for client in outsiders:
        for path in ("", "/media"):
            there, nowhere = f"/v2/recordings/{made['recording_id']}{path}", f"/v2/recordings/{room_id}{path}"
            for headers in ({}, {"range": "bytes=0-3"}, {"if-none-match": "*"}):
                answers = [client.get(each, headers=headers) for each in (there, nowhere)]
                assert bare(answers[0]) == bare(answers[1])
                assert answers[0].status_code == 404
            assert client.head(f"/v2/recordings/{made['recording_id']}/media").status_code == 404
        for path in ("recordings", "uploads"):
            answers = [
                client.post(f"/v2/rooms/{each}/{path}", content=b"x") for each in (room_id, made["recording_id"])
            ]
            assert bare(answers[0]) == bare(answers[1])
            assert assert_problem(answers[0], 404)["code"] == "room_not_found"
    assert_problem(api.client(None).get(f"/v2/recordings/{made['recording_id']}/media"), 401)


def bare(answer: httpx.Response) -> bytes:
    return answer.content.replace(answer.headers["x-request-id"].encode(), b"")


@pytest.mark.contract("Recordings and attachments 2")
def test_only_open_video_rooms_accept_recordings(api: Api) -> None:
    refused = api.person.post(f"/v2/rooms/{api.room_id}/recordings", content=webm(100))
    assert assert_problem(refused, 409)["code"] == "not_a_video_room"
    room_id = video_room(api)
    api.person.patch(f"/v2/rooms/{room_id}", json={"archived": True})
    refused = api.person.post(f"/v2/rooms/{room_id}/recordings", content=webm(100))
    assert assert_problem(refused, 409)["code"] == "room_archived"


BAD = {
    "a text": (b"Dear diary, " * 2000, 415, "unsupported_media"),
    "a short text": (b"hello", 415, "unsupported_media"),
    "a page": (b"<!doctype html><script>alert(1)</script>" + b" " * 20_000, 415, "unsupported_media"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\x00" * 10_000, 415, "unsupported_media"),
    "nothing": (b"", 400, "empty_file"),
}


@pytest.mark.contract("Recordings and attachments 9")
@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_no_recording_is_rejected_under_any_name(api: Api, what: str) -> None:
    content, status, code = BAD[what]
    room_id = video_room(api)
    refused = api.person.post(f"/v2/rooms/{room_id}/recordings", content=content, params={"name": "film.mp4"})
    assert assert_problem(refused, status)["code"] == code
    assert api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"] == []
    streamed = api.person.post(f"/v2/rooms/{room_id}/recordings", content=iter([content[:100], content[100:]]))
    assert assert_problem(streamed, status)["code"] == code


@pytest.mark.parametrize("name", [" ", "x" * 201, "a\x00b"])
def test_a_name_must_be_visible_and_bounded(api: Api, name: str) -> None:
    answer = api.person.post(f"/v2/rooms/{video_room(api)}/recordings", content=webm(100), params={"name": name})
    assert assert_problem(answer, 400)["errors"][0]["parameter"] == "name"


@pytest.mark.contract("Recordings and attachments 5")
def test_a_key_revoked_during_its_upload_leaves_no_recording(api: Api) -> None:
    room_id = video_room(api)
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])

    def content():
        yield webm(100_000)
        api.person.delete(f"{api.organization}/api-keys/{made['api_key']['api_key_id']}")
        yield b"x" * 100_000

    assert_problem(api.client(made["key"]).post(f"/v2/rooms/{room_id}/recordings", content=content()), 401)
    assert api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"] == []


@pytest.mark.contract("Recordings and attachments 5")
@pytest.mark.parametrize("announced", [True, False], ids=["of announced length", "of unannounced length"])
def test_a_truncated_body_becomes_no_recording(api: Api, announced: bool) -> None:
    room_id, content = video_room(api), webm(300_000)
    where = urlsplit(api.url)
    length = "Content-Length: 900000" if announced else "Transfer-Encoding: chunked"
    with socket.create_connection((str(where.hostname), int(where.port or 0))) as line:
        head = (
            f"POST /v2/rooms/{room_id}/recordings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.personal_key}\r\n"
        )
        line.sendall(f"{head}{length}\r\n\r\n".encode())
        line.sendall(content if announced else f"{len(content):x}\r\n".encode() + content + b"\r\n")
        time.sleep(0.5)
    expired = "select upload_id from uploads where room_id = $1 and expires_at = created_at"
    assert len(wait_until(lambda: api.sql(expired, room_id), "the upload is given up")) == 1
    assert api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"] == []


@pytest.mark.contract("Recordings and attachments 9")
def test_the_media_type_is_detected_from_the_bytes(api: Api) -> None:
    made = record(api, video_room(api), film(1), name="film.mp3")
    assert made["media_type"] == "video/webm"
    answer = api.person.get(f"/v2/recordings/{made['recording_id']}/media")
    assert answer.headers["content-type"] == "video/webm"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["content-disposition"].startswith("inline;")

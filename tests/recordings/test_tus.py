"""Resumable uploads: with public tus clients, interrupted anywhere, and across a killed server."""

import io
import itertools
import os
import signal
import socket
import time
from urllib.parse import urlsplit

import httpx
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tusclient.client import TusClient

from atrium.kit.settings import Settings
from tests.conftest import Api, RunningServer, new_organization, running_server, wait_until_up
from tests.contract.tour import assert_problem
from tests.recordings.media import TUS, append, begin, offset_of, video_room, webm
from tests.wait_until import wait_until

WRITER = "select writer from uploads where upload_id = $1"


def list_recordings(api: Api, room_id: str) -> list[dict]:
    return list(api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"])


def media(api: Api, upload: str) -> bytes:
    return api.person.get(f"/v2/recordings/{upload.rsplit('/', 1)[1]}/media").content


@pytest.mark.contract("Recordings and attachments 4")
def test_a_tus_client_uploads_in_pieces_and_resumes(api: Api) -> None:
    room_id, content = video_room(api), webm((5 << 20) + 123)
    client = TusClient(f"{api.url}/v2/rooms/{room_id}/uploads", headers={"Authorization": f"Bearer {api.personal_key}"})
    metadata = {"filename": "Plänning.webm", "kind": "recording"}
    first = client.uploader(file_stream=io.BytesIO(content), chunk_size=700_001, metadata=metadata)
    first.upload(stop_at=1_500_000)
    assert list_recordings(api, room_id) == []
    second = client.uploader(file_stream=io.BytesIO(content), chunk_size=3 << 20, url=first.url)
    assert second.get_offset() == first.offset
    second.upload()
    [made] = list_recordings(api, room_id)
    assert (made["name"], made["size"], made["media_type"]) == ("Plänning.webm", len(content), "video/webm")
    assert first.url and made["recording_id"] == first.url.rsplit("/", 1)[1]
    assert media(api, first.url) == content
    assert client.uploader(file_stream=io.BytesIO(content), chunk_size=100, url=first.url).get_offset() == len(content)


def test_each_request_of_an_upload_needs_the_scope_of_its_kind(api: Api) -> None:
    """Whichever key of the person began it."""
    room_id = video_room(api)
    for scope, allowed in (("recordings:write", "recording"), ("messages:write", "attachment")):
        made = api.person.post("/v1/me/integrations", json={"content": {"name": scope, "scopes": [scope]}})
        client = api.client(made.json()["key"])
        for kind in ("recording", "attachment"):
            upload = begin(api.person, room_id, 10, kind)
            answers = [client.head(upload, headers=TUS), append(client, upload, 0, b"")]
            answers.append(client.delete(upload, headers=TUS))
            expected = [200, 204, 204] if kind == allowed else [403] * 3
            assert [each.status_code for each in answers] == expected, (scope, kind)


def test_every_response_names_the_protocol_version(api: Api) -> None:
    room_id = video_room(api)
    upload = begin(api.person, room_id, 1000)
    options = api.person.options(f"/v2/rooms/{room_id}/uploads")
    assert options.headers["tus-version"] == "1.0.0"
    assert options.headers["tus-extension"] == "creation,expiration,termination"
    head = api.person.head(upload, headers=TUS)
    assert (head.headers["upload-offset"], head.headers["upload-length"]) == ("0", "1000")
    assert head.headers["cache-control"] == "no-store"
    assert head.headers["upload-expires"].endswith("GMT")
    more = append(api.person, upload, 0, webm(1000)[:10])
    assert (more.status_code, more.headers["upload-offset"]) == (204, "10")
    for answer in (options, head, more, api.person.head(upload), append(api.person, upload, 5, b"x")):
        assert answer.headers["tus-resumable"] == "1.0.0"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"tus-resumable": "0.2.2"}, 412),
        ({"content-type": "application/json"}, 415),
        ({"upload-offset": "7"}, 409),
        ({"upload-offset": "-1"}, 400),
        ({"upload-offset": "x"}, 400),
    ],
    ids=["another version", "another type", "another offset", "a negative offset", "no offset"],
)
def test_an_upload_over_the_limit_is_rejected(api: Api, headers: dict[str, str], status: int) -> None:
    upload = begin(api.person, video_room(api), 1000)
    assert_problem(append(api.person, upload, 0, webm(1000), **headers), status)
    assert offset_of(api.person, upload) == 0


@pytest.mark.contract("Recordings and attachments 10")
@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"upload-length": "0"}, 400, "empty_file"),
        ({"upload-length": str((4 << 30) + 1)}, 413, "upload_too_large"),
        ({"upload-length": "9" * 30}, 400, "invalid_request"),
        ({"upload-length": "-5"}, 400, "invalid_request"),
        ({"upload-defer-length": "1"}, 400, "invalid_request"),
        ({"upload-length": "5", "upload-metadata": "kind !!!"}, 400, "invalid_request"),
        ({"upload-length": "5", "upload-metadata": "kind eA=="}, 400, "invalid_request"),
        ({"upload-length": "5", "upload-metadata": "filename ICAg"}, 400, "invalid_request"),
        ({"upload-length": "5", "upload-metadata": "a b c"}, 400, "invalid_request"),
        ({"upload-length": "5", "upload-metadata": "filename \xff"}, 400, "invalid_request"),
        ({"upload-length": str((100 << 20) + 1), "upload-metadata": "kind YXR0YWNobWVudA=="}, 413, "upload_too_large"),
        ({"upload-length": "5", "tus-resumable": ""}, 412, "wrong_tus_version"),
    ],
)
def test_an_invalid_upload_is_not_created(api: Api, headers: dict[str, str], status: int, code: str) -> None:
    raw = {name.encode(): value.encode("latin-1") for name, value in {**TUS, **headers}.items()}
    answer = api.person.post(f"/v2/rooms/{video_room(api)}/uploads", headers=raw)
    assert assert_problem(answer, status)["code"] == code


def test_more_bytes_than_announced_are_rejected(api: Api) -> None:
    room_id = video_room(api)
    upload = begin(api.person, room_id, 1000)
    assert_problem(append(api.person, upload, 0, webm(1001)), 400)
    assert list_recordings(api, room_id) == []


def test_an_upload_that_is_no_recording_is_discarded(api: Api) -> None:
    room_id = video_room(api)
    upload = begin(api.person, room_id, 50_000_000, name="film.mp4")
    assert assert_problem(append(api.person, upload, 0, b"text " * 5000), 415)["code"] == "unsupported_media"
    assert api.person.head(upload, headers=TUS).status_code == 404
    small = begin(api.person, room_id, 10)
    assert append(api.person, small, 0, b"12345").status_code == 204
    assert_problem(append(api.person, small, 5, b"67890"), 415)


@pytest.mark.contract("Recordings and attachments 11")
def test_an_upload_is_visible_only_to_its_creator(api: Api, outsider: Api) -> None:
    room_id = video_room(api)
    upload = begin(api.person, room_id, 1000)
    for client in (api.client(api.new_person("admin")[1]), outsider.person):
        assert client.head(upload, headers=TUS).status_code == 404
        assert_problem(append(client, upload, 0, b"x"), 404)
        assert_problem(client.delete(upload, headers=TUS), 404)


def test_a_deleted_upload_is_not_found(api: Api) -> None:
    room_id = video_room(api)
    upload = begin(api.person, room_id, 1000)
    append(api.person, upload, 0, webm(500))
    assert api.person.delete(upload, headers=TUS).status_code == 204
    assert api.person.head(upload, headers=TUS).status_code == 404
    assert_problem(append(api.person, upload, 500, webm(1000)[500:]), 404)


@pytest.mark.contract("Recordings and attachments 4")
def test_the_later_of_two_requests_takes_over_the_upload(api: Api) -> None:
    room_id, content = video_room(api), webm(200_000)
    upload = begin(api.person, room_id, len(content))
    upload_id = upload.rsplit("/", 1)[1]
    [begun] = api.sql(WRITER, upload_id)

    def slow():
        yield content[:50_000]
        wait_until(lambda: api.sql(WRITER, upload_id) != [begun], "the first request writes")
        assert append(api.person, upload, 0, content[:120_000]).status_code == 204
        yield b"z" * 150_000

    refused = append(api.client(api.personal_key), upload, 0, slow())
    assert assert_problem(refused, 409)["code"] == "upload_conflict"
    assert append(api.person, upload, 120_000, content[120_000:]).status_code == 204
    assert media(api, upload) == content


@pytest.mark.contract("Recordings and attachments 4")
def test_a_broken_connection_loses_no_received_bytes(api: Api) -> None:
    room_id, content = video_room(api), webm(6 << 20)
    upload = begin(api.person, room_id, len(content))
    where = urlsplit(api.url)
    with socket.create_connection((str(where.hostname), int(where.port or 0))) as line:
        line.sendall(
            f"PATCH {upload} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.personal_key}\r\nTus-Resumable: 1.0.0\r\n"
            f"Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
            f"Content-Length: {len(content)}\r\n\r\n".encode()
        )
        line.sendall(content[: 5 << 20])
        time.sleep(0.5)
    wait_until(lambda: offset_of(api.person, upload) >= 5 << 20, "what came is there")
    assert list_recordings(api, room_id) == []
    at = offset_of(api.person, upload)
    assert append(api.person, upload, at, content[at:]).status_code == 204
    assert media(api, upload) == content


def test_a_body_that_breaks_after_its_last_byte_becomes_no_recording(api: Api) -> None:
    room_id, content = video_room(api), webm(20_000)
    upload = begin(api.person, room_id, len(content))
    where = urlsplit(api.url)
    with socket.create_connection((str(where.hostname), int(where.port or 0))) as line:
        line.sendall(
            f"PATCH {upload} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.personal_key}\r\nTus-Resumable: 1.0.0\r\n"
            f"Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            f"{len(content):x}\r\n".encode()
        )
        line.sendall(content + b"\r\n")
        time.sleep(0.5)
    at = wait_until(lambda: offset_of(api.person, upload), "what came is there")
    assert (at, list_recordings(api, room_id)) == (len(content) - 1, [])
    assert append(api.person, upload, at, content[at:]).status_code == 204
    assert media(api, upload) == content


@pytest.mark.contract("Recordings and attachments 4")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 300_000), max_size=6))
def test_an_upload_cut_anywhere_is_completed(api: Api, cuts: list[int]) -> None:
    content = webm(300_000)
    upload = begin(api.person, video_room(api), len(content))
    places = sorted({0, *cuts, len(content)})
    for start, stop in itertools.pairwise(places):
        assert append(api.person, upload, start, content[start:stop]).headers["upload-offset"] == str(stop)
    assert media(api, upload) == content


def kill_everything(running: RunningServer) -> None:
    everyone = [
        running.process.pid,
        *(child.pid for child in psutil.Process(running.process.pid).children(recursive=True)),
    ]
    for pid in everyone:
        os.kill(pid, signal.SIGKILL)
    running.process.wait(30)


@pytest.mark.contract("Recordings and attachments 5")
def test_a_killed_server_leaves_no_partial_recording_and_the_upload_resumes(settings: Settings) -> None:
    content = webm(20 << 20)
    with running_server(settings) as running:
        api = new_organization(running.settings, running.url)
        room_id = video_room(api)
        upload = begin(api.person, room_id, len(content))

        def until_killed():
            for at in range(0, len(content), 1 << 20):
                if at == 14 << 20:
                    kill_everything(running)
                yield content[at : at + (1 << 20)]

        with pytest.raises(httpx.TransportError):
            append(api.person, upload, 0, until_killed())
    with running_server(running.settings) as again:
        wait_until_up(again.url, again.process, again.output)
        client = api.client(api.personal_key)
        assert list_recordings(api, room_id) == []
        assert client.get(f"/v2/recordings/{upload.rsplit('/', 1)[1]}").status_code == 404
        at = offset_of(client, upload)
        assert 0 < at <= 14 << 20
        assert append(client, upload, at, content[at:]).status_code == 204
        assert media(api, upload) == content
        assert len(list_recordings(api, room_id)) == 1
    api.close()

"""Transcripts over HTTP: added, corrected, read in both formats, published once, searched, and hidden without
access.
"""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from atrium.webhooks.model import SubscriptionType
from tests.conftest import Api
from tests.contract.tour import CLOSED, assert_problem
from tests.search.harness import search
from tests.transcripts.harness import SPEECH
from tests.transcripts.recordings import events, new_recording, put
from tests.wait_until import wait_until

VTT = "text/vtt"
HELLO = "WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ada>Let us begin &amp; end.\n\n00:02.000 --> 00:04.000\n<v Bob>Yes.\n"
SEGMENTS = [
    {"start": 1.0, "end": 2.5, "speaker": "Ada", "text": "Let us begin & end."},
    {"start": 2.0, "end": 4.0, "speaker": "Bob", "text": "Yes."},
]


def put_vtt(api: Api, recording: str, text: str | bytes, **headers: str) -> httpx.Response:
    headers = {"content-type": VTT, **headers}
    return api.person.put(f"{recording}/transcript", content=text, headers=headers)


def subscribe(api: Api) -> str:
    """Create a webhook for transcripts in the first space; return its path."""
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE",
        "subject_id": api.space_id,
        "subscription_type": SubscriptionType["TRANSCRIPT_PUBLISHED"],
    }
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [wanted]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": hook})
    return f"{api.organization}/webhooks/{made.json()['webhook']['id']}"


@pytest.mark.contract("Transcripts 1")
def test_a_transcript_in_one_format_is_read_in_both(api: Api) -> None:
    recording = new_recording(api)
    made = put_vtt(api, recording, HELLO)
    assert made.status_code == 200
    assert made.headers["content-type"] == "application/json"
    assert (made.json()["segments"], made.json()["version"], made.json()["origin"]) == (SEGMENTS, 1, "put")
    assert made.json()["created_by"] == api.person_id
    read = api.person.get(f"{recording}/transcript")
    assert read.json() == made.json()
    assert read.headers["etag"] == made.headers["etag"] == '"1"'
    as_vtt = api.person.get(f"{recording}/transcript", params={"format": "vtt"})
    assert as_vtt.headers["content-type"] == "text/vtt; charset=utf-8"
    assert as_vtt.text.startswith("WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\n<v Ada>Let us begin &amp; end.\n")
    again = put_vtt(api, recording, as_vtt.text)
    assert (again.json()["segments"], again.json()["version"]) == (SEGMENTS, 2)
    by_json = api.person.put(f"{recording}/transcript", json={"segments": SEGMENTS, "language": "en"})
    assert by_json.json()["segments"] == SEGMENTS
    assert by_json.headers["content-language"] == by_json.json()["language"] == "en"


@pytest.mark.contract("Transcripts 1")
@pytest.mark.parametrize(
    ("accept", "query", "expected"),
    [
        ("*/*", {}, "json"),
        ("text/vtt", {}, "vtt"),
        ("text/vtt;q=0.5, application/json", {}, "json"),
        ("application/json;q=0.1, text/vtt", {}, "vtt"),
        ("text/vtt", {"format": "json"}, "json"),
        ("application/json", {"format": "vtt"}, "vtt"),
        ("text/*", {}, "vtt"),
        ("", {}, "json"),
        (";q=x,,", {}, "json"),
    ],
)
def test_the_caller_chooses_the_format(api: Api, accept: str, query: dict[str, str], expected: str) -> None:
    recording = new_recording(api)
    put(api, recording, "hello")
    read = api.person.get(f"{recording}/transcript", params=query, headers={"accept": accept})
    assert expected in read.headers["content-type"]


@pytest.mark.contract("Transcripts 4")
def test_corrections_create_versions_and_overwrite_none(api: Api) -> None:
    recording = new_recording(api)
    assert_problem(api.person.get(f"{recording}/transcript"), 404)
    assert put(api, recording, "one", version=0).json()["version"] == 1
    problem = assert_problem(put(api, recording, "two", version=0), 409)
    assert (problem["code"], problem["transcript"]["version"]) == ("transcript_changed", 1)
    assert problem["transcript"]["segments"][0]["text"] == "one"
    assert put(api, recording, "two", version=1).json()["version"] == 2
    assert_problem(put(api, recording, "three", version=1), 409)
    assert_problem(put_vtt(api, recording, HELLO, **{"if-match": '"1"'}), 409)
    assert put_vtt(api, recording, HELLO, **{"if-match": '"2"'}).json()["version"] == 3
    assert_problem(put_vtt(api, recording, HELLO, **{"if-match": "3"}), 400)
    assert put(api, recording, "four").json()["version"] == 4
    old = api.person.get(f"{recording}/transcript", params={"version": 1}).json()
    assert (old["version"], old["segments"][0]["text"]) == (1, "one")
    assert_problem(api.person.get(f"{recording}/transcript", params={"version": 9}), 404)
    versions = api.person.get(f"{recording}/transcript/versions", params={"limit": 3}).json()
    assert [each["version"] for each in versions["versions"]] == [4, 3, 2]
    rest = api.person.get(f"{recording}/transcript/versions", params={"cursor": versions["next_cursor"]}).json()
    assert ([each["version"] for each in rest["versions"]], rest["next_cursor"]) == ([1], None)
    assert api.person.get(recording).json()["transcript_version"] == 4


@pytest.mark.contract("Transcripts 5")
def test_only_the_first_publication_sends_an_event(api: Api) -> None:
    webhook, recording = subscribe(api), new_recording(api)
    assert_problem(put(api, recording, "x", version=7), 409)
    assert_problem(api.person.put(f"{recording}/transcript", json={"segments": []}), 400)
    assert events(api, webhook) == []
    made = put(api, recording, "one").json()
    put(api, recording, "two")
    assert api.person.delete(f"{recording}/transcript").status_code == 204
    put(api, recording, "three", version=0)
    [event] = events(api, webhook)
    assert event["event_type"] == "room_recording_transcript_published"
    assert event["subject"] == {"type": "room", "id": made["room_id"]}
    data = json.loads(event["request_body"])["data"]
    assert data == {name: made[name] for name in ("recording_id", "room_id", "created_at")}


@pytest.mark.contract("Transcripts 5")
def test_of_concurrent_first_versions_one_sends_an_event(api: Api) -> None:
    webhook, recording = subscribe(api), new_recording(api)
    clients = [api.person for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda client: put(api, recording, "x", client=client), clients))
    assert sorted(answer.json()["version"] for answer in made) == list(range(1, 9))
    assert len(events(api, webhook)) == 1


@pytest.mark.contract("Transcripts 4")
def test_of_concurrent_corrections_of_one_version_one_succeeds(api: Api) -> None:
    recording = new_recording(api)
    put(api, recording, "x")
    clients = [api.person for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda client: put(api, recording, "y", client=client, version=1), clients))
    assert sorted(answer.status_code for answer in made) == [200, 409, 409, 409, 409, 409]


def test_a_deleted_transcript_loses_all_its_versions(api: Api) -> None:
    recording = new_recording(api)
    put(api, recording, "one")
    put(api, recording, "two")
    assert api.person.delete(f"{recording}/transcript").status_code == 204
    for path in ("", "?version=1", "/versions"):
        assert assert_problem(api.person.get(f"{recording}/transcript{path}"), 404)["code"] == "transcript_not_found"
    assert_problem(api.person.delete(f"{recording}/transcript"), 404)
    assert put(api, recording, "three").json()["version"] == 3
    assert_problem(api.person.get(f"{recording}/transcript", params={"version": 1}), 404)


@pytest.mark.contract("Transcripts 2")
@pytest.mark.parametrize(
    ("segments", "pointer"),
    [
        ([{"start": 2, "end": 3, "text": "a"}, {"start": 1, "end": 3, "text": "b"}], "/segments/1/start"),
        ([{"start": 1, "end": 1, "text": "a"}], "/segments/0/end"),
        ([{"start": 2, "end": 1, "text": "a"}], "/segments/0/end"),
        ([{"start": 1, "end": 1.0001, "text": "a"}], "/segments/0/end"),
        ([{"start": -1, "end": 1, "text": "a"}], "/segments/0/start"),
        ([{"start": 0, "end": 1e300, "text": "a"}], "/segments/0/end"),
        ([{"start": 0, "end": 1, "text": "a" * 5001}], "/segments/0/text"),
        ([{"start": 0, "end": 1, "text": "a", "speaker": "b" * 201}], "/segments/0/speaker"),
        ([{"start": "0", "end": 1, "text": "a"}], "/segments/0/start"),
        ([{"start": 0, "text": "a"}], "/segments/0/end"),
        ([{"start": 0, "end": 1, "text": "a", "colour": "red"}], "/segments/0/colour"),
    ],
    ids=["back", "empty", "reversed", "short", "before", "late", "long", "name", "text", "no end", "unknown"],
)
def test_errors_name_the_invalid_segment(api: Api, segments: list[Any], pointer: str) -> None:
    recording = new_recording(api)
    problem = assert_problem(api.person.put(f"{recording}/transcript", json={"segments": segments}), 400)
    assert problem["errors"][0]["pointer"] == pointer
    assert_problem(api.person.get(f"{recording}/transcript"), 404)


@pytest.mark.contract("Transcripts 2")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("WEBVTT\n\n00:02.000 --> 00:01.000\na\n", "cue 1 ends at 1 s, not after its start"),
        ("WEBVTT\n\n00:02 --> 00:01\na\n", "cue 1 has no times"),
        ("hello", "starts with the line WEBVTT"),
        (b"WEBVTT\n\n\xff", "not UTF-8"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<b></b>\n", "no segment with text"),
    ],
    ids=["reversed", "times", "text", "bytes", "silent"],
)
def test_errors_in_vtt_name_the_invalid_cue(api: Api, text: str | bytes, words: str) -> None:
    problem = assert_problem(put_vtt(api, new_recording(api), text), 400)
    assert problem["code"] == "invalid_transcript"
    assert words in problem["detail"]


@pytest.mark.contract("Transcripts 2")
def test_markup_in_a_transcript_is_text(api: Api) -> None:
    recording = new_recording(api)
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\x07 ok"
    made = api.person.put(
        f"{recording}/transcript", json={"segments": [{"start": 0, "end": 1, "text": evil, "speaker": "<i>"}]}
    )
    assert made.json()["segments"][0]["text"] == "<script>alert(1)</script><img src=x onerror=alert(1)> ok"
    read = api.person.get(f"{recording}/transcript", params={"format": "vtt"})
    assert "<script" not in read.text
    assert "<v &lt;i&gt;>&lt;script&gt;" in read.text
    assert read.headers["content-type"] == "text/vtt; charset=utf-8"


def wait_until_found(api: Api, q: str) -> dict[str, Any]:
    [result] = wait_until(lambda: search(api, q)["results"], "the transcript is indexed")
    return dict(result)


@pytest.mark.contract("Transcripts 6")
def test_search_finds_the_newest_version_only(api: Api, outsider: Api) -> None:
    recording = new_recording(api, name="standup")
    segments = [{"start": nr * 15, "end": nr * 15 + 10, "text": f"filler {nr}"} for nr in range(4)]
    segments[2]["text"] = "we ship the analytical engines"
    put_at = api.person.put(f"{recording}/transcript", json={"segments": segments}).json()
    hit = wait_until_found(api, "engine")
    assert hit["type"] == "transcript"
    assert recording.endswith(hit["recording_id"])
    assert (hit["start"], hit["room_name"], hit["recording_name"]) == (30.0, "standup", "Planning.wav")
    [[low, high]] = hit["excerpt"]["highlights"]
    assert hit["excerpt"]["text"][low:high] == "engines"
    assert hit["published_at"] == put_at["created_at"]
    assert search(outsider, "engine")["results"] == []
    put(api, recording, "we ship the difference machine")
    assert search(api, "engine")["results"] == []
    assert wait_until_found(api, "difference machine")["start"] == 0.0
    api.person.delete(recording)
    assert search(api, "difference machine")["results"] == []


@pytest.mark.contract("Transcripts 6")
def test_search_finds_transcripts_only_with_access_to_the_room(api: Api) -> None:
    private = api.new_space("private")
    room_id = api.person.post(f"/v2/spaces/{private}/rooms", json={"name": "r", "room_type": "video"}).json()["room_id"]
    made = api.person.post(f"/v2/rooms/{room_id}/recordings", params={"name": "a.wav"}, content=SPEECH).json()
    put(api, f"/v2/recordings/{made['recording_id']}", "the hidden quorum")
    wait_until_found(api, "quorum")
    other = api.client(api.new_person()[1])
    assert search(api, "quorum", other)["results"] == []


@pytest.mark.contract("Transcripts 7")
def test_a_recording_without_access_looks_missing(api: Api, outsider: Api) -> None:
    recording = new_recording(api)
    put(api, recording, "secret")
    missing = f"/v2/recordings/{api.room_id}"
    other = outsider.person

    def shape(answer: httpx.Response) -> dict[str, Any]:
        return {key: value for key, value in assert_problem(answer, 404).items() if key != "request_id"}

    for method, path, body in (
        ("GET", "/transcript", None),
        ("GET", "/transcript?format=vtt", None),
        ("GET", "/transcript/versions", None),
        ("PUT", "/transcript", {"segments": []}),
        ("DELETE", "/transcript", None),
        ("POST", "/transcription", {}),
    ):
        refused = shape(other.request(method, recording + path, json=body))
        assert refused == shape(api.person.request(method, missing + path, json=body)), path
        assert refused["code"] == "recording_not_found"


def test_readers_read_members_write_and_uploaders_delete(api: Api) -> None:
    recording = new_recording(api)
    put(api, recording, "x")
    reader = api.client(api.new_integration([{"space_id": api.space_id, "role": "reader"}])["key"])
    member = api.client(api.new_integration([{"space_id": api.space_id, "role": "member"}])["key"])
    assert reader.get(f"{recording}/transcript").status_code == 200
    assert_problem(put(api, recording, "y", client=reader), 403)
    assert_problem(reader.post(f"{recording}/transcription", json={}), 403)
    assert put(api, recording, "y", client=member).status_code == 200
    assert_problem(member.delete(f"{recording}/transcript"), 403)


def test_an_archived_room_accepts_no_transcripts(api: Api) -> None:
    recording = new_recording(api)
    made = put(api, recording, "x").json()
    api.person.patch(f"/v2/rooms/{made['room_id']}", json={"archived": True})
    for answer in (
        put(api, recording, "y"),
        api.person.delete(f"{recording}/transcript"),
        api.person.post(f"{recording}/transcription", json={}),
    ):
        assert assert_problem(answer, 409)["code"] == "room_archived"
    assert api.person.get(f"{recording}/transcript").status_code == 200


def test_changes_are_in_the_audit_log_without_the_text(api: Api) -> None:
    recording = new_recording(api)
    put(api, recording, "a secret word")
    api.person.post(f"{recording}/transcription", json={"language": "en"})
    api.person.delete(f"{recording}/transcript")
    entries = api.person.get(f"{api.organization}/audit-log", params={"limit": 3}).json()["entries"]
    assert [entry["action"] for entry in entries] == ["transcript.deleted", "transcription.started", "transcript.put"]
    assert {entry["target"]["name"] for entry in entries} == {"Planning.wav"}
    assert "secret word" not in str(entries)
    assert (entries[2]["after"]["version"], entries[2]["after"]["segment_count"]) == (1, 1)


@pytest.mark.contract("Transcripts 9")
def test_an_upload_is_queued_for_transcription_and_shows_its_status(api: Api) -> None:
    recording = new_recording(api)
    deadline = time.monotonic() + 60
    while (shown := api.person.get(recording).json()["transcription"])["reason"] is None:
        assert shown["status"] in ("waiting", "running")
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert shown == {"status": "waiting", "progress": 0, "reason": "The transcription server cannot be reached."}
    requested = api.person.post(f"{recording}/transcription", json={})
    assert (requested.status_code, requested.json()["status"]) == (202, "waiting")
    put(api, recording, "by hand")
    ended = api.person.get(recording).json()["transcription"]
    assert ended == {
        "status": "done",
        "progress": 1,
        "reason": "Someone added a transcript in the meantime.",
    }

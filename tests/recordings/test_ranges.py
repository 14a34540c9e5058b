"""Range and conditional requests of media (RFC 9110)."""

from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.media.serving import disposition
from tests.conftest import Api, RunningServer, new_organization
from tests.contract.tour import assert_problem
from tests.recordings.media import record, video_room, webm

CONTENT = webm((4 << 20) + 1000)  # a part and some bytes
SIZE = len(CONTENT)


@pytest.fixture(scope="module")
def media(server: RunningServer) -> Iterator[tuple[httpx.Client, str]]:
    api = new_organization(server.settings, server.url)
    made = record(api, video_room(api), CONTENT)
    yield api.person, f"/v2/recordings/{made['recording_id']}/media"
    api.close()


RANGES = {
    "bytes=0-0": (0, 1),
    "bytes=0-499": (0, 500),
    "bytes=500-": (500, SIZE),
    "bytes=-500": (SIZE - 500, SIZE),
    f"bytes=-{SIZE + 5}": (0, SIZE),
    f"bytes={(4 << 20) - 3}-{(4 << 20) + 3}": ((4 << 20) - 3, (4 << 20) + 4),
    f"bytes={SIZE - 1}-": (SIZE - 1, SIZE),
    f"bytes=10-{SIZE + 10**30}": (10, SIZE),
}


@pytest.mark.contract("Recordings and attachments 6")
@pytest.mark.parametrize("requested", RANGES)
def test_a_range_returns_its_bytes(media: tuple[httpx.Client, str], requested: str) -> None:
    client, path = media
    start, stop = RANGES[requested]
    answer = client.get(path, headers={"range": requested})
    assert answer.status_code == 206
    assert answer.content == CONTENT[start:stop]
    assert answer.headers["content-range"] == f"bytes {start}-{stop - 1}/{SIZE}"
    assert answer.headers["content-length"] == str(stop - start)


@pytest.mark.contract("Recordings and attachments 6")
@pytest.mark.parametrize(
    "requested", [f"bytes={SIZE}-", f"bytes={SIZE + 7}-{SIZE + 9}", "bytes=-0", f"bytes={10**40}-"]
)
def test_a_range_outside_of_the_file_is_416(media: tuple[httpx.Client, str], requested: str) -> None:
    client, path = media
    answer = client.get(path, headers={"range": requested})
    assert assert_problem(answer, 416)["code"] == "range_not_satisfiable"
    assert answer.headers["content-range"] == f"bytes */{SIZE}"


@pytest.mark.parametrize(
    "requested", ["bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,5-6", "lines=0-1", "bytes=a-b", "0-5"]
)
def test_an_invalid_range_returns_the_complete_file(media: tuple[httpx.Client, str], requested: str) -> None:
    client, path = media
    answer = client.get(path, headers={"range": requested})
    assert (answer.status_code, len(answer.content)) == (200, SIZE)
    assert answer.headers["accept-ranges"] == "bytes"


@pytest.mark.parametrize("zone", ["+9999", "+99999999999999"])
def test_an_invalid_date_is_no_condition(media: tuple[httpx.Client, str], zone: str) -> None:
    client, path = media
    date = f"Mon, 01 Jan 2020 00:00:00 {zone}"
    assert client.head(path, headers={"if-modified-since": date}).status_code == 200
    assert client.get(path, headers={"range": "bytes=0-0", "if-range": date}).status_code == 200


@pytest.mark.contract("Recordings and attachments 6")
def test_head_returns_the_headers_of_get(media: tuple[httpx.Client, str]) -> None:
    client, path = media
    for headers in ({}, {"range": "bytes=5-9"}):
        head, got = client.head(path, headers=headers), client.get(path, headers=headers)
        assert head.content == b""
        assert head.status_code == got.status_code
        for name in ("etag", "last-modified", "content-length", "content-type", "accept-ranges", "content-disposition"):
            assert head.headers[name] == got.headers[name], name
    assert "HEAD" in client.options(path).headers["allow"]


@pytest.mark.contract("Recordings and attachments 7")
def test_cached_content_is_not_sent_again(media: tuple[httpx.Client, str]) -> None:
    client, path = media
    got = client.head(path)
    tag, at = got.headers["etag"], got.headers["last-modified"]
    later = format_datetime(parsedate_to_datetime(at) + timedelta(days=1), usegmt=True)
    earlier = format_datetime(parsedate_to_datetime(at) - timedelta(seconds=1), usegmt=True)
    for headers in (
        {"if-none-match": tag},
        {"if-none-match": f'"x", W/{tag}'},
        {"if-none-match": "*"},
        {"if-modified-since": at},
        {"if-modified-since": later},
        {"if-none-match": tag, "range": "bytes=0-1"},
    ):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    for headers in (
        {"if-none-match": '"other"'},
        {"if-none-match": '"other"', "if-modified-since": at},
        {"if-modified-since": earlier},
        {"if-modified-since": "whenever"},
    ):
        assert client.head(path, headers=headers).status_code == 200


@pytest.mark.contract("Recordings and attachments 6")
def test_a_range_is_sent_only_for_the_same_version_of_the_file(media: tuple[httpx.Client, str]) -> None:
    client, path = media
    got = client.head(path)
    tag, at = got.headers["etag"], got.headers["last-modified"]
    for same in (tag, at):
        assert client.get(path, headers={"range": "bytes=2-5", "if-range": same}).status_code == 206
    for other in ('"other"', f"W/{tag}", "Thu, 01 Jan 2026 00:00:00 GMT", "whenever"):
        answer = client.get(path, headers={"range": "bytes=2-5", "if-range": other})
        assert (answer.status_code, len(answer.content)) == (200, SIZE)


@pytest.mark.contract("Recordings and attachments 9")
@given(st.text())
def test_a_file_name_cannot_leave_its_header(name: str) -> None:
    header = disposition(name, "video/webm")
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2
    assert "/" not in header.split(";", 1)[1]


def test_callers_without_access_learn_nothing_from_conditions(media: tuple[httpx.Client, str], outsider: Api) -> None:
    _, path = media
    for headers in ({"if-none-match": "*"}, {"range": f"bytes={SIZE}-"}):
        assert_problem(outsider.person.get(path, headers=headers), 404)

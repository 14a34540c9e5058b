"""Request bodies of a declared length or in chunks, however they arrive; a truncated body changes nothing."""

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import pytest

from atrium.kit.errors import BodyCut
from atrium.server import bodies
from atrium.server.asgi import Receive
from tests.conftest import Api

PIECES = 7
CONTENT = b'{"text":"new"}' + b" " * 200_000
CHUNKED = "Transfer-Encoding: chunked"


@contextmanager
def connect(api: Api) -> Iterator[socket.socket]:
    where = urlsplit(api.url)
    with socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=30) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield line


def read_answer(line: socket.socket) -> tuple[int, Any]:
    answer = HTTPResponse(line)
    answer.begin()
    return answer.status, json.loads(answer.read())


def send_in_pieces(line: socket.socket, content: bytes) -> None:
    for at in range(0, len(content), len(content) // PIECES + 1):
        line.sendall(content[at : at + len(content) // PIECES + 1])
        time.sleep(0.01)


def in_chunks(content: bytes) -> bytes:
    half = len(content) // 2
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (content[:half], content[half:], b""))


@pytest.fixture(params=[("POST", ""), ("PATCH", "/{message_id}")], ids=["ahead of the router", "behind the router"])
def head_of(api: Api, request: pytest.FixtureRequest) -> Callable[..., bytes]:
    """Return a function that makes the head of a request to send or change a message."""
    method, behind = request.param
    path = api.messages + behind.format(**api.send("old"))

    def head(*framing: str) -> bytes:
        headers = ("Host: x", f"Authorization: Bearer {api.personal_key}", "Content-Type: application/json", *framing)
        return "\r\n".join((f"{method} {path} HTTP/1.1", *headers, "", "")).encode()

    return head


def test_a_body_in_any_number_of_pieces_is_read_and_the_connection_serves_the_next_request(
    api: Api, head_of: Callable[..., bytes]
) -> None:
    with connect(api) as line:
        for content in (CONTENT, CONTENT.rstrip(), CONTENT):
            for request in (
                head_of(f"Content-Length: {len(content)}") + content,
                head_of(CHUNKED) + in_chunks(content),
            ):
                send_in_pieces(line, request)
                status, message = read_answer(line)
                assert (status // 100, message["text"]) == (2, "new")


@pytest.mark.contract("Conventions 3")
def test_a_truncated_body_changes_nothing(api: Api, head_of: Callable[..., bytes]) -> None:
    before = history(api)
    for request in (
        head_of(f"Content-Length: {len(CONTENT) + 1}") + CONTENT,
        head_of(CHUNKED) + in_chunks(CONTENT)[:-5],
    ):
        with connect(api) as line:
            send_in_pieces(line, request)
            line.shutdown(socket.SHUT_WR)
            line.settimeout(5)
            while line.recv(1 << 16):
                pass
    assert history(api) == before


@pytest.mark.contract("Conventions 3")
def test_a_chunked_body_over_one_mebibyte_is_rejected(api: Api, head_of: Callable[..., bytes]) -> None:
    with connect(api) as line:
        line.sendall(head_of(CHUNKED) + in_chunks(CONTENT * 6)[: 5 << 18])
        status, problem = read_answer(line)
    assert (status, problem["code"]) == (413, "too_large")


def history(api: Api) -> list[tuple[str, str]]:
    messages = api.person.get(api.messages).json()["messages"]
    return [(message["message_id"], message["text"]) for message in messages]


async def read_whole(receive: Receive) -> bytes:
    async def require_sender() -> None:
        raise AssertionError("a small body needs no look-up")

    return await bodies.read_body(receive, {b"content-length": b"1000"}, require_sender)


async def read_streamed(receive: Receive) -> bytes:
    return b"".join([chunk async for chunk in bodies.streamed_body(receive)])


@pytest.mark.contract("Conventions 3")
@pytest.mark.parametrize("came", [(), ({"type": "http.request", "body": b"{", "more_body": True},)])
@pytest.mark.parametrize("read", [read_whole, read_streamed])
def test_a_stalled_body_times_out_after_a_minute(
    monkeypatch: pytest.MonkeyPatch, came: tuple[Any, ...], read: Callable[..., Awaitable[bytes]]
) -> None:
    assert bodies.BODY_TIMEOUT == 60
    monkeypatch.setattr(bodies, "BODY_TIMEOUT", 0.01)

    left = list(came)

    async def receive() -> Any:
        return left.pop() if left else await asyncio.Event().wait()

    with pytest.raises(BodyCut):
        asyncio.run(asyncio.wait_for(read(receive), 30))

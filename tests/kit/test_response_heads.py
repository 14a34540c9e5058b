"""Responses whose heads have errors after the status line: the status decides, and the body is read if possible."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.kit.network.outbound import Outbound
from tests.kit.receivers import LOOPBACK, in_packets, post_to, receiver, run, says, take

CHUNKS = b"2\r\nok\r\n0\r\n\r\n"
ODD_HEADS = [
    (b"HTTP/1.1 %d X\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", CHUNKS),
    (b"HTTP/1.1 %d X\r\nContent-Length: 12\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n", CHUNKS),
    (b"HTTP/1.1 %d X\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\nContent-Length: 2, 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\nBad Name: x\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\nno colon\r\ncontent-length:2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\n: no name\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\nA: x\ry\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\n A: folded\r\n B: twice\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\n\xc3\xa9: x\0\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\nContent-Length: 2\nContent-Length: 2\n\n", b"ok"),
    (b"HTTP/1.1 %d X\nContent-Length: 2\n\n", b"ok"),
    (b"HTTP/1.1 %d\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d \r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.0 %d X\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.2 %d X\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/2 %d\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"http/1.1 %d x\r\ncontent-length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1  %d\tX\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 100 Continue\r\nBad Name: x\r\n\r\nHTTP/1.1 %d X\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 %d X\r\nBad Name: x\r\nContent-Length: 2\r\n\r\n", b"ok"),
    (b"HTTP/1.1 %d X\r\nA: " + b"x" * 40_000 + b"\r\nContent-Length: 2\r\n\r\n", b"ok"),
]  # fmt: skip


@pytest.mark.contract("Events and deliveries 30")
@given(
    st.sampled_from(ODD_HEADS),
    st.sampled_from([200, 204, 299, 302, 410, 500]),
    st.lists(st.integers(1, 90), max_size=3),
)
@runs(max_examples=150, deadline=None)
def test_the_status_of_a_head_with_errors_decides(odd: tuple[bytes, bytes], code: int, cuts: list[int]) -> None:
    async def act() -> None:
        exchange = await post_to(in_packets(odd[0] % code, odd[1], cuts))
        assert exchange.response_code == code
        assert exchange.succeeded == (code < 300)

    run(act())


@pytest.mark.contract("Events and deliveries 30")
@pytest.mark.parametrize(("head", "body"), ODD_HEADS)
def test_a_body_is_read_after_a_head_with_errors_without_waiting_for_the_end_of_the_connection(
    head: bytes, body: bytes
) -> None:
    async def act() -> None:
        exchange = await post_to(says(head % 201 + body, stay=True), within=30)
        assert (exchange.response_code, exchange.error) == (201, None)
        assert exchange.excerpt in ("ok", "") if len(head) > 1000 else exchange.excerpt == "ok"

    run(act())


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 204 X\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 204 X\r\nContent-Length:\r\n\r\n",
        b"HTTP/1.1 204 X\r\nBad Name: x\r\n\r\n",
    ],
)
def test_a_head_with_errors_and_no_length_ends_the_response(head: bytes) -> None:
    async def act() -> None:
        exchange = await post_to(says(head, stay=True), within=30)
        assert (exchange.response_code, exchange.error, exchange.excerpt) == (204, None, "")

    run(act())


def test_a_connection_with_an_error_in_a_head_is_not_used_again() -> None:
    async def act() -> None:
        connections: list[int] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.append(0)
            while True:
                await take(reader)
                writer.write(ODD_HEADS[0][0] % 200 + ODD_HEADS[0][1])

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            for _ in range(2):
                assert (await outbound.post(url, {}, b"x")).excerpt == "ok"
        assert len(connections) == 2

    run(act())

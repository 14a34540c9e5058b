"""The guarded HTTP client with real sockets: its requests, and its handling of any response, hostile ones too."""

import asyncio
import tracemalloc
from contextlib import suppress
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import settings as runs
from hypothesis import strategies as st
from yarl import URL

from atrium.kit.network.connections import Dialer
from atrium.kit.network.outbound import Outbound, system_resolve
from atrium.kit.network.receiver_connection import NoResponse, Response
from atrium.kit.network.timing import Stopwatch
from tests.kit.receivers import (
    BOMB,
    CHUNKED,
    FLAT,
    LOOPBACK,
    NO_ANSWER,
    WHOLE,
    Receiver,
    goes_away,
    in_packets,
    post_to,
    receiver,
    resets,
    run,
    says,
    says_nothing,
    take,
)


@given(
    st.binary(max_size=300_000),
    st.dictionaries(st.from_regex(r"x-[a-z]{1,9}", fullmatch=True), st.from_regex(r"[!-~]{0,20}", fullmatch=True)),
)
@runs(max_examples=15, deadline=None)
def test_the_body_arrives_byte_for_byte_with_the_headers_given(body: bytes, headers: dict[str, str]) -> None:
    async def act() -> None:
        got: list[tuple[bytes, bytes]] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            got.append(await take(reader))
            writer.write(WHOLE)

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            exchange = await outbound.post(url + "?a=b%2Bc", headers | {"Content-Type": "application/json"}, body)
        assert (exchange.response_code, exchange.error, exchange.excerpt) == (200, None, "ok")
        assert exchange.succeeded and exchange.duration_ms >= 0
        (head, arrived), lines = got[0], got[0][0].decode().split("\r\n")
        assert arrived == body
        assert lines[0] == "POST /hook?a=b%2Bc HTTP/1.1"
        sent = dict(line.split(": ", 1) for line in lines[1:] if line)
        assert {name: sent[name] for name in headers} == headers
        assert sent["User-Agent"] == "Atrium-Webhooks/0.1" and sent["Accept-Encoding"] == "identity", head
        assert sent["Content-Type"] == "application/json"

    run(act())


def test_a_given_user_agent_wins_and_cookies_are_never_sent_back() -> None:
    async def act() -> None:
        heads: list[bytes] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for _ in range(2):
                heads.append((await take(reader))[0].lower())
                writer.write(b"HTTP/1.1 204 No Content\r\nSet-Cookie: a=b\r\n\r\n")

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            for _ in range(2):
                assert (await outbound.post(url, {"user-agent": "mine", "accept-encoding": "gzip"}, b"x")).succeeded
        assert all(b"cookie" not in head and b"gzip" not in head for head in heads)
        assert all(head.count(b"user-agent: mine") == 1 and b"atrium" not in head for head in heads)

    run(act())


@pytest.mark.contract("Events and deliveries 29")
@pytest.mark.parametrize(
    ("behave", "code", "error", "excerpt"),
    [
        (says(b"HTTP/1.1 201 Created\r\n\r\nuntil the end"), 201, None, "until the end"),
        (says(b"HTTP/1.1 100 Continue\r\n\r\n" + WHOLE), 200, None, "ok"),
        (says(b"HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\nsigh"), 500, "HTTP 500", "sigh"),
        (says(b"HTTP/1.1 410 Gone\r\nContent-Length: 9\r\n\r\nshort"), 410, "HTTP 410", "short"),
        (
            says(b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
            101,
            "HTTP 101",
            "",
        ),
        (
            says(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na\xff\xc3\x00b\xe2"),
            200,
            None,
            "a\ufffd\ufffd\ufffdb\ufffd",
        ),
        (says(b"HTTP/1.1 200 OK\r\n\r\n" + "é".encode() * 5000), 200, None, "é" * 2048),
        (says(b"HTTP/1.1 200 OK\r\n\r\nx" + "é".encode() * 5000), 200, None, "x" + "é" * 2047),
        (says(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(65536)), 200, None, "\ufffd" * 4096),
        (says(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 70_000), 200, None, "x" * 4096),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), 200, None, "short"),
        (says(CHUNKED + b"5\r\nshort\r\n"), 200, None, "short"),
        (says(CHUNKED + b"5\r\nshort\r\nnot hex"), 200, None, ""),
        (says(b"HTTP/1.1 204 No Content\r\n\r\nbody"), 204, None, ""),
        (says(b"HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody"), 204, None, ""),
        (says(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\0"), 200, None, ""),
        (resets(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), 200, None, ""),
        (resets(b""), None, "the connection was closed without a response", ""),
        (goes_away, None, "the connection was closed without a response", ""),
        (says(b"HTTP/1.1 200 OK\r\nContent-"), 200, None, ""),
        (says(b"HTTP/1.1 200 OK"), None, "the connection was closed without a response", ""),
        (says(b"SSH-2.0-OpenSSH_9.6\r\n", stay=True), None, "the response is not HTTP", ""),
        (says(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000, stay=True), 200, None, ""),
        (says(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 9999, stay=True), 200, None, ""),
        (says(b"HTTP/1.1 200 " + b"OK" * 9999, stay=True), None, "the response headers are too long", ""),
    ],
)
def test_every_response_has_a_description(behave: Receiver, code: int | None, error: str | None, excerpt: str) -> None:
    async def act() -> None:
        exchange = await post_to(behave)
        assert (exchange.response_code, exchange.error, exchange.excerpt) == (code, error, excerpt)
        assert exchange.succeeded == (error is None)

    run(act())


@pytest.mark.contract("Events and deliveries 29")
@pytest.mark.parametrize(
    ("behave", "error"),
    [
        (says_nothing, NO_ANSWER),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b"x", pause=0.05), None),
        (says(b"HTTP/1.1 200 OK\r\n", b"A", pause=0.05), NO_ANSWER),
        (says(CHUNKED + b"1", b"0"), None),
        (says(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), NO_ANSWER),
        (says(b"", b"\r\n" * 10_000), NO_ANSWER),
        (says(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n" * 1000), None),
        (says(b"HTTP/1.1 200 OK\r\nBad Name: x\r\n", b"A: b\r\n" * 1000), None),
        (says(b"http/1.1 ", b"2" * 1000), "the response headers are too long"),
        (says(CHUNKED + b"1;", b"extension" * 1000), None),
        (says(CHUNKED + b"1\r\nx\r\n0\r\n", b"A: b\r\n" * 100, pause=0.01), None),
        (says(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536), None),
        (says(CHUNKED, b"64\r\n%s\r\n" % (b"x" * 100) * 100), None),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536), None),
        (says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + BOMB), None),
        (says(b"", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" * 5000), None),
        (says(WHOLE, WHOLE * 5000), None),
    ],
)
def test_hostile_receivers_use_bounded_time_and_memory(behave: Receiver, error: str | None) -> None:
    async def act() -> None:
        tracemalloc.start()
        try:
            exchange = await post_to(behave, within=0.5)
            assert tracemalloc.get_traced_memory()[1] < FLAT
        finally:
            tracemalloc.stop()
        assert exchange.error == error

    run(act())


def test_a_silent_tls_handshake_times_out() -> None:
    async def act() -> None:
        assert (await post_to(says_nothing, within=0.5, secure=True)).error == NO_ANSWER

    run(act())


def test_what_a_receiver_says_before_the_request_ends_the_connection() -> None:
    """With TLS it can arrive with the end of the handshake, before the request is sent."""

    async def act() -> None:
        ended, faults = asyncio.Event(), list[object]()
        asyncio.get_running_loop().set_exception_handler(lambda _, found: faults.append(found))

        async def speaks_first(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example.org ESMTP\r\n")
            with suppress(OSError):
                await reader.read()
            ended.set()

        async with receiver(speaks_first) as url:
            stopwatch = Stopwatch(0.0, is_secure=False)
            connection = await Dialer(LOOPBACK, system_resolve).connect(URL(url), None, stopwatch)
            await ended.wait()
            with pytest.raises(NoResponse):
                await connection.exchange(b"POST / HTTP/1.1\r\n\r\n", Response(stopwatch))
        assert not faults

    run(act())


def test_a_receiver_that_stops_reading_a_large_body_times_out() -> None:
    async def act() -> None:
        async def reads_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            cast(asyncio.Transport, writer.transport).pause_reading()
            await asyncio.sleep(30)

        async with receiver(reads_nothing) as url, Outbound(LOOPBACK, timeout=0.5) as outbound:
            assert (await outbound.post(url, {}, bytes(1 << 20) * 16)).error == NO_ANSWER

    run(act())


@pytest.mark.parametrize("code", [301, 302, 303, 304, 307, 308])
def test_redirects_are_failures_and_never_followed(code: int) -> None:
    async def act() -> None:
        requests: list[bytes] = []
        places = [b"http://169.254.169.254/", b"/elsewhere", b"http://[", b"\xff"]

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for where in places:
                requests.append((await take(reader))[0])
                writer.write(b"HTTP/1.1 %d Go\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (code, where))

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            for _ in places:
                exchange = await outbound.post(url, {}, b"x")
                assert exchange.error == f"HTTP {code}; redirects are not followed"
        assert len(requests) == len(places)

    run(act())


def test_a_closed_port_is_a_refused_connection() -> None:
    async def act() -> None:
        async with receiver(says_nothing) as url:
            pass
        async with Outbound(LOOPBACK) as outbound:
            assert (await outbound.post(url, {}, b"x")).error == "the connection was refused"
            await outbound.check(url)

    run(act())


@given(
    st.one_of(
        st.binary(max_size=200),
        st.binary(max_size=60).map(lambda rest: b"HTTP/1.1 200 OK\r\n" + rest),
        st.binary(max_size=60).map(lambda rest: CHUNKED + rest),
        st.binary(max_size=60).map(
            lambda rest: b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: " + rest + b"\r\n\r\n"
        ),
    )
)
@runs(max_examples=150, deadline=None)
def test_any_response_bytes_are_recorded_as_an_exchange(answer: bytes) -> None:
    async def act() -> None:
        exchange = await post_to(says(answer))
        assert exchange.error is None or (exchange.error and "(" not in exchange.error)
        assert "\0" not in exchange.excerpt

    run(act())


HEADS = [
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
]


@pytest.mark.contract("Events and deliveries 29")
@given(st.sampled_from(HEADS), st.binary(max_size=40), st.lists(st.integers(1, 90), max_size=3))
@example(HEADS[0], b"body", [])
@example(HEADS[1], b"not hex\r\n", [])
@runs(max_examples=60, deadline=None)
def test_a_2xx_is_a_success_with_any_body(head: bytes, rest: bytes, cuts: list[int]) -> None:
    async def act() -> None:
        exchange = await post_to(in_packets(head, rest, cuts))
        assert (exchange.response_code or 0) // 100 == 2 and exchange.succeeded, exchange

    run(act())

"""The guarded HTTP client with real sockets: what it sends, which addresses it refuses, and hostile receivers."""

import asyncio
import gzip
import itertools
import socket
import ssl
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, ip_network
from pathlib import Path
from typing import cast

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from dnslib import QTYPE, RCODE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSServer
from hypothesis import example, given
from hypothesis import settings as runs
from hypothesis import strategies as st
from yarl import URL

from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.dialing import Dialer
from atrium.kit.network.outbound import Exchange, ForbiddenAddress, Outbound, Resolve, system_resolve
from atrium.kit.network.receiver_connection import NoResponse, Response
from atrium.kit.network.timing import Stopwatch

Receiver = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LOOPBACK = AddressRules([ip_network("127.0.0.0/8")])
PUBLIC = "93.184.216.34"
FLAT = 8 << 20  # bytes; a client that stored what endless receivers send would need hundreds of times as much


def run(act: Awaitable[None]) -> None:
    async def guarded() -> None:
        async with asyncio.timeout(60):
            await act

    asyncio.run(guarded())


@asynccontextmanager
async def receiver(behave: Receiver, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Run a server on loopback with that behavior on every connection; yield its URL."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await behave(reader, writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
    finally:
        server.close()


async def take(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Read one request; return its head and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    return head, await reader.readexactly(int(length.split(b":")[1]))


def says(answer: bytes, then: bytes = b"", *, pause: float = 0.0, stay: bool = False) -> Receiver:
    """Accept a request, send `answer`, then repeat `then` with pauses until the client disconnects."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await take(reader)
        writer.write(answer)
        while then:
            await writer.drain()
            await asyncio.sleep(pause)
            writer.write(then)
        if stay:
            await reader.read()

    return behave


async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def goes_away(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await take(reader)


async def talks_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(WHOLE)


def resets(answer: bytes) -> Receiver:
    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await take(reader)
        writer.write(answer)
        await writer.drain()
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()

    return behave


async def post_to(behave: Receiver, *, within: float = 5.0, secure: bool = False) -> Exchange:
    async with receiver(behave) as url, Outbound(LOOPBACK, timeout=within) as outbound:
        return await outbound.post(url.replace("http:", "https:") if secure else url, {}, b'{"ping":1}')


WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_ANSWER = "no response within 0.5 seconds"
BOMB = gzip.compress(bytes(16 << 20))


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


@pytest.mark.parametrize(
    ("behave", "code", "error", "excerpt"),
    [
        (says(b"HTTP/1.1 201 Created\r\n\r\nuntil the end"), 201, None, "until the end"),
        (says(b"HTTP/1.1 100 Continue\r\n\r\n" + WHOLE), 200, None, "ok"),
        (says(b"HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\nsigh"), 500, "HTTP 500", "sigh"),
        (says(b"HTTP/1.1 410 Gone\r\nContent-Length: 9\r\n\r\nshort"), 410, "HTTP 410", "short"),
        (says(b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"), 101, "HTTP 101", ""),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na\xff\xc3\x00b\xe2"), 200, None, "a\ufffd\ufffd\ufffdb\ufffd"),
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
        (says(b"HTTP/1.1 200 OK\r\nContent-"), None, "the connection was closed without a response", ""),
        (says(b"SSH-2.0-OpenSSH_9.6\r\n", stay=True), None, "the response is not HTTP", ""),
        (says(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000, stay=True), None, "the response headers are too long", ""),
        (says(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 9999, stay=True), None, "the response headers are too long", ""),
        (says(b"HTTP/1.1 200 " + b"OK" * 9999, stay=True), None, "the response headers are too long", ""),
    ],
)  # fmt: skip
def test_every_response_has_a_description(behave: Receiver, code: int | None, error: str | None, excerpt: str) -> None:
    async def act() -> None:
        exchange = await post_to(behave)
        assert (exchange.response_code, exchange.error, exchange.excerpt) == (code, error, excerpt)
        assert exchange.succeeded == (error is None)

    run(act())


@pytest.mark.parametrize(
    ("behave", "error"),
    [
        (says_nothing, NO_ANSWER),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b"x", pause=0.05), None),
        (says(b"HTTP/1.1 200 OK\r\n", b"A", pause=0.05), NO_ANSWER),
        (says(CHUNKED + b"1", b"0"), None),
        (says(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), NO_ANSWER),
        (says(b"", b"\r\n" * 10_000), NO_ANSWER),
        (says(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n" * 1000), "the response headers are too long"),
        (says(CHUNKED + b"1;", b"extension" * 1000), None),
        (says(CHUNKED + b"1\r\nx\r\n0\r\n", b"A: b\r\n" * 100, pause=0.01), None),
        (says(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536), None),
        (says(CHUNKED, b"64\r\n%s\r\n" % (b"x" * 100) * 100), None),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536), None),
        (says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + BOMB), None),
        (says(b"", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" * 5000), None),
        (says(WHOLE, WHOLE * 5000), None),
    ],
)  # fmt: skip
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


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda rest: b"HTTP/1.1 200 OK\r\n" + rest), st.binary(max_size=60).map(lambda rest: CHUNKED + rest), st.binary(max_size=60).map(lambda rest: b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: " + rest + b"\r\n\r\n")))  # fmt: skip
@runs(max_examples=150, deadline=None)
def test_any_response_bytes_are_recorded_as_an_exchange(answer: bytes) -> None:
    async def act() -> None:
        exchange = await post_to(says(answer))
        assert exchange.error is None or (exchange.error and "(" not in exchange.error)
        assert "\0" not in exchange.excerpt

    run(act())


def in_packets(head: bytes, rest: bytes, cuts: list[int]) -> Receiver:
    """Return a behavior that sends a response in packets cut at these places."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await take(reader)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        whole = head + rest
        ends = sorted({min(cut, len(whole)) for cut in cuts} | {len(whole)})
        for start, end in itertools.pairwise([0, *ends]):
            writer.write(whole[start:end])
            await writer.drain()
            await asyncio.sleep(0)

    return behave


HEADS = [
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
]


@given(st.sampled_from(HEADS), st.binary(max_size=40), st.lists(st.integers(1, 90), max_size=3))
@example(HEADS[0], b"body", [])
@example(HEADS[1], b"not hex\r\n", [])
@runs(max_examples=60, deadline=None)
def test_a_2xx_is_a_success_with_any_body(head: bytes, rest: bytes, cuts: list[int]) -> None:
    async def act() -> None:
        exchange = await post_to(in_packets(head, rest, cuts))
        assert (exchange.response_code or 0) // 100 == 2 and exchange.succeeded, exchange

    run(act())


def test_connections_are_reused() -> None:
    async def act() -> None:
        connections: list[int] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.append(0)
            while True:
                await take(reader)
                connections[-1] += 1
                writer.write(WHOLE)

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            for _ in range(5):
                assert (await outbound.post(url, {}, b"x")).succeeded
        assert connections == [5]

    run(act())


@pytest.mark.parametrize("leave", [goes_away, resets(b"")])
def test_a_reused_connection_that_was_closed_meanwhile_is_not_a_failed_attempt(leave: Receiver) -> None:
    """It is closed at the moment the second request arrives, so the client cannot know before."""

    async def act() -> None:
        connections: list[int] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.append(0)
            await take(reader)
            writer.write(WHOLE)
            await leave(reader, writer)

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            for _ in range(2):
                assert (await outbound.post(url, {}, b"x")).succeeded
        assert len(connections) == 2

    run(act())


def test_a_request_is_not_repeated_once_its_response_has_started() -> None:
    async def act() -> None:
        requests: list[bytes] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            requests.append((await take(reader))[1])
            writer.write(WHOLE)
            requests.append((await take(reader))[1])
            writer.write(b"HTTP/1.1 2")

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            assert (await outbound.post(url, {}, b"1")).succeeded
            assert (await outbound.post(url, {}, b"2")).error == "the connection was closed without a response"
        assert requests == [b"1", b"2"]

    run(act())


def test_unrequested_bytes_on_an_idle_connection_answer_nothing_and_use_no_memory() -> None:
    async def act() -> None:
        gone, flood = asyncio.Event(), b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale" * 5000

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await take(reader)
            writer.write(WHOLE)
            if gone.is_set():
                return
            try:
                await asyncio.sleep(0.2)
                while True:
                    writer.write(flood)
                    await writer.drain()
            finally:
                gone.set()

        async with receiver(behave) as url, Outbound(LOOPBACK) as outbound:
            assert (await outbound.post(url, {}, b"x")).excerpt == "ok"
            tracemalloc.start()
            await gone.wait()
            assert tracemalloc.get_traced_memory()[1] < FLAT
            tracemalloc.stop()
            assert (await outbound.post(url, {}, b"x")).excerpt == "ok"

    run(act())


def test_cancelling_a_post_stops_it_and_the_client_stays_usable() -> None:
    async def act() -> None:
        async with receiver(says_nothing) as silent, receiver(says(WHOLE)) as url, Outbound(LOOPBACK) as outbound:
            task = asyncio.create_task(outbound.post(silent, {}, b"x"))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await outbound.post(url, {}, b"x")).succeeded

    run(act())


def certificate(folder: Path, days: int) -> ssl.SSLContext:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example.org")])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=9)).not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = folder / "certificate.pem"
    plain = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(serialization.Encoding.PEM, plain, serialization.NoEncryption())
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def test_certificates_are_verified_and_the_error_is_readable(tmp_path: Path) -> None:
    async def act() -> None:
        async with Outbound(LOOPBACK) as outbound:
            async with receiver(says(WHOLE), certificate(tmp_path, days=9)) as url:
                assert (await outbound.post(url, {}, b"x")).error == "TLS: self-signed certificate"
            async with receiver(talks_plainly) as url:
                error = (await outbound.post(url.replace("http:", "https:"), {}, b"x")).error
                assert error and error.startswith("TLS: ")

    run(act())


LITERALS = {
    "http://127.0.0.1/": "127.0.0.1 is a loopback address",
    "https://10.0.0.7:8443/": "10.0.0.7 is a private address",
    "http://2130706433/": "2130706433 is not in standard IP address notation",
    "http://0x7f.1/": "0x7f.1 is not in standard IP address notation",
    "http://0x7f000001/": "0x7f000001 is not in standard IP address notation",
    "http://127.1/": "127.1 is not in standard IP address notation",
    "http://0177.0.0.1/": "0177.0.0.1 is not in standard IP address notation",
    "http://127.0.0.1./": "127.0.0.1. is not in standard IP address notation",
    "http://①②⑦.⓪.⓪.①/": "127.0.0.1 is a loopback address",
    "http://localhost/": "localhost resolves to",
    "http://localhost./": "localhost. ",
    "http://ⓛocalhost/": "localhost resolves to",
    "http://[::1]/": "::1 is a loopback address",
    "http://[::]/": "is an unspecified address",
    "http://[::ffff:169.254.169.254]/": "is a metadata address",
    "http://[::ffff:7f00:1]/": "is a loopback address",
    "http://[64:ff9b::7f00:1]/": "embeds 127.0.0.1, which is a loopback address",
    "http://[2002:7f00:1::]/": "embeds 127.0.0.1, which is a loopback address",
    "http://[fe80::1%25eth0]/": "is a zone-scoped address",
    "http://[fe80::1%eth0]/": "is a zone-scoped address",
    "http://169.254.169.254/latest/meta-data/": "169.254.169.254 is a metadata address",
    "http://100.100.100.200/": "is a shared address",
    "http://0/": "0 is not in standard IP address notation",
    "http://user:secret@93.184.216.34/": "the URL must not have a user or password in it",
    "http://:secret@93.184.216.34/": "the URL must not have a user or password in it",
    "http://user@93.184.216.34/": "the URL must not have a user or password in it",
    "http://93.184.216.34\\@127.0.0.1/": "",
    "ftp://93.184.216.34/": "the URL must begin with https:// or http://",
    "file:///etc/passwd": "the URL must begin with https:// or http://",
    "/hook": "the URL must begin with https:// or http://",
    "": "the URL must begin with https:// or http://",
    "http:///hook": "U",
    "http://93.184.216.34:0/": "the URL's port must be from 1 to 65535",
    "http://93.184.216.34:65536/": "the URL is not valid",
    "http://93.184.216.34:x/": "the URL is not valid",
    "http://[::1/": "the URL is not valid",
    "http://93.184.216.34/a b": "the URL has spaces or control characters in it",
    "http://93.184.216.34/\r\nX: y": "the URL has spaces or control characters in it",
    "http://no-such-name.invalid/": "the host no-such-name.invalid ",
    f"http://{'a' * 64}.invalid/": "the host ",
}  # fmt: skip


@pytest.mark.parametrize(("url", "sentence"), LITERALS.items())
def test_a_private_address_is_rejected_when_saved_and_when_sent(url: str, sentence: str) -> None:
    async def act() -> None:
        async with Outbound(AddressRules()) as outbound:
            with pytest.raises(ForbiddenAddress) as refused:
                await outbound.check(url)
            exchange = await outbound.post(url, {}, b"x")
        assert sentence in str(refused.value)
        assert exchange.error == str(refused.value)
        assert (exchange.response_code, exchange.excerpt) == (None, "")

    run(act())


def test_every_address_is_checked_before_connecting() -> None:
    """The last check alone protects from an address that was not checked before."""

    async def act() -> None:
        dialer, url = Dialer(AddressRules(), system_resolve), URL("http://127.0.0.1:9/")
        with pytest.raises(ForbiddenAddress, match="is a loopback address"):
            await dialer.connect(url, None, Stopwatch(0.0, is_secure=False))

    run(act())


class Zone(BaseResolver):
    """Names and their answers in turn; the last one stays."""

    def __init__(self, names: dict[str, list[list[str]]]) -> None:
        self.names = names

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        reply = request.reply()
        answers = self.names.get(str(request.q.qname))
        if not answers:
            reply.header.rcode = RCODE.NXDOMAIN
            return reply
        for address in answers.pop(0) if len(answers) > 1 else answers[0]:
            reply.add_answer(RR(request.q.qname, QTYPE.A, rdata=A(address), ttl=0))
        return reply


@contextmanager
def names(zone: dict[str, list[list[str]]]) -> Iterator[Resolve]:
    """Run a DNS server on loopback; yield a resolver for it."""
    server = DNSServer(Zone(zone), address="127.0.0.1", port=0, logger=None)
    server.start_thread()
    port = server.server.server_address[1]

    async def resolve(host: str, _port: int) -> list[str]:
        requests = await asyncio.to_thread(DNSRecord.question(host).send, "127.0.0.1", port, timeout=10)
        reply = DNSRecord.parse(requests)
        if reply.header.rcode:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return [str(record.rdata) for record in reply.rr]

    try:
        yield resolve
    finally:
        server.stop()
        server.server.server_close()


def named(url: str, name: str) -> str:
    return url.replace("127.0.0.1", name)


def test_a_name_is_allowed_if_all_its_addresses_are_allowed() -> None:
    async def act() -> None:
        with names({"hooks.example.org.": [["127.0.0.1", "127.0.0.1"]]}) as resolve:
            async with receiver(says(WHOLE)) as url, Outbound(LOOPBACK, resolve=resolve) as outbound:
                await outbound.check(named(url, "hooks.example.org"))
                assert (await outbound.post(named(url, "hooks.example.org"), {}, b"x")).succeeded

    run(act())


@pytest.mark.parametrize("addresses", [[PUBLIC, "10.0.0.7"], ["10.0.0.7", PUBLIC], ["10.0.0.7"]])
def test_a_name_with_one_forbidden_address_is_rejected(addresses: list[str]) -> None:
    async def act() -> None:
        with names({"hooks.example.org.": [addresses]}) as resolve:
            async with Outbound(AddressRules(), resolve=resolve) as outbound:
                sentence = "hooks.example.org resolves to 10.0.0.7, which is a private address"
                with pytest.raises(ForbiddenAddress, match=sentence):
                    await outbound.check("https://hooks.example.org/")
                assert (await outbound.post("https://hooks.example.org/", {}, b"x")).error == sentence

    run(act())


def test_a_name_that_resolves_differently_after_the_check_is_rejected_without_connecting() -> None:
    async def act() -> None:
        dialled: list[int] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            dialled.append(1)

        with names({"hooks.example.org.": [[PUBLIC], ["127.0.0.1"]]}) as resolve:
            async with receiver(behave) as url, Outbound(AddressRules(), resolve=resolve) as outbound:
                await outbound.check(named(url, "hooks.example.org"))
                exchange = await outbound.post(named(url, "hooks.example.org"), {}, b"x")
        assert exchange.error == "hooks.example.org resolves to 127.0.0.1, which is a loopback address"
        assert dialled == []

    run(act())


def test_only_checked_addresses_are_connected_and_each_connection_resolves_its_name_once() -> None:
    """A second resolution could return a forbidden address after the check."""

    async def act() -> None:
        requests: list[str] = []
        with names({"hooks.example.org.": [["127.0.0.1"], ["10.0.0.7"]]}) as ask:

            async def resolve(host: str, port: int) -> list[str]:
                requests.append(host)
                return await ask(host, port)

            async with receiver(says(WHOLE)) as url, Outbound(LOOPBACK, resolve=resolve) as outbound:
                assert (await outbound.post(named(url, "hooks.example.org"), {}, b"x")).succeeded
                assert requests == ["hooks.example.org"]
                later = await outbound.post(named(url, "hooks.example.org"), {}, b"x")
                assert later.error == "hooks.example.org resolves to 10.0.0.7, which is a private address"

    run(act())


def test_a_name_that_is_unknown_or_cannot_be_resolved_is_an_error() -> None:
    async def act() -> None:
        async def slow(host: str, port: int) -> list[str]:
            await asyncio.sleep(60)
            return []

        async def down(host: str, port: int) -> list[str]:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

        async def empty(host: str, port: int) -> list[str]:
            return []

        url, unsure = "http://hooks.example.org/", "could not resolve hooks.example.org"
        unknown = "the host hooks.example.org does not exist"
        with names({}) as nothing:
            for resolve, check, post in [
                (nothing, unknown, unknown),
                (empty, unknown, unknown),
                (down, unsure, unsure),
                (slow, unsure, NO_ANSWER),
            ]:
                async with Outbound(AddressRules(), resolve=resolve, timeout=0.5) as outbound:
                    with pytest.raises(ForbiddenAddress, match=f"^{check}$"):
                        await outbound.check(url)
                    assert (await outbound.post(url, {}, b"x")).error == post

    run(act())


def test_the_system_resolver_knows_localhost() -> None:
    async def act() -> None:
        assert {"127.0.0.1", "::1"} & set(await system_resolve("localhost", 80))

    run(act())

"""Receivers of deliveries that behave as a test chooses, on loopback."""

import asyncio
import gzip
import itertools
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.outbound import Exchange, Outbound

Receiver = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LOOPBACK = AddressRules([ip_network("127.0.0.0/8")])
PUBLIC = "93.184.216.34"
FLAT = 8 << 20  # bytes; a client that stored what endless receivers send would need hundreds of times as much


def run(act: Awaitable[None]) -> None:
    async def act_in_time() -> None:
        async with asyncio.timeout(60):
            await act

    asyncio.run(act_in_time())


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


def certificate(folder: Path, days: int) -> ssl.SSLContext:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example.org")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=9))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    plain = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(serialization.Encoding.PEM, plain, serialization.NoEncryption())
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def with_host(url: str, name: str) -> str:
    return url.replace("127.0.0.1", name)


WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_ANSWER = "no response within 0.5 seconds"
BOMB = gzip.compress(bytes(16 << 20))

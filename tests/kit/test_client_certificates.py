"""Client certificates with a real TLS receiver that demands them."""

import asyncio
import ssl
import tempfile
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
import uvloop
from cryptography.hazmat.primitives.asymmetric import rsa

from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.client_certificates import client_context, require_usable
from atrium.kit.network.outbound import Outbound
from tests.webhooks.certificates import Authority, Issued, server_context, tls_receiver

LOOPBACK = AddressRules([ip_network("127.0.0.0/8")])
REFUSED = "TLS: the receiver refused the client certificate"


@pytest.fixture(params=["TLSv1_2", "TLSv1_3"])
def version(request: pytest.FixtureRequest) -> ssl.TLSVersion:
    return ssl.TLSVersion[request.param]


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest):
    return request.param


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """An authority that contexts which are made in this test trust."""
    authority = Authority()
    (tmp_path / "authority.pem").write_text(authority.certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    return authority


def context_of(issued: Issued) -> ssl.SSLContext:
    return client_context(issued.certificate, issued.private_key)


@pytest.mark.contract("Webhook details 9")
def test_a_receiver_that_refuses_a_certificate_is_reported_in_plain_words(
    authority: Authority, tmp_path: Path, version: ssl.TLSVersion, run
) -> None:
    good, revoked, foreign = authority.issue("good"), authority.issue("revoked"), Authority("Other").issue("foreign")
    expired = authority.issue("expired", ends=datetime.now(UTC) - timedelta(days=1))
    authority.revoke(revoked)
    contexts = [context_of(each) for each in (good, foreign, expired, revoked)] + [ssl.create_default_context()]

    async def act(url: str) -> list[str | None]:
        async with asyncio.timeout(60), Outbound(LOOPBACK) as outbound:
            return [(await outbound.post(url, {}, b"x" * 2000, tls=each)).error for each in contexts]

    with tls_receiver(server_context(authority, tmp_path, version)) as receiver:
        *errors, without = run(act(receiver.url))
    assert errors == [
        None,
        f"{REFUSED} (unknown ca)",
        f"{REFUSED} (certificate expired)",
        f"{REFUSED} (certificate revoked)",
    ]
    if version is ssl.TLSVersion.TLSv1_3:
        assert without == "TLS: the receiver requires a client certificate"
    assert receiver.connections == [["good"]]


@pytest.mark.contract("Webhook details 9")
def test_connections_with_different_certificates_are_never_shared(authority: Authority, tmp_path: Path) -> None:
    ada, bob = authority.issue("ada"), authority.issue("bob")

    async def act(url: str) -> None:
        async with asyncio.timeout(60), Outbound(LOOPBACK) as outbound:
            for issued in (ada, bob, ada, bob, ada):
                assert (await outbound.post(url, {}, b"x", tls=context_of(issued))).succeeded

    with tls_receiver(server_context(authority, tmp_path, ssl.TLSVersion.TLSv1_3)) as receiver:
        asyncio.run(act(receiver.url))
    assert sorted(receiver.connections) == [["ada"] * 3, ["bob"] * 2]


def test_a_receiver_that_closes_the_connection_may_have_refused_the_certificate(
    authority: Authority, tmp_path: Path, run
) -> None:
    context = server_context(authority, tmp_path, ssl.TLSVersion.TLSv1_3)

    async def act() -> str | None:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with asyncio.timeout(60), server, Outbound(LOOPBACK) as outbound:
            return (await outbound.post(url, {}, b"x", tls=context_of(Authority("Other").issue("x")))).error

    closed = "the connection was closed without a response"
    assert run(act()) == f"{closed}; the receiver may have refused the client certificate"


@pytest.mark.contract("Webhook details 3")
def test_no_private_key_is_left_in_a_file(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    load = ssl.SSLContext.load_cert_chain

    def load_and_check(context: ssl.SSLContext, file: str, **more: object) -> None:
        written.append(Path(file).read_bytes())
        assert Path(file).stat().st_mode & 0o077 == 0
        load(context, file, **more)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", load_and_check)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    context_of(authority.issue("ada"))
    assert b"ENCRYPTED PRIVATE KEY" in written[0], "a process that is killed meanwhile leaves nothing of use"
    assert set(tmp_path.iterdir()) == before


@pytest.mark.contract("Webhook details 8")
def test_the_largest_keys_are_checked_quickly(authority: Authority) -> None:
    issued = authority.issue("ada", key=rsa.generate_private_key(65537, 4096))
    began = time.thread_time()
    require_usable(issued.certificate, issued.private_key, datetime.now(UTC))
    assert time.thread_time() - began < 0.2, "testing the primes takes 0.2 s each time"

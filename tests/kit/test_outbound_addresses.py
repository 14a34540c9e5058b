"""The guarded HTTP client connects to allowed addresses only."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from dnslib import QTYPE, RCODE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSServer
from yarl import URL

from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.connections import Dialer
from atrium.kit.network.outbound import ForbiddenAddress, Outbound, Resolve, system_resolve
from atrium.kit.network.timing import Stopwatch
from tests.kit.receivers import (
    LOOPBACK,
    NO_ANSWER,
    PUBLIC,
    WHOLE,
    receiver,
    run,
    says,
    with_host,
)

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


@pytest.mark.contract("Webhook details 19")
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


def test_a_name_is_allowed_if_all_its_addresses_are_allowed() -> None:
    async def act() -> None:
        with names({"hooks.example.org.": [["127.0.0.1", "127.0.0.1"]]}) as resolve:
            async with receiver(says(WHOLE)) as url, Outbound(LOOPBACK, resolve=resolve) as outbound:
                await outbound.check(with_host(url, "hooks.example.org"))
                assert (await outbound.post(with_host(url, "hooks.example.org"), {}, b"x")).succeeded

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


@pytest.mark.contract("Webhook details 19")
def test_a_name_that_resolves_differently_after_the_check_is_rejected_without_connecting() -> None:
    async def act() -> None:
        dialled: list[int] = []

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            dialled.append(1)

        with names({"hooks.example.org.": [[PUBLIC], ["127.0.0.1"]]}) as resolve:
            async with receiver(behave) as url, Outbound(AddressRules(), resolve=resolve) as outbound:
                await outbound.check(with_host(url, "hooks.example.org"))
                exchange = await outbound.post(with_host(url, "hooks.example.org"), {}, b"x")
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
                assert (await outbound.post(with_host(url, "hooks.example.org"), {}, b"x")).succeeded
                assert requests == ["hooks.example.org"]
                later = await outbound.post(with_host(url, "hooks.example.org"), {}, b"x")
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

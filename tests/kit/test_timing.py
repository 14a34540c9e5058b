"""How long the stages of an outbound request take, with real sockets."""

import asyncio
import ssl
from pathlib import Path

import pytest
import uvloop
from msgspec import UNSET, structs

from atrium.kit.network import connections
from atrium.kit.network.addresses import AddressRules
from atrium.kit.network.outbound import Exchange, Outbound
from tests.kit.receivers import (
    LOOPBACK,
    WHOLE,
    Receiver,
    certificate,
    post_to,
    receiver,
    says_nothing,
    take,
    with_host,
)

PAUSE = 0.05


def stages(exchange: Exchange) -> list[str]:
    """Return the stages that the attempt went through; their times add up to its duration."""
    shown = structs.asdict(exchange.timing)
    shown.pop("reused")
    known = {name: value for name, value in shown.items() if value is not UNSET}
    if known:
        assert sum(known.values()) == exchange.duration_ms
    return list(known)


def answers(*, head: float = 0.0, body: float = 0.0) -> Receiver:
    """Answer every request of a connection, after pauses."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await take(reader)
            await asyncio.sleep(head)
            writer.write(WHOLE[:-2])
            await writer.drain()
            await asyncio.sleep(body)
            writer.write(WHOLE[-2:])

    return behave


async def slow_name(_host: str, _port: int) -> list[str]:
    await asyncio.sleep(PAUSE)
    return ["127.0.0.1"]


@pytest.mark.contract("Webhook details 21")
@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_each_stage_of_an_attempt_is_timed(
    loop: type[asyncio.AbstractEventLoop], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = certificate(tmp_path, days=9)
    trusting = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
    trusting.check_hostname = False
    monkeypatch.setattr(connections, "verifying", lambda: trusting)

    async def act() -> None:
        answering = receiver(answers(head=PAUSE, body=PAUSE), context)
        async with answering as url, Outbound(LOOPBACK, resolve=slow_name) as outbound:
            first, second = [await outbound.post(with_host(url, "hooks.example.org"), {}, b"x") for _ in range(2)]
            nameless = await outbound.post(url, {}, b"x")
        assert first.succeeded, first.error
        assert stages(first) == ["resolve_ms", "connect_ms", "tls_ms", "wait_ms", "read_ms"]
        assert (first.timing.reused, second.timing.reused) == (False, True)
        assert stages(second) == ["wait_ms", "read_ms"]
        assert stages(nameless) == ["connect_ms", "tls_ms", "wait_ms", "read_ms"]
        pause = PAUSE * 1000 - 2  # rounded, and the clock of the event loop is coarse
        for each in (first.timing.resolve_ms, first.timing.wait_ms, first.timing.read_ms, second.timing.wait_ms):
            assert each is not UNSET and each >= pause

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(act())


@pytest.mark.contract("Webhook details 21")
def test_an_attempt_that_fails_has_the_stages_until_then() -> None:
    async def act() -> None:
        silent = await post_to(says_nothing, within=PAUSE)
        assert stages(silent) == ["connect_ms", "wait_ms"]
        handshake = await post_to(says_nothing, within=PAUSE, secure=True)
        assert stages(handshake) == ["connect_ms", "tls_ms"]
        async with Outbound(AddressRules(), resolve=slow_name) as outbound:
            assert stages(await outbound.post("http://hooks.example.org/", {}, b"x")) == ["resolve_ms"]
            assert stages(await outbound.post("http://127.0.0.1/", {}, b"x")) == []
        async with Outbound(LOOPBACK, resolve=slow_name) as outbound:
            assert stages(await outbound.post("http://hooks.example.org:1/", {}, b"x")) == ["resolve_ms", "connect_ms"]

    asyncio.run(act())


@pytest.mark.contract("Webhook details 21")
def test_a_connection_that_was_closed_while_idle_is_not_reused() -> None:
    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await take(reader)
        writer.write(WHOLE)
        await take(reader)

    async def act() -> None:
        async with receiver(once) as url, Outbound(LOOPBACK) as outbound:
            for _ in range(2):
                exchange = await outbound.post(url, {}, b"x")
                assert stages(exchange) == ["connect_ms", "wait_ms", "read_ms"]
                assert not exchange.timing.reused

    asyncio.run(act())

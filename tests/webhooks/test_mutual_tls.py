"""Deliveries with client certificates, to a real receiver that demands them."""

import asyncio
import ssl
from collections.abc import Iterator
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pytest

from atrium.kit.network.client_certificates import client_context
from atrium.kit.settings import Settings
from tests.webhooks.certificates import Authority, TlsReceiver, server_context, tls_receiver
from tests.webhooks.harness import Harness, with_harness

AUTHORITY = Authority()


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TlsReceiver]:
    (tmp_path / "authority.pem").write_text(AUTHORITY.certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    with tls_receiver(server_context(AUTHORITY, tmp_path, ssl.TLSVersion.TLSv1_3)) as receiver:
        yield receiver


async def deliver(harness: Harness, times: int = 1) -> None:
    for _ in range(times):
        await harness.send()
    await asyncio.wait_for(harness.worker.deliver_due(), 60)


@pytest.mark.contract("Webhook details 9")
def test_each_webhook_is_identified_by_its_own_certificate(settings: Settings, receiver: TlsReceiver) -> None:
    ada, bob, eve = map(AUTHORITY.issue, ("ada", "bob", "eve"))

    async def act(harness: Harness) -> None:
        hooks = [
            await harness.subscribe(endpoint_url=receiver.url, authentication=each.as_authentication)
            for each in (ada, bob)
        ]
        await deliver(harness, 5)
        assert all(len(set(clients)) == 1 for clients in receiver.connections), "no connection is shared"
        assert receiver.clients == {"ada": 5, "bob": 5}
        log = [entry for hook in hooks for entry in await harness.log(hook)]
        assert {entry["status"] for entry in log} == {"DELIVERY_STATUS_SUCCEEDED"}
        rows = str([dict(row) for row in await harness.db.fetch("select * from deliveries")])
        assert ada.private_key.splitlines()[1] not in rows + str(log)
        changed = await harness.change(hooks[0], authentication=eve.as_authentication)
        assert changed.status_code == 200, changed.text
        await deliver(harness)
        assert receiver.clients == {"ada": 5, "bob": 6, "eve": 1}

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 9")
def test_a_receiver_that_refuses_the_certificate_is_named_in_the_log(settings: Settings, receiver: TlsReceiver) -> None:
    foreign: Any = Authority("Other").issue("foreign").as_authentication

    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(endpoint_url=receiver.url, authentication=foreign)
        await deliver(harness)
        tested = await harness.client.post(f"{harness.hooks}/{webhook['webhook']['id']}/test")
        for entry in ((await harness.log(webhook))[-1], tested.json()["delivery"]):
            assert entry["attempts"][0]["error"] == "TLS: the receiver refused the client certificate (unknown ca)"
        right = AUTHORITY.issue("right").as_authentication
        assert (await harness.change(webhook, authentication=right)).status_code == 200
        harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        assert receiver.connections == [["right"]]

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 8")
def test_certificates_are_checked_and_loaded_in_a_thread(
    settings: Settings, receiver: TlsReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, load, ada = [], ssl.SSLContext.load_cert_chain, AUTHORITY.issue("ada")

    def watch(*loaded: Any, **more: Any) -> None:
        threads.append(current_thread())
        load(*loaded, **more)

    async def act(harness: Harness) -> None:
        monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watch)
        await harness.subscribe(endpoint_url=receiver.url, authentication=ada.as_authentication)
        client_context.cache_clear()
        await deliver(harness, 5)
        assert receiver.connections[0][0] == "ada"
        assert len(threads) == 2, "a context is made once for all deliveries"
        assert main_thread() not in threads

    with_harness(settings, act)

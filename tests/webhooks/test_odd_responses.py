"""Receivers and token endpoints whose responses have errors in their heads."""

import asyncio

import pytest

from atrium.kit.settings import Settings
from tests.kit.receivers import receiver, take
from tests.webhooks.harness import Harness, with_harness

CHUNKED_WITH_LENGTH = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n"
TWO_LENGTHS = b"HTTP/1.1 %b\r\nContent-Length: %d\r\nContent-Length: %d\r\n\r\n%b"


@pytest.mark.contract("Events and deliveries 30")
def test_a_webhook_is_not_paused_while_its_receiver_takes_the_events(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async def takes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await take(reader)
            writer.write(CHUNKED_WITH_LENGTH)

        async with receiver(takes) as url:
            webhook = await harness.subscribe(endpoint_url=url)
            for _ in range(10):
                await harness.send()
                await harness.worker.deliver_due()
        log = await harness.log(webhook)
        assert {each["status"] for each in log} == {"DELIVERY_STATUS_SUCCEEDED"}
        assert {each["attempts"][0]["response_excerpt"] for each in log} == {"ok"}
        read = await harness.read(webhook)
        assert (read["status"], read["failure_count"]) == ("WEBHOOK_STATUS_ACTIVE", 0)

    with_harness(settings, act)


def test_the_status_of_a_response_with_an_error_in_its_head_is_logged(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async def refuses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await take(reader)
            writer.write(TWO_LENGTHS % (b"503 Busy", 4, 4, b"busy"))

        async with receiver(refuses) as url:
            webhook = await harness.subscribe(endpoint_url=url)
            await harness.send()
            await harness.worker.deliver_due()
        [attempt] = (await harness.log(webhook))[0]["attempts"]
        assert (attempt["response_code"], attempt["error"], attempt["response_excerpt"]) == (503, "HTTP 503", "busy")

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 30")
def test_a_token_is_read_from_a_response_with_two_lengths(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        token = b'{"access_token": "token-1", "token_type": "Bearer"}'

        async def grants(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await take(reader)
            writer.write(TWO_LENGTHS % (b"200 OK", len(token), len(token), token))
            await reader.read()  # the connection stays open

        async with receiver(grants) as url:
            authentication = {"type": "oauth2", "token_url": url, "client_id": "a", "client_secret": "b"}
            await harness.subscribe(authentication=authentication)
            await harness.send()
            await harness.worker.deliver_due()
        assert [each.headers["Authorization"] for each in harness.receiver.received] == ["Bearer token-1"]

    with_harness(settings, act)

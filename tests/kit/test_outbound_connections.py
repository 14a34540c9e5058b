"""The connections of the guarded HTTP client: reused, closed meanwhile, encrypted."""

import asyncio
import tracemalloc
from pathlib import Path

import pytest

from atrium.kit.network.outbound import Outbound
from tests.kit.receivers import (
    FLAT,
    LOOPBACK,
    WHOLE,
    Receiver,
    certificate,
    goes_away,
    receiver,
    resets,
    run,
    says,
    says_nothing,
    take,
    talks_plainly,
)


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


def test_certificates_are_verified_and_the_error_is_readable(tmp_path: Path) -> None:
    async def act() -> None:
        async with Outbound(LOOPBACK) as outbound:
            async with receiver(says(WHOLE), certificate(tmp_path, days=9)) as url:
                assert (await outbound.post(url, {}, b"x")).error == "TLS: self-signed certificate"
            async with receiver(talks_plainly) as url:
                error = (await outbound.post(url.replace("http:", "https:"), {}, b"x")).error
                assert error and error.startswith("TLS: ")

    run(act())

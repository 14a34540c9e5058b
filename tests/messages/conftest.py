"""Fixtures of tests of history."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import asyncpg
import httpx
import pytest

from atrium.kit.clock import from_ms
from atrium.kit.settings import Settings
from tests.conftest import FakeClock, in_process_client, new_organization
from tests.messages.world import START, WINDOW, World


@pytest.fixture(scope="module")
def world(settings: Settings) -> Iterator[World]:
    api = new_organization(settings, "http://atrium.test")
    clock = FakeClock(from_ms(START))
    short = settings.with_changes(history_window=timedelta(milliseconds=WINDOW))
    with asyncio.Runner() as runner:
        ready: asyncio.Future[httpx.AsyncClient] = runner.get_loop().create_future()
        done = asyncio.Event()

        async def stand() -> None:
            async with in_process_client(short, clock) as client:
                client.headers["authorization"] = f"Bearer {api.personal_key}"
                ready.set_result(client)
                await done.wait()

        async def begin() -> tuple[asyncio.Task[None], httpx.AsyncClient, asyncpg.Connection]:
            task = asyncio.create_task(stand())
            return task, await ready, await asyncpg.connect(settings.database_url)

        async def end() -> None:
            done.set()
            await asyncio.gather(standing, db.close())

        standing, client, db = runner.run(begin())
        yield World(runner, client, db, clock, api)
        runner.run(end())

"""After a crash, PostgreSQL reuses the numbers of lost transactions, which positions may name."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import asyncpg
import psutil
import psycopg
import pytest

from atrium.kit.errors import Unavailable
from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from atrium.live.hub import Hub
from atrium.live.model import StreamPosition, Subscription, end_of
from atrium.server.app import create_app
from tests.conftest import Api, FakeClock, new_organization, own_postgres
from tests.live.client import LocalStream
from tests.wait_until import wait_until

PUBLISH = "select emit_to_actor('read_marker.moved', $1, null, null, null, jsonb_build_object('said', $2::text))"
TAKEN_BACK, SENT_AFTER = 300, 20


@pytest.fixture
def slow_to_disk() -> Iterator[Settings]:
    """Run a PostgreSQL server that writes to disk only when a commit waits for it."""
    with own_postgres() as made:
        with psycopg.connect(made.database_url or "", autocommit=True) as db:
            db.execute("alter system set wal_writer_delay = '10s'")
            db.execute("select pg_reload_conf()")
        yield made


@asynccontextmanager
async def _application(settings: Settings) -> AsyncIterator[Any]:
    app = create_app(settings, FakeClock(datetime.now(UTC)))
    async with app.lifespan():
        yield app


async def _use_up_numbers_and_crash(api: Api, listening: LocalStream) -> None:
    """Commit many transactions that the stream sees before they are on disk, then kill a backend."""
    db = await asyncpg.connect(api.settings.database_url, server_settings={"synchronous_commit": "off"})
    for _ in range(TAKEN_BACK):
        await db.fetchval("select pg_current_xact_id()")
    await db.execute(PUBLISH, api.person_id, "taken back")
    await listening.until("taken back")
    witness = await asyncpg.connect(api.settings.database_url)
    psutil.Process(await db.fetchval("select pg_backend_pid()")).kill()
    db.terminate()
    # PostgreSQL ends every connection when it learns of the death, and until then it answers as before.
    await asyncio.to_thread(wait_until, witness.is_closed)


def _try(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except (OSError, asyncpg.PostgresError, psycopg.Error):
        return None


async def _say_when_it_is_back(api: Api) -> None:
    first = await asyncio.to_thread(
        wait_until, lambda: _try(lambda: api.sql("select pg_current_xact_id()::text as id"))
    )
    assert first
    for nr in range(SENT_AFTER):
        await asyncio.to_thread(api.sql, PUBLISH, api.person_id, f"after {nr}")


@pytest.mark.contract("Live events 9")
def test_after_a_crash_streams_end_and_resume_with_a_reset(slow_to_disk: Settings) -> None:
    api = new_organization(slow_to_disk, "http://atrium.test")

    async def act() -> None:
        async with _application(slow_to_disk) as app:
            earlier, listening = LocalStream(app, api.personal_key), LocalStream(app, api.personal_key)
            for each in (earlier, listening):
                await each.until("hello")
            await _use_up_numbers_and_crash(api, listening)
            before = StreamPosition.parse(listening.last_id)
            await _say_when_it_is_back(api)
            await listening.until_ended()
            resumed = [LocalStream(app, api.personal_key, each.last_id) for each in (earlier, listening)]
            for each in resumed:
                assert "read_marker" not in await each.until("event: reset")
            after = StreamPosition.parse(resumed[0].last_id)
            assert before and after and before.until
            assert end_of(after.seen) < end_of(before.until), "numbers that were seen are given out again"
            await asyncio.to_thread(api.sql, PUBLISH, api.person_id, "heard again")
            for each in resumed:
                await each.until("heard again")
                await each.close()

    asyncio.run(act())


@pytest.mark.contract("Live events 9")
def test_streams_and_their_ids_survive_a_clean_restart() -> None:
    with own_postgres() as made:
        api = new_organization(made, "http://atrium.test")

        async def act() -> None:
            async with _application(made) as app:
                away, listening = LocalStream(app, api.personal_key), LocalStream(app, api.personal_key)
                for each in (away, listening):
                    await each.until("hello")
                await away.close()
                postmaster = psutil.Process(int((made.data_dir / "postgres" / "postmaster.pid").read_text().split()[0]))
                postmaster.send_signal(2)
                await asyncio.to_thread(postmaster.wait, 60)
                with embedded_postgres(made.data_dir):  # the outer context stops it
                    await _say_when_it_is_back(api)
                    resumed = LocalStream(app, api.personal_key, away.last_id)
                    for each in (listening, resumed):
                        text = await each.until(f"after {SENT_AFTER - 1}")
                        assert text.count("read_marker") == SENT_AFTER
                        assert "reset" not in text
                        await each.close()

        asyncio.run(act())


def test_a_request_waiting_while_the_process_stops_gets_503() -> None:
    async def act() -> None:
        hub = Hub(None, Settings(), FakeClock(datetime.now(UTC)))
        waiting = asyncio.create_task(hub.join(Subscription(b"key", uuid4())))
        await asyncio.sleep(0)
        hub.end_all()
        with pytest.raises(Unavailable):
            await waiting

    asyncio.run(act())


@pytest.mark.contract("Crashes and restarts 9")
def test_a_request_for_a_log_that_cannot_be_read_gets_503() -> None:
    async def act() -> None:
        settings = Settings(database_url="postgresql://postgres@/nowhere?host=/tmp/there-is-no-such-folder")
        hub = Hub(None, settings, FakeClock(datetime.now(UTC)))
        following = asyncio.create_task(hub.run())
        async with asyncio.timeout(30):
            with pytest.raises(Unavailable):
                await hub.join(Subscription(b"key", uuid4()))
        assert hub.count == 0
        following.cancel()

    asyncio.run(act())

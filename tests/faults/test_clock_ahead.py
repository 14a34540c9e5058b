"""The clock is wrong: what expires later is not deleted while it is ahead, and what has expired is, after it was behind."""

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from atrium import worker
from atrium.cleanup import actions
from atrium.kit.postgres.database import open_pool
from atrium.kit.settings import Settings
from tests.imports.harness import importer
from tests.recordings.media import TUS
from tests.webhooks.harness import NOON, Harness, with_harness

AHEAD, RETENTION = timedelta(days=100), timedelta(days=30)  # more than the longest period
EXPIRING = (
    "api_keys", "attachments", "audit_entries", "deleted_blocks", "deliveries", "idempotency_keys", "key_addresses",
    "key_usage", "mails", "sign_in_attempts", "sign_in_links", "uploads", "webhook_health",
    "imports where ended_at is null",
)  # fmt: skip
COUNTS = " union all ".join(f"select '{table}' as name, count(*) from {table}" for table in EXPIRING)
USE_A_KEY = """
with used as (
    insert into key_usage select api_key_id, $1::timestamptz::date, 'GET', '/v1/me', '{}', 1, 0, 0 from api_keys limit 1
), seen as (
    insert into key_addresses select api_key_id, '192.0.2.1', $1 from api_keys limit 1
), signed_in as (
    insert into api_keys
    select (jsonb_populate_record(k, jsonb_build_object('api_key_id', gen_random_uuid(), 'is_session', true,
        'key_hash', gen_random_uuid()::text::bytea, 'expires_at', $1::timestamptz))).* from api_keys k limit 1
)
insert into sign_in_attempts values ('', 1, $1)
"""
RUNS, HOUR = 4, timedelta(hours=1)
SET_REMOVAL = "update removal set until = $1"
FILES = "select count(*) from dropped_objects"


async def counts(harness: Harness) -> dict[str, int]:
    return dict(await harness.db.fetch(COUNTS))


async def fill(harness: Harness) -> None:
    """Let each table that expires have rows."""
    await harness.db.execute(SET_REMOVAL, NOON)
    await harness.db.execute(USE_A_KEY, NOON)
    webhook = await harness.subscribe()
    await worker.maintain_partitions(harness.settings, harness.clock)
    harness.client.headers["idempotency-key"] = "once"
    await harness.send()
    del harness.client.headers["idempotency-key"]
    await harness.worker.deliver_due()
    await harness.worker.health.flush(harness.db)
    assert len(await harness.log(webhook)) == 1
    room, video = f"/v2/rooms/{harness.made['room_id']}", f"/v2/spaces/{harness.made['space_id']}/rooms"
    films = (await harness.client.post(video, json={"name": "films", "room_type": "video"})).json()["room_id"]
    block = (await harness.client.post(f"{room}/blocks", json={"type": "divider", "content": {}})).json()
    imports = f"/v1/organizations/{harness.made['organization_id']}/imports?space_id={harness.made['space_id']}"
    for answer in (
        await harness.client.delete(f"/v2/blocks/{block['block_id']}"),
        await harness.client.post(f"{room}/attachments", content=b"x"),
        await harness.client.post(f"/v2/rooms/{films}/uploads", headers={**TUS, "upload-length": "100"}),
        await harness.client.post(imports, headers={**TUS, "upload-length": "100"}),
        await harness.client.post("/v1/sign-in-links", json={"content": {"email": "ada@example.org"}}),
    ):
        assert answer.is_success, answer.text


async def work(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a worker until it has deleted expired data a few times."""
    stop, runs = asyncio.Event(), count(1)

    async def clean_up(*arguments: Any) -> None:
        await actions.clean_up(*arguments)
        if next(runs) == RUNS:
            stop.set()

    monkeypatch.setattr(worker, "CLEANUP_INTERVAL", 0.0)
    monkeypatch.setattr(worker, "clean_up", clean_up)
    await worker.run_worker(harness.settings, stop, harness.clock)
    await worker.maintain_partitions(harness.settings, harness.clock)
    async with importer(harness) as imports:
        while await imports.run_next():
            pass


@pytest.mark.contract("Messages and blocks 4")
def test_what_expires_later_stays(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the clock is ahead, and once it is set back."""

    async def act(harness: Harness) -> None:
        await fill(harness)
        before = await counts(harness)
        assert min(before.values()) > 0, before
        for clock in (NOON + AHEAD, NOON):
            harness.clock.at = clock
            await work(harness, monkeypatch)
            assert await counts(harness) == before

    with_harness(settings, act, audit_retention=RETENTION)


@pytest.mark.contract("Messages and blocks 4")
def test_what_has_expired_is_deleted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time up to which data expires has caught up after RUNS hours."""

    async def act(harness: Harness) -> None:
        await fill(harness)
        keys = (await counts(harness))["api_keys"]
        harness.clock.at = NOON + AHEAD
        await harness.db.execute(SET_REMOVAL, NOON + AHEAD - RUNS * HOUR)
        await work(harness, monkeypatch)
        left = {"api_keys": keys - 1, "audit_entries": 1}  # that the import failed
        assert await counts(harness) == dict.fromkeys(EXPIRING, 0) | left
        assert await harness.db.fetchval(FILES) == 3, "they stay in the storage for some minutes more"

    with_harness(settings, act, audit_retention=RETENTION)


@pytest.mark.contract("Messages and blocks 4")
def test_a_clock_that_was_behind_or_ahead_does_not_put_it_off(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        pool = await open_pool(harness.settings.database_url or "", size=1)
        await pool.execute("delete from removal")  # as after the installation
        ahead, behind = NOON + AHEAD, datetime(1970, 1, 1, tzinfo=UTC)
        clocks = (NOON, ahead, ahead, NOON, NOON, ahead, behind, behind, NOON, NOON)
        expired = [await actions.advance(pool, clock) for clock in clocks]
        hours = [None if each == behind else (each - NOON) / HOUR for each in expired]
        assert hours == [0, 1, 2, 0, 0, 1, None, None, 0, 0]
        await pool.close()

    with_harness(settings, act)


def test_before_the_first_time_nothing_is_deleted(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await fill(harness)
        before = await counts(harness)
        await harness.db.execute("delete from removal")
        harness.clock.at = NOON + AHEAD
        await worker.maintain_partitions(harness.settings, harness.clock)
        assert await counts(harness) == before
        assert await harness.db.fetchval("select to_regclass($1) is not null", f"deliveries_{NOON + AHEAD:%Y%m%d}")

    with_harness(settings, act)

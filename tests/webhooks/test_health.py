"""The health of a webhook by hour and day, its backlog, and the preview of a replay."""

import asyncio
import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.cleanup.actions import clean_up
from atrium.kit.clock import rfc3339
from atrium.kit.network.outbound import Exchange
from atrium.kit.postgres.database import open_pool
from atrium.kit.settings import Settings
from atrium.webhooks.health import histogram
from atrium.webhooks.health import reach as health
from atrium.webhooks.health.counts import HealthCounts
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.keys.limits import integration_key
from tests.webhooks.creating import create_webhook
from tests.webhooks.harness import NOON, Harness, with_harness

DURATIONS = st.lists(st.integers(0, histogram.LONGEST), min_size=1, max_size=200)


def count_durations(durations: list[int]) -> list[int]:
    counts: list[int] = []
    for each in durations:
        histogram.count(counts, each)
    return counts


@pytest.mark.contract("Webhook details 20")
@given(DURATIONS, DURATIONS, st.sampled_from([0.01, 0.5, 0.95, 1.0]))
def test_a_quantile_differs_from_the_exact_one_by_at_most_a_sixteenth(
    some: list[int], others: list[int], fraction: float
) -> None:
    together = histogram.total([count_durations(some), count_durations(others)])
    assert together == count_durations(some + others)
    exact = sorted(some + others)[max(0, math.ceil(len(some + others) * fraction) - 1)]
    found = histogram.quantile(together, fraction)
    assert found is not None
    assert abs(found - exact) <= exact / 16
    assert exact > 16 or found == exact


def test_without_durations_there_is_no_quantile_and_the_longest_one_has_a_limit() -> None:
    assert histogram.quantile([], 0.5) is None
    assert count_durations([10**9]) == count_durations([histogram.LONGEST])


async def read(harness: Harness, webhook: Mapping[str, Any], by: str = "hour") -> tuple[list[Any], dict[str, Any]]:
    """Return the periods and the backlog, after the worker has written its counts."""
    await harness.worker.health.flush(harness.db)
    path = f"{harness.hooks}/{webhook['webhook']['id']}/health"
    answer = await harness.client.get(path, params={"by": by})
    assert answer.status_code == 200, answer.text
    return answer.json()["health"], answer.json()["backlog"]


@pytest.mark.contract("Webhook details 20")
def test_attempts_are_counted_by_hour_and_day_without_gaps(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.client.post(f"{harness.hooks}/{webhook['webhook']['id']}/test")  # does not count
        for status in (200, 204, 500):
            harness.receiver.status = status
            await harness.send()
            await harness.worker.deliver_due()
        harness.pass_time(minutes=70)
        harness.receiver.status = 200
        await harness.worker.deliver_due()
        hours, _ = await read(harness, webhook)
        assert [each["from"] for each in hours] == [rfc3339(NOON + timedelta(hours=nr)) for nr in range(-46, 2)]
        assert [(each["attempts"], each["succeeded"], each["failed"]) for each in hours[-2:]] == [(3, 2, 1), (1, 1, 0)]
        assert hours[-2]["success_rate"] == 2 / 3
        assert hours[-2]["p50_ms"] <= hours[-2]["p95_ms"]
        empty = {"attempts": 0, "succeeded": 0, "failed": 0, "success_rate": None, "p50_ms": None, "p95_ms": None}
        assert all(each == {"from": each["from"], **empty} for each in hours[:-2])
        harness.pass_time(days=1)
        days, _ = await read(harness, webhook, "day")
        assert [each["from"] for each in days[-2:]] == ["2026-11-21T00:00:00.000Z", "2026-11-22T00:00:00.000Z"]
        assert [each["attempts"] for each in days] == [0] * 28 + [4, 0]

    with_harness(settings, act)


def test_an_attempt_without_an_answer_has_no_duration(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(endpoint_url="http://127.0.0.1:9/")
        await harness.send()
        await harness.worker.deliver_due()
        hours, _ = await read(harness, webhook)
        assert (hours[-1]["attempts"], hours[-1]["success_rate"], hours[-1]["p50_ms"]) == (1, 0.0, None)

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 21")
def test_the_log_has_the_timing_of_each_attempt_since_this_release(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        for _ in range(2):
            await harness.send()
            await harness.worker.deliver_due()
        second, first = [entry["attempts"][0] for entry in await harness.log(webhook)]
        assert list(first["timing"]) == ["reused", "connect_ms", "wait_ms", "read_ms"]
        assert list(second["timing"]) == ["reused", "wait_ms", "read_ms"]
        assert (first["timing"]["reused"], second["timing"]["reused"]) == (False, True)
        await harness.db.execute("update deliveries set attempts = attempts #- '{0,timing}'")  # as older releases do
        assert all("timing" not in entry["attempts"][0] for entry in await harness.log(webhook))

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 20")
def test_the_backlog_is_what_is_due_under_way_retried_and_replayed(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        harness.receiver.status = 500
        await harness.send("retried")
        await harness.worker.deliver_due()
        harness.receiver.may_answer.clear()
        await harness.send("under way")
        await harness.claim()
        await harness.send("due")
        await harness.worker.queue_events()
        later = "update due_deliveries set due_at = $1 where not leased and attempts_made = 0 and due_at <= $2"
        await harness.db.execute(later, NOON + timedelta(seconds=9), NOON)
        await harness.send("due")
        await harness.worker.queue_events()
        harness.pass_time(seconds=5)
        _, backlog = await read(harness, webhook)
        counts = {"due": 1, "under_way": 1, "retrying": 1, "replaying": 1}
        assert backlog == counts | {"oldest_due_at": rfc3339(NOON), "has_more": False}
        harness.receiver.may_answer.set()
        await harness.worker.deliver_due()

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 22")
def test_a_preview_counts_what_a_replay_would_send_and_changes_nothing(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(retry_schedule=[])
        path = f"{harness.hooks}/{webhook['webhook']['id']}"
        harness.receiver.status = 500
        await harness.client.post(f"{path}/test")  # failed tests are not replayed
        await harness.send("failed")
        await harness.worker.deliver_due()
        await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        for _ in range(12):
            await harness.send("missed")
        harness.pass_time(hours=1)
        await harness.send("missed later")
        await harness.change(webhook, status="WEBHOOK_STATUS_ACTIVE")
        period = {"since": rfc3339(NOON), "until": rfc3339(NOON + timedelta(minutes=1))}
        for each in range(2):  # the second time nothing is left
            answer = await harness.client.get(f"{path}/replay", params=period)
            expected = [("DELIVERY_STATUS_MISSED", 12, 2), ("DELIVERY_STATUS_FAILED", 1, 1)]
            shown = [
                (preview["status"], preview["deliveries"], preview["seconds"]) for preview in answer.json()["previews"]
            ]
            assert shown == ([(status, 0, 0) for status, *_ in expected] if each else expected)
            for status, deliveries, _ in shown:
                replayed = await harness.client.post(f"{path}/replay", json=period | {"status": status})
                assert replayed.json() == {"replayed": deliveries}
        everything = (await harness.client.get(f"{path}/replay")).json()["previews"]
        assert [preview["deliveries"] for preview in everything] == [1, 0]

    with_harness(settings, act)


def test_a_long_backlog_is_counted_to_its_limit(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        many = """insert into due_deliveries (webhook_id, delivery_id, due_at)
                  select $1, gen_random_uuid(), $2 from generate_series(1, $3)"""
        await harness.db.execute(many, webhook["webhook"]["id"], NOON, health.MOST_WAITING + 5)
        _, backlog = await read(harness, webhook)
        assert (backlog["due"], backlog["has_more"]) == (health.MOST_WAITING, True)

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 23")
def test_workers_that_write_the_same_hours_lose_nothing_and_do_not_block_each_other(settings: Settings) -> None:
    webhooks, workers = [uuid4() for _ in range(100)], 6

    async def act(harness: Harness) -> None:
        pool = await open_pool(harness.settings.database_url or "", size=workers)

        async def write(nr: int) -> None:
            counts = HealthCounts()
            for _ in range(10):
                for webhook_id in webhooks if nr % 2 else reversed(webhooks):
                    counts.count(webhook_id, Exchange(200 if nr else None, None, "", nr * 100), NOON)
                await counts.flush(pool)

        await asyncio.gather(*map(write, range(workers)))
        rows = await harness.db.fetch("select * from webhook_health")
        assert {row["webhook_id"] for row in rows} == set(webhooks)
        for row in rows:
            assert (row["hour"], row["attempts"], row["succeeded"]) == (NOON, 60, 60)
            assert row["durations"] == histogram.total([count_durations([100, 200, 300, 400, 500])] * 10)
        await pool.close()

    with_harness(settings, act)


def test_health_is_deleted_after_thirty_days(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        await harness.send()
        await harness.worker.deliver_due()
        await harness.worker.health.flush(harness.db)
        pool = await open_pool(harness.settings.database_url or "", size=1)
        for days, left in ((30, 1), (1, 0)):
            harness.pass_time(days=days)
            await clean_up(pool, None, harness.settings, harness.clock, harness.clock())
            assert await harness.db.fetchval("select count(*) from webhook_health") == left
        assert sum(each["attempts"] for each in (await read(harness, webhook, "day"))[0]) == 0
        await pool.close()

    with_harness(settings, act)


def test_hours_that_began_during_a_request_are_left_out() -> None:
    starts = health.Period.HOUR.starts(datetime.fromisoformat("2026-11-21T12:59:59Z"))
    row: Any = {"hour": NOON + timedelta(hours=1), "attempts": 1, "succeeded": 1, "durations": [1]}
    found = health.health_of([row], starts, timedelta(hours=1))
    assert (len(found), found[-1].from_, found[-1].attempts) == (48, rfc3339(NOON), 0)


@pytest.mark.contract("Webhook details 20")
@pytest.mark.parametrize(("what", "wrong"), [("health", {"by": "year"}), ("replay", {"since": "noon"})])
def test_the_workbench_needs_the_right_to_read_webhooks_of_this_organization(
    api: Api, outsider: Api, what: str, wrong: dict[str, str]
) -> None:
    path = f"{api.organization}/webhooks/{create_webhook(api)['webhook']['id']}/{what}"
    foreign = f"{api.organization}/webhooks/{create_webhook(outsider)['webhook']['id']}/{what}"
    assert api.person.get(path).status_code == 200
    assert_problem(api.person.get(foreign), 404)
    assert_problem(outsider.person.get(path), 404)
    assert_problem(api.person.get(path, params=wrong), 400)
    for scopes, status in ((["webhooks:read"], 200), (["messages:read"], 403)):
        narrow = integration_key(api, scopes=scopes, organization_role="admin")["key"]
        assert api.client(narrow).get(path).status_code == status

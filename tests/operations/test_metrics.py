"""`/metrics` includes all processes of a server, and is returned only to authorized clients."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from atrium.kit.settings import Settings
from tests.conftest import (
    Api,
    RunningServer,
    free_port,
    fresh_database,
    new_organization,
    own_postgres,
    running_server,
)
from tests.contract.tour import assert_problem, subscription
from tests.faults.running import http_processes as http_processes_of
from tests.faults.running import is_gone, postmaster_of
from tests.operations.scrape import Series, scrape, total
from tests.wait_until import wait_until
from tests.webhooks.receiver import running_receiver

TOKEN = "scrape-me-0123456789"
REQUESTS = "atrium_request_seconds_count"
PROFILE, PAGE = "/v1/me/profile", "/v2/rooms/{room_id}/messages"


@pytest.fixture
def metrics_server(settings: Settings) -> Iterator[tuple[RunningServer, Api, str]]:
    """Run a server with two HTTP processes and metrics on their own port behind a token; yield it with that port."""
    with fresh_database(settings) as own, ExitStack() as stack:
        port = free_port()
        changed = own.with_changes(metrics_port=port, metrics_token=TOKEN, port=free_port(), workers=2)
        running = stack.enter_context(running_server(changed))
        api = new_organization(running.settings, running.url)
        stack.callback(api.close)
        wait_until(lambda: all_answer(f"http://127.0.0.1:{port}/metrics"), "all are there")
        yield running, api, f"http://127.0.0.1:{port}/metrics"


def all_answer(url: str) -> bool:
    """Return whether the worker listens, and both HTTP processes run."""
    try:
        return total(scrape(url), "atrium_processes") == 3
    except httpx.TransportError:
        return False


def requests_in(series: Series, route: str, status: str = "2xx", method: str = "GET") -> float:
    return total(series, REQUESTS, route=route, status=status, method=method)


@pytest.mark.contract("Operations 10")
def test_the_totals_include_both_processes(metrics_server: tuple[RunningServer, Api, str]) -> None:
    running, api, own_port = metrics_server
    prefixes = set()
    for _ in range(40):
        with api.client(api.personal_key) as fresh:  # a new connection, which either process may accept
            prefixes.add(fresh.get(PROFILE).headers["x-request-id"][:12])
            fresh.get(api.messages)
            fresh.post(api.messages, json={"text": "x"})
            fresh.get("/v1/me/integrations?limit=0")
            fresh.get(f"/made/up/{os.urandom(4).hex()}")
    assert len(prefixes) == 2
    expected = {
        (PROFILE, "2xx", "GET"): 40,
        (PAGE, "2xx", "GET"): 40,
        (PAGE, "2xx", "POST"): 40,
        ("/v1/me/integrations", "4xx", "GET"): 40,
        ("none", "4xx", "GET"): 40,
    }
    for url, token in ((own_port, None), (f"{running.url}/metrics", TOKEN)):
        wait_until(
            lambda url=url, token=token: (
                {which: requests_in(scrape(url, token), *which) for which in expected} == expected
            ),
            f"all requests are counted at {url}",
        )
    series = scrape(own_port)
    assert total(series, "atrium_request_seconds_bucket", route=PAGE, method="POST", le="+Inf") == 40
    assert total(series, "atrium_batch_size_sum", statement="send") == 40
    assert total(series, "atrium_processes", kind="http") == 2
    assert total(series, "atrium_processes", kind="worker") == 1
    wait_until(lambda: total(scrape(own_port), "atrium_requests_in_flight") == 0, "no request is left in flight")
    assert total(series, "atrium_database_connections", state="most") > 24
    assert total(series, "atrium_database_up") == 1
    assert total(series, "atrium_build_info") == 1
    assert not [found for _, labels in series for _, found in labels if "made" in found or api.room_id in found]


@pytest.mark.contract("Operations 10")
def test_a_killed_process_leaves_its_counts_and_no_gauges(metrics_server: tuple[RunningServer, Api, str]) -> None:
    running, api, own_port = metrics_server
    for _ in range(20):
        with api.client(api.personal_key) as fresh:
            fresh.get(PROFILE)
    wait_until(lambda: requests_in(scrape(own_port), PROFILE) == 20, "all requests are counted")
    first = http_processes_of(running)[0]
    first.kill()
    wait_until(lambda: is_gone(first), "the process ends")
    wait_until(lambda: total(scrape(own_port), "atrium_processes", kind="http") == 2, "another takes its place")
    assert requests_in(scrape(own_port), PROFILE) == 20


def test_a_start_removes_the_metrics_of_a_killed_server_and_of_no_other(settings: Settings) -> None:
    with fresh_database(settings) as own, running_server(own.with_changes(metrics_port=free_port())) as killed:
        with fresh_database(settings) as other, running_server(other.with_changes(metrics_port=free_port())) as lives:
            left, used = metrics_of(killed), metrics_of(lives)
            processes = http_processes_of(killed)
            killed.process.kill()
            wait_until(lambda: all(map(is_gone, processes)), "its processes end, too")
            assert left.exists()
            for folder in (left, used):
                os.utime(folder, (0, 0))  # as if they were there for long
            with fresh_database(settings) as third, running_server(third.with_changes(metrics_port=free_port())):
                assert (left.exists(), used.exists()) == (False, True)
        assert not used.exists()


def metrics_of(running: RunningServer) -> Path:
    """Return the folder in which the processes of a server count."""
    files = (Path(file.path) for file in http_processes_of(running)[0].open_files())
    return next(file.parent for file in files if file.parent.name.startswith("atrium-metrics-"))


@pytest.mark.contract("Operations 11")
def test_deliveries_are_counted_by_outcome_with_their_delay(metrics_server: tuple[RunningServer, Api, str]) -> None:
    _, api, own_port = metrics_server

    async def deliver() -> None:
        async with running_receiver() as receiver:
            statuses = iter((200, 200, 500))
            receiver.answer = lambda _: next(statuses)
            content = {"name": "hook", "endpoint_url": receiver.url, "subscriptions": [subscription(api.room_id)]}
            made = await asyncio.to_thread(
                lambda: api.person.post(f"{api.organization}/webhooks", json={"content": content})
            )
            assert made.status_code == 201, made.text
            for number in range(3):
                await asyncio.to_thread(api.send)
                while len(receiver.received) <= number:
                    await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(deliver(), 60))
    name = "atrium_delivery_attempt_seconds_count"
    wait_until(lambda: total(scrape(own_port), name) == 3, "three attempts are counted")
    series = scrape(own_port)
    assert (total(series, name, outcome="succeeded"), total(series, name, outcome="failed")) == (2, 1)
    assert total(series, "atrium_delivery_lateness_seconds_count") == 3
    wait_until(lambda: total(scrape(own_port), "atrium_deliveries_waiting", state="later") == 1, "a retry waits")
    assert total(scrape(own_port), "atrium_webhooks", status="active") == 1
    api.sql("update webhooks set status = 'WEBHOOK_STATUS_PAUSED'")
    api.sql(
        "insert into mails (mail_id, recipient, subject, body, created_at, next_attempt_at) "
        "values (gen_random_uuid(), 'a@b.c', 's', 't', now() - interval '1 hour', now())"
    )
    series = scrape(own_port)
    assert total(series, "atrium_webhooks", status="paused") == 1
    assert total(series, "atrium_deliveries_waiting", state="held") == 1
    assert total(series, "atrium_mails_waiting") == 1
    assert 3500 < total(series, "atrium_oldest_waiting_mail_seconds") < 3800


def test_the_oldest_due_delivery_is_reported(metrics_server: tuple[RunningServer, Api, str]) -> None:
    _, api, own_port = metrics_server
    api.sql(
        "insert into webhooks (webhook_id, organization_id, name, description, endpoint_url, headers, secret, status, "
        "created_at) values (gen_random_uuid(), $1, 'w', '', 'http://127.0.0.1:9/', '', '', 'WEBHOOK_STATUS_ACTIVE', "
        "now())",
        api.organization_id,
    )
    # Due, and leased elsewhere: no worker claims it.
    api.sql(
        "insert into due_deliveries (webhook_id, delivery_id, due_at, leased) select webhook_id, "
        "gen_random_uuid(), now() + interval '1 hour', true from webhooks"
    )
    series = scrape(own_port)
    assert total(series, "atrium_deliveries_waiting", state="leased") == 1
    assert total(series, "atrium_oldest_due_delivery_seconds") == 0


def test_requests_rejected_by_the_rate_limit_are_counted(settings: Settings) -> None:
    with running_server(settings.with_changes(rate_limit=1, metrics_token=TOKEN)) as running:
        api = new_organization(running.settings, running.url)
        refused = sum(api.person.get(PROFILE).status_code == 429 for _ in range(12))
        assert refused > 0
        url = f"{running.url}/metrics"
        wait_until(
            lambda: total(scrape(url, TOKEN), "atrium_rate_limited_requests_total") == refused, "all are counted"
        )
        api.close()


@pytest.mark.contract("Operations 10")
def test_without_a_setting_there_are_no_metrics(api: Api) -> None:
    assert assert_problem(api.client(None).get("/metrics"), 404)["code"] == "not_found"
    assert assert_problem(api.person.get("/metrics"), 404)["code"] == "not_found"


@pytest.mark.contract("Operations 10")
def test_another_token_gives_no_access_to_metrics(metrics_server: tuple[RunningServer, Api, str]) -> None:
    running, api, _ = metrics_server
    url = f"{running.url}/metrics"
    for authorization in ("", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer é"):
        sent = {"authorization": authorization.encode()} if authorization else {}
        assert_problem(httpx.get(url, headers=sent, timeout=60), 401)
    assert_problem(api.person.get("/metrics"), 401)


@pytest.mark.contract("Operations 10")
def test_metrics_on_their_own_port_are_not_on_the_public_port(settings: Settings) -> None:
    port = free_port()
    with running_server(settings.with_changes(metrics_port=port)) as running:
        assert_problem(httpx.get(f"{running.url}/metrics", timeout=60), 404)
        wait_until(lambda: all_answer(f"http://127.0.0.1:{port}/metrics"), "all are there")
        assert httpx.get(f"http://127.0.0.1:{port}/", timeout=60).status_code == 404
        openmetrics = httpx.get(
            f"http://127.0.0.1:{port}/metrics", headers={"accept": "application/openmetrics-text"}, timeout=60
        )
        assert openmetrics.headers["content-type"].startswith("application/openmetrics-text")
        assert openmetrics.text.endswith("# EOF\n")


def test_metrics_report_an_unavailable_database() -> None:
    with ExitStack() as stack:
        changes = {"port": free_port(), "workers": 2, "metrics_token": TOKEN}
        settings = stack.enter_context(own_postgres()).with_changes(**changes)
        running = stack.enter_context(running_server(settings))
        url = f"{running.url}/metrics"
        wait_until(lambda: total(scrape(url, TOKEN), "atrium_processes", kind="http") == 2, "both are there")
        assert total(scrape(url, TOKEN), "atrium_database_up") == 1
        postmaster = postmaster_of(settings)
        postmaster.send_signal(signal.SIGINT)
        wait_until(lambda: is_gone(postmaster), "PostgreSQL ends")
        series = scrape(url, TOKEN)
        assert series["atrium_database_up", ()] == 0
        assert total(series, "atrium_processes", kind="http") == 2
        assert not total(series, "atrium_webhooks")

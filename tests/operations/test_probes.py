"""`/healthz` reports that the process answers, `/readyz` that it can serve; neither requires a key."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import psycopg
import pytest

from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from tests.conftest import TLS, Api, RunningServer, free_port, own_postgres, running_server
from tests.contract.tour import assert_problem
from tests.faults.running import is_gone, postmaster_of
from tests.wait_until import wait_until


@pytest.mark.contract("Operations 1")
def test_probes_need_no_key_and_are_not_rate_limited(settings: Settings) -> None:
    with running_server(settings.with_changes(rate_limit=1)) as running:
        for path in ("/healthz", "/readyz"):
            answers = [httpx.get(running.url + path, headers=headers(path), verify=TLS, timeout=60) for _ in range(20)]
            assert {each.status_code for each in answers} == {200}
            assert all("ratelimit" not in each.headers for each in answers)
            assert {each.headers["cache-control"] for each in answers} == {"no-store"}
        assert "healthz" not in running.output.read_text()


def headers(path: str) -> dict[str, str]:
    """Return headers with a well-formed key, or none."""
    return {"authorization": "Bearer atrp_4fGh1kLm9pQrStUvWxYz0123456789AbCdEf"} if path == "/readyz" else {}


def test_only_the_paths_themselves_are_probes(api: Api) -> None:
    assert_problem(api.client(None).post("/healthz"), 405)
    assert_problem(api.client(None).get("/healthz/x"), 404)


@pytest.fixture
def database() -> Iterator[tuple[Settings, RunningServer]]:
    """Run a server, and the PostgreSQL that it uses without having started it."""
    with ExitStack() as stack:
        settings = stack.enter_context(own_postgres()).with_changes(port=free_port(), workers=2)
        yield settings, stack.enter_context(running_server(settings))


@pytest.mark.contract("Operations 1")
def test_readiness_follows_the_database(database: tuple[Settings, RunningServer]) -> None:
    settings, running = database
    assert httpx.get(f"{running.url}/readyz", timeout=60).json() == {"status": "ready"}
    postmaster = postmaster_of(settings)
    postmaster.send_signal(signal.SIGINT)
    wait_until(lambda: is_gone(postmaster), "PostgreSQL ends")
    for _ in range(6):
        problem = assert_problem(httpx.get(f"{running.url}/readyz", timeout=60), 503)
        assert problem["code"] == "not_ready"
        assert problem["detail"] == "The database cannot be reached."
        assert httpx.get(f"{running.url}/healthz", timeout=60).status_code == 200
    with embedded_postgres(settings.data_dir):
        wait_until(
            lambda: httpx.get(f"{running.url}/readyz", timeout=60).status_code == 200, "the server is ready again"
        )


@pytest.mark.contract("Operations 1")
def test_the_probe_answers_while_the_database_hangs(database: tuple[Settings, RunningServer]) -> None:
    settings, running = database
    postmaster = postmaster_of(settings)
    family = [postmaster, *postmaster.children(recursive=True)]
    try:
        for each in family:
            os.kill(each.pid, signal.SIGSTOP)
        problem = assert_problem(httpx.get(f"{running.url}/readyz", timeout=20), 503)
        assert problem["detail"] == "The database did not respond within 2 seconds."
    finally:
        for each in family:
            os.kill(each.pid, signal.SIGCONT)
    wait_until(lambda: httpx.get(f"{running.url}/readyz", timeout=20).status_code == 200, "the server is ready again")


@pytest.mark.contract("Operations 1")
def test_a_missing_schema_is_reported(database: tuple[Settings, RunningServer]) -> None:
    settings, running = database
    with psycopg.connect(settings.database_url or "", autocommit=True) as db:
        current = db.execute("select version_num from alembic_version").fetchone()
        assert current is not None
        for revision, ready in (("0000", False), ("9999", True), (current[0], True)):
            db.execute("update alembic_version set version_num = %s", [revision])
            answer = httpx.get(f"{running.url}/readyz", timeout=60)
            assert answer.is_success is ready
            assert ready or f"at revision {revision} of the schema; this release needs {current[0]}" in answer.text
        db.execute("alter table alembic_version rename to gone")
        assert "at revision none" in assert_problem(httpx.get(f"{running.url}/readyz", timeout=60), 503)["detail"]

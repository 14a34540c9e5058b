"""Requests have the processor before background work."""

from pathlib import Path

import pytest

from atrium.cli.worker import NICENESS
from tests.conftest import RunningServer
from tests.faults.running import worker_of
from tests.wait_until import wait_until


def test_the_worker_of_a_server_gives_way_to_its_requests_and_to_the_database(server: RunningServer) -> None:
    """PostgreSQL runs in another session than the server, and Linux compares the niceness of processes of a session."""
    worker = worker_of(server)
    wait_until(lambda: worker.nice() == NICENESS, "the worker has opened the database")
    group = Path(f"/proc/{worker.pid}/autogroup")
    if not group.exists():
        pytest.skip("this Linux does not share the processor among sessions")
    wait_until(lambda: group.read_text().endswith(f" nice {NICENESS}\n"), "its session gives way too")
    assert group.read_text() != Path(f"/proc/{server.process.pid}/autogroup").read_text()

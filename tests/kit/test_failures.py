"""Errors of exhausted room, their log entries, and how many files a process may open."""

import errno
import io
import sys
from uuid import uuid4

import asyncpg
import pytest
import structlog
from structlog.testing import capture_logs

from atrium.kit.postgres.database import is_out_of_room, is_unavailable
from atrium.kit.process.failures import log_failure
from atrium.kit.process.logs import configure_logs
from atrium.kit.process.open_files import max_connections


@pytest.mark.parametrize("code", ["53000", "53100", "53200", "53300", "53400"])
def test_an_error_of_class_53_is_out_of_room(code: str) -> None:
    error = asyncpg.PostgresError.new({"C": code, "M": "no room"})
    assert is_out_of_room(error)
    assert is_unavailable(error)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE])
def test_an_error_of_the_system_without_room_is_out_of_room(number: int) -> None:
    assert is_out_of_room(OSError(number, "no room"))


@pytest.mark.parametrize(
    "error",
    [asyncpg.UniqueViolationError("m"), asyncpg.CannotConnectNowError("m"), ConnectionRefusedError(), ValueError("m")],
    ids=lambda error: type(error).__name__,
)
def test_another_error_is_not_out_of_room(error: Exception) -> None:
    assert not is_out_of_room(error)


@pytest.mark.contract("Crashes and restarts 8")
def test_an_unavailable_database_is_logged_once_a_minute_and_another_error_each_time() -> None:
    event = f"{uuid4()}"
    with capture_logs() as logs:
        for _ in range(3):
            log_failure(event, asyncpg.DiskFullError("full"))
            log_failure(event, ConnectionRefusedError())
            log_failure(event, ValueError("a mistake"))
    assert [(each["log_level"], each["error"].partition("(")[0]) for each in logs] == [
        ("error", "DiskFullError"),
        ("warning", "ConnectionRefusedError"),
        *[("error", "ValueError")] * 3,
    ]


def test_a_logged_error_has_no_signature_of_a_url() -> None:
    with capture_logs() as logs:
        log_failure(f"{uuid4()}", OSError("PUT https://media.example/a/b?sig=secret failed"))
    assert logs[0]["error"] == "OSError('PUT https://media.example/a/b failed')"


@pytest.mark.contract("Crashes and restarts 6")
def test_a_log_line_that_cannot_be_written_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    before = structlog.get_config()
    with io.FileIO("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(full, write_through=True))
        try:
            configure_logs("json")
            for level in ("info", "warning", "error"):
                getattr(structlog.get_logger(), level)("a line")
        finally:
            structlog.configure(**before)


@pytest.mark.parametrize("limit", [64, 128, 256, 400, 1024, 65_536, sys.maxsize])
def test_connections_leave_a_process_open_files_for_its_work(limit: int) -> None:
    accepted = max_connections(limit, streams=5000)
    assert 0 < accepted <= 9000
    assert limit - accepted >= min(300, limit // 2)

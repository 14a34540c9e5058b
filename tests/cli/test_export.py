"""`atrium export` writes what a walk through the API returns, despite interruptions."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from uuid import uuid4

import httpx
import pytest
from typer.testing import CliRunner

from atrium.cli.main import app
from tests.conftest import Api, free_port
from tests.messages.walk import messages_of, walk

MESSAGES = 450  # three pages


@pytest.fixture
def history(api: Api) -> list[dict[str, Any]]:
    """Return the messages of the first room, newest first, two windows apart."""
    api.sql(
        """insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
        select $1::uuid, id_at(ms << 12), $2::uuid, 'person', 'old ' || ms, time_of_ms(ms)
        from generate_series(1400000000000, 1400000000000 + $3::bigint - 1) ms""",
        api.room_id,
        api.person_id,
        MESSAGES - 2,
    )
    api.sql("update rooms set created_at = time_of_ms(1400000000000) where room_id = $1", api.room_id)
    api.send("*line* one\nline two \u2028 é")
    api.send("newest")
    return messages_of(walk(api.person, api.room_id))


def run_export(api: Api, output: Path, *options: str, room: str | None = None, **env: str) -> tuple[str, str]:
    """Return the output and the error of the command."""
    arguments = ["export", room or api.room_id, "--output", str(output), *options]
    result = CliRunner().invoke(app, arguments, env=api.settings.environment() | {"ATRIUM_KEY": None} | env)
    if result.exception is None:
        return result.output, ""
    if type(result.exception).__name__ != "CommandError":
        raise result.exception
    return result.output, str(result.exception)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("from_server", [True, False], ids=["a server", "the data folder"])
def test_it_writes_the_messages_that_a_walk_returns(
    api: Api, tmp_path: Path, history: list[dict[str, Any]], from_server: bool
) -> None:
    options = ["--url", api.url] if from_server else []
    output, error = run_export(api, tmp_path / "out.jsonl", *options, "--key", api.organization_key)
    assert error == ""
    assert "450 messages in" in output
    assert len(history) == MESSAGES
    assert lines_of(tmp_path / "out.jsonl") == history
    assert list(tmp_path.iterdir()) == [tmp_path / "out.jsonl"]


def test_the_key_can_come_from_the_environment(api: Api, tmp_path: Path) -> None:
    sent = api.send("hello")
    run_export(api, tmp_path / "out.jsonl", "--url", api.url, ATRIUM_KEY=api.personal_key)
    assert lines_of(tmp_path / "out.jsonl") == [sent]


def test_an_empty_room_becomes_an_empty_file(api: Api, tmp_path: Path) -> None:
    run_export(api, tmp_path / "out.jsonl", "--key", api.personal_key)
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_an_interrupted_export_continues_where_it_stopped(
    api: Api, tmp_path: Path, history: list[dict[str, Any]]
) -> None:
    whole, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    run_export(api, whole, "--key", api.personal_key)
    content = whole.read_bytes()
    for cut in (0, 1, len(content) // 3, len(content) - 5, len(content)):
        part.write_bytes(content[:cut])
        _, error = run_export(api, whole, "--key", api.personal_key)
        assert error == ""
        assert whole.read_bytes() == content


def test_a_file_that_it_cannot_continue_is_not_changed(api: Api, tmp_path: Path) -> None:
    part = tmp_path / "out.jsonl.part"
    elsewhere = uuid4()
    other = {"room_id": str(elsewhere), "message_id": str(uuid4()), "sent_at": "2026-01-01T00:00:00.000Z"}
    part.write_text(json.dumps(other) + "\n")
    error = run_export(api, tmp_path / "out.jsonl", "--key", api.personal_key)[1]
    assert f"is an unfinished export of the room {elsewhere}" in error
    part.write_text("a letter\n")
    assert "is not an unfinished export" in run_export(api, tmp_path / "out.jsonl", "--key", api.personal_key)[1]
    assert part.read_text() == "a letter\n"


@pytest.mark.parametrize("from_server", [True, False], ids=["a server", "the data folder"])
def test_it_explains_why_it_failed(api: Api, outsider: Api, tmp_path: Path, from_server: bool) -> None:
    def error(*options: str, room: str | None = None) -> str:
        return run_export(api, tmp_path / "o", *options, *(["--url", api.url] if from_server else []), room=room)[1]

    assert error().startswith("no key: pass --key or set ATRIUM_KEY")
    assert error("--key", "atrp_wrong").startswith("the key is not valid")
    assert error("--key", outsider.personal_key).startswith("room not found")
    assert error("--key", api.personal_key, room=str(uuid4())).startswith("room not found")
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_or_foreign_server_is_named(api: Api, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert f"{url} cannot be reached" in run_export(api, tmp_path / "o", "--key", "x", "--url", url)[1]
    assert "nowhere cannot be reached" in run_export(api, tmp_path / "o", "--key", "x", "--url", "nowhere")[1]
    with in_front(OtherServer) as other:
        error = run_export(api, tmp_path / "o", "--key", "x", "--url", other)[1]
    assert "Is this an Atrium server" in error


def test_a_file_that_cannot_be_written_is_named(api: Api, tmp_path: Path) -> None:
    assert "it is a folder" in run_export(api, tmp_path, "--key", "x")[1]
    assert "the folder does not exist" in run_export(api, tmp_path / "none" / "o", "--key", "x")[1]


class Unreliable(BaseHTTPRequestHandler):
    """A proxy in front of the server that is busy or unavailable for the first attempts of each request."""

    behind = ""
    attempts: ClassVar[Counter[str]] = Counter()

    def do_GET(self) -> None:
        self.attempts[self.path] += 1
        times = self.attempts[self.path]
        if "cursor_message_id" in self.path and times == 1:
            self.close_connection = True
            return
        if times < 3:
            self.send_response(429 if times == 1 else 503)
            self.send_header("retry-after", "0" if "limit" in self.path else "1")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        answer = httpx.get(
            self.behind + self.path, headers={"authorization": self.headers["authorization"]}, timeout=60
        )
        self.send_response(answer.status_code)
        self.send_header("content-length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_arguments: Any) -> None:
        """Log nothing."""


class OtherServer(BaseHTTPRequestHandler):
    """A different web server."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>It works!</html>")

    def log_message(self, *_arguments: Any) -> None:
        """Log nothing."""


@contextmanager
def in_front(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def unreliable(api: Api) -> Iterator[str]:
    with in_front(type("Handler", (Unreliable,), {"behind": api.url, "attempts": Counter()})) as url:
        yield url


def test_a_busy_server_is_retried(api: Api, tmp_path: Path, history: list[dict[str, Any]], unreliable: str) -> None:
    _, error = run_export(api, tmp_path / "out.jsonl", "--url", unreliable, "--key", api.organization_key)
    assert error == ""
    assert lines_of(tmp_path / "out.jsonl") == history

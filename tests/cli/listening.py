"""Run `atrium listen`."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from typer.testing import CliRunner

from atrium.cli.errors import CommandError
from atrium.cli.main import app
from tests.conftest import ATRIUM, Api, free_port
from tests.wait_until import wait_until

PATH = "/hook/../a%2Fb?a[]=b&c=%2F"
SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"


class Program(ThreadingHTTPServer):
    """A program under development: it records its requests and returns the responses that a test sets."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Hook)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answer = 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{PATH}"

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]

    def messages(self) -> list[str]:
        return [event["data"]["message_id"] for event in self.events()]


class Hook(BaseHTTPRequestHandler):
    """A request to the program."""

    server: Program

    def do_POST(self) -> None:
        assert self.path == PATH
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.answer)
        self.send_header("content-length", "4")
        self.end_headers()
        self.wfile.write(b"done")

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def running_program() -> Iterator[Program]:
    with Program() as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@dataclass
class Listening:
    """A running `atrium webhooks listen`; its output goes to files."""

    process: subprocess.Popen[bytes]
    out: Path
    err: Path
    first: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.read_text().splitlines()]

    def end(self, way: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(way)
        return self.process.wait(20)


def arguments(api: Api, to: str | None, *options: str) -> list[str]:
    forward = ("--forward-to", to) if to is not None else ()
    return [str(ATRIUM), "webhooks", "listen", *forward, "--url", api.url, *options]


def environment(key: str | None) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ATRIUM_")}
    return inherited | ({"ATRIUM_KEY": key} if key else {})


@contextmanager
def running_listener(
    api: Api, to: str | None, folder: Path, *options: str, key: str | None = None
) -> Iterator[Listening]:
    """Run it with --json, and wait until it listens."""
    out, err = folder / "out.log", folder / "err.log"
    with out.open("wb") as error, err.open("wb") as noted:
        process = subprocess.Popen(
            arguments(api, to, "--json", *options), env=environment(key or api.personal_key), stdout=error, stderr=noted
        )
    running = Listening(process, out, err)
    try:
        wait_until(lambda: running.lines() or process.poll() is not None)
        assert process.poll() is None, err.read_text()
        running.first = running.lines()[0]
        yield running
    finally:
        process.kill()
        process.wait(10)


def error_of(api: Api, *options: str, key: str | None, to: str = "http://127.0.0.1:9/x") -> str:
    """Return the error of the command; it runs in this process, because starting another takes seconds."""
    result = CliRunner().invoke(app, arguments(api, to, *options)[1:], env={"ATRIUM_KEY": key})
    assert isinstance(result.exception, CommandError), result.output
    assert result.output == ""
    return str(result.exception)


def webhooks(api: Api) -> list[dict[str, Any]]:
    return api.person.get(f"{api.organization}/webhooks").json()["webhooks"]


def new_webhook(api: Api) -> tuple[str, str]:
    """Create a webhook whose endpoint does not listen; return its id and secret."""
    subscription = {"subject_type": "WEBHOOK_SUBJECT_TYPE_ROOM", "subject_id": api.room_id, "subscription_type": SENT}
    content = {"name": "Hook", "endpoint_url": f"http://127.0.0.1:{free_port()}/", "subscriptions": [subscription]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text
    return made.json()["webhook"]["id"], made.json()["secret"]

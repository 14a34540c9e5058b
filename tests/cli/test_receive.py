"""`atrium receive` accepts only what was signed with its secret, and reports on each delivery."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

import httpx
import pytest

from atrium.webhooks.delivery.signing import new_secret, sign
from tests.conftest import ATRIUM, TLS, free_port

SECRET = new_secret()
ROOM = "0193a1b2-0000-7000-8000-000000000001"


@dataclass
class Receiving:
    """A running `atrium receive`, and the position in its output where a test starts."""

    url: str
    process: subprocess.Popen[bytes]
    output: Path
    begin: int = 0

    def deliver(
        self, text: str = "hello", delivery: str = "d1", path: str = "/hooks/any", **headers: str
    ) -> httpx.Response:
        """Post a delivery as Atrium does; keyword arguments change its headers."""
        body = json.dumps({"event": "message_sent", "subject": {"type": "room", "id": ROOM}, "text": text}).encode()
        return self.post(
            body, {"X-Service-Delivery": delivery, **{k.replace("_", "-"): v for k, v in headers.items()}}, path
        )

    def post(self, body: bytes, headers: dict[str, str], path: str = "/") -> httpx.Response:
        signed = {"X-Service-Signature": sign(SECRET, body), "X-Service-Event": "message_sent"}
        return httpx.post(self.url + path, content=body, headers={**signed, **headers}, timeout=20, verify=TLS)

    def new_output(self) -> str:
        return self.output.read_bytes()[self.begin :].decode()

    def lines(self) -> list[dict[str, Any]]:
        """Return the objects printed by --json."""
        return [json.loads(line) for line in self.new_output().splitlines() if line.startswith("{")]


@contextmanager
def running_receiver(
    folder: Path, *options: str, secret: str = SECRET, stdin: IO[str] | None = None
) -> Iterator[Receiving]:
    output = folder / "receive.log"
    environment = {**os.environ, "ATRIUM_WEBHOOK_SECRET": secret}
    with output.open("wb") as log:
        process = subprocess.Popen(
            [ATRIUM, "receive", "--port", "0", *options],
            env=environment,
            stdin=stdin,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Receiving(_url_of(process, output), process, output)
    finally:
        process.kill()
        process.wait(10)


def _url_of(process: subprocess.Popen[bytes], output: Path) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"Receiving on (http://\S+)", output.read_text()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"atrium receive did not come up: {output.read_text()}")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "ATRIUM_WEBHOOK_SECRET"}
    return subprocess.run(
        [ATRIUM, "receive", *arguments],
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.fixture(scope="module")
def receivers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Receiving, Receiving]]:
    """Run a receiver with plain output and one with JSON, shared because starting one takes seconds."""
    plain, in_json = tmp_path_factory.mktemp("plain"), tmp_path_factory.mktemp("json")
    with running_receiver(plain) as first, running_receiver(in_json, "--json") as second:
        yield first, second


def of_this_test(running: Receiving) -> Receiving:
    return replace(running, begin=running.output.stat().st_size)


@pytest.fixture
def plain(receivers: tuple[Receiving, Receiving]) -> Receiving:
    return of_this_test(receivers[0])


@pytest.fixture
def in_json(receivers: tuple[Receiving, Receiving]) -> Receiving:
    return of_this_test(receivers[1])


@pytest.fixture
def name() -> str:
    """Return a delivery id that no other test has used."""
    return uuid4().hex


def test_a_signed_delivery_is_answered_200_and_shown(plain: Receiving, name: str) -> None:
    text = "Grüße [bold]all[/bold] \x1b[31m\x9b"
    assert plain.deliver(text, name, path="/any/path?at=all").status_code == 200
    line = next(line for line in plain.new_output().splitlines() if "verified" in line)
    for part in ("message_sent", "200", f"room {ROOM}", f"delivery {name}"):
        assert part in line
    assert '"text": "Grüße [bold]all[/bold]' in plain.new_output()
    assert "\x1b" not in plain.new_output()
    assert "\x9b" not in plain.new_output()


@pytest.mark.contract("Events and deliveries 20")
@pytest.mark.parametrize("signature", ["", "sha256=00", "é", sign("whsec_b3RoZXI=", b"x")])
def test_a_wrong_signature_is_answered_401(in_json: Receiving, signature: str) -> None:
    body = b'{"event": "message_sent"}'
    headers = {"X-Service-Signature": signature.encode(), "X-Service-Delivery": b"d1"}
    assert httpx.post(in_json.url, content=body, headers=headers, timeout=60).status_code == 401
    (line,) = in_json.lines()
    assert (line["outcome"], line["status"], line["body"]) == ("refused", 401, None)
    assert line["why"] == "X-Service-Signature does not match"


def test_without_a_signature_it_is_401_and_says_so(in_json: Receiving) -> None:
    assert httpx.post(in_json.url, content=b"{}", timeout=60).status_code == 401
    assert in_json.lines()[0]["why"] == "X-Service-Signature is missing"


def test_a_changed_body_is_answered_401(in_json: Receiving) -> None:
    signature = sign(SECRET, b'{"a": 1}')
    assert in_json.post(b'{"a": 2}', {"X-Service-Signature": signature}).status_code == 401
    assert in_json.post(b'{"a": 1}', {"X-Service-Signature": signature}).status_code == 200


@pytest.mark.contract("Events and deliveries 20")
def test_a_repeated_delivery_is_reported_as_a_duplicate(in_json: Receiving, name: str) -> None:
    answers = [in_json.deliver(delivery=name + each) for each in ("1", "2", "1", "1")]
    assert [each.status_code for each in answers] == [200] * 4
    assert answers[2].text == "seen before\n"
    assert [each["outcome"] for each in in_json.lines()] == ["verified", "verified", "duplicate", "duplicate"]
    assert [each["delivery_id"].removeprefix(name) for each in in_json.lines()] == ["1", "2", "1", "1"]


def test_a_forged_delivery_does_not_make_the_genuine_one_a_duplicate(in_json: Receiving, name: str) -> None:
    assert in_json.deliver(delivery=name, X_Service_Signature="sha256=00").status_code == 401
    assert in_json.deliver(delivery=name).text == "verified\n"


def test_it_fails_as_often_as_requested_and_accepts_the_retry(tmp_path: Path) -> None:
    with running_receiver(tmp_path, "--json", "--fail", "2") as running:
        assert running.deliver(X_Service_Signature="sha256=00").status_code == 401
        assert [running.deliver().status_code for _ in range(4)] == [500, 500, 200, 200]
        assert [each["outcome"] for each in running.lines()][1:] == ["verified", "verified", "verified", "duplicate"]


def test_it_delays_its_response_as_requested(tmp_path: Path) -> None:
    with running_receiver(tmp_path, "--json", "--delay", "1") as running:
        began = time.monotonic()
        assert running.deliver().status_code == 200
        assert time.monotonic() - began >= 1


def test_json_output_is_one_complete_object_per_line(in_json: Receiving, name: str) -> None:
    in_json.deliver("é\n", name, path="/here%2Fthere?a[]=b")
    (line,) = in_json.lines()
    assert line.pop("received_at").endswith("Z")
    body = {"event": "message_sent", "subject": {"type": "room", "id": ROOM}, "text": "é\n"}
    assert line == {
        "outcome": "verified",
        "status": 200,
        "why": None,
        "event": "message_sent",
        "delivery_id": name,
        "subject": f"room {ROOM}",
        "path": "/here%2Fthere?a[]=b",
        "body": body,
    }


@pytest.mark.parametrize("body", [b"", b"no json", b"\xff\xfe", b"[]", b'{"subject": 1}', b"[" * 50_000, b'"\\ud800"'])
def test_any_signed_bytes_are_accepted(plain: Receiving, body: bytes) -> None:
    assert plain.post(body, {}).status_code == 200


def test_compressed_bodies_are_verified_as_sent(in_json: Receiving) -> None:
    assert in_json.post(gzip.compress(b"{}"), {"Content-Encoding": "gzip"}).status_code == 200


def test_a_body_over_1_mib_is_not_read(in_json: Receiving) -> None:
    assert in_json.post(b"x" * (1 << 20), {}).status_code == 200
    assert in_json.post(b"x" * ((1 << 20) + 1), {}).status_code == 413


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly(tmp_path: Path, way: signal.Signals) -> None:
    with running_receiver(tmp_path) as running:
        running.deliver()
        running.process.send_signal(way)
        assert running.process.wait(10) == 0
        assert "Traceback" not in running.new_output()


def test_without_a_secret_it_says_how_to_provide_one() -> None:
    done = run("--port", "0")
    assert done.returncode == 1
    assert done.stderr.startswith("atrium: no secret: set ATRIUM_WEBHOOK_SECRET or pass --secret-file")


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("--secret", "s", "--port", str(port))
    assert done.returncode == 1
    assert done.stderr == f"atrium: cannot listen on 127.0.0.1:{port}: address already in use\n"


def test_an_invalid_host_is_named() -> None:
    done = run("--secret", "s", "--host", "no-such-host.invalid", "--port", str(free_port()))
    assert done.returncode == 1
    assert done.stderr.startswith("atrium: cannot listen on no-such-host.invalid:")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("source", ["file", "-"])
def test_the_secret_can_come_from_a_file_or_standard_input(tmp_path: Path, source: str) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    where = source if source == "-" else str(file)
    with file.open() as stdin, running_receiver(tmp_path, "--secret-file", where, secret="", stdin=stdin) as running:
        assert running.deliver().status_code == 200


@pytest.mark.contract("Conventions 7")
def test_the_secret_is_not_in_the_process_list(tmp_path: Path) -> None:
    with running_receiver(tmp_path, "--secret", SECRET, "--json", secret="") as running:
        shown = Path(f"/proc/{running.process.pid}/cmdline").read_bytes()
        assert running.deliver().status_code == 200
    assert SECRET.encode() not in shown
    assert b"--json" in shown

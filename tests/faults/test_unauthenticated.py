"""Requests without a valid key cost the server little, however their connections behave."""

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from atrium.keys.tokens import PERSONAL_PREFIX, mint
from tests.conftest import Api, RunningServer
from tests.faults.connections import connect, read_answer
from tests.faults.running import http_processes

SENDERS, BODY = 300, 1 << 20
LARGE = b'{"text":"hello"}' + b" " * 100_000


def head(path: str, *headers: str) -> bytes:
    return "\r\n".join(
        (f"POST {path} HTTP/1.1", "Host: x", "Content-Type: application/json", *headers, "", "")
    ).encode()


def try_send(line: socket.socket, content: bytes) -> None:
    """A client that keeps sending long after an error is disconnected."""
    with suppress(ConnectionError):
        line.sendall(content)


def try_read_status(line: socket.socket) -> int | None:
    with suppress(ConnectionError):
        return read_answer(line)[0]
    return None


def peak(process: psutil.Process) -> int:
    """Return its peak memory since `forget_peak`."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024


@pytest.mark.contract("Conventions 5")
@pytest.mark.parametrize(
    "authorization", ["", f"Authorization: Bearer {mint(PERSONAL_PREFIX)}"], ids=["none", "unknown"]
)
def test_request_bodies_of_unauthenticated_clients_take_no_memory(
    api: Api, server: RunningServer, authorization: str
) -> None:
    processes = http_processes(server)
    for process in processes:
        Path(f"/proc/{process.pid}/clear_refs").write_text("5")
    before = sum(map(peak, processes))
    sent = head(api.messages, *filter(None, [authorization]), f"Content-Length: {BODY}") + b" " * (BODY - 1)
    with ExitStack() as open_ones, ThreadPoolExecutor(30) as senders:
        lines = [open_ones.enter_context(connect(api.url)) for _ in range(SENDERS)]
        list(senders.map(lambda line: try_send(line, sent), lines))
        assert {try_read_status(line) for line in lines} - {None} == {401}
    assert sum(map(peak, processes)) - before < SENDERS * BODY / 2


def revoked_key(api: Api) -> tuple[str, str]:
    """Create and revoke a key; return its id and the key."""
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "Stopped"}}).json()
    key_id = made["api_key"]["api_key_id"]
    assert api.person.delete(f"/v1/me/integrations/{key_id}").status_code == 204
    return key_id, made["key"]


@pytest.mark.contract("Conventions 5")
@pytest.mark.parametrize("framing", [f"Content-Length: {len(LARGE)}", "Transfer-Encoding: chunked"])
def test_a_large_body_is_read_only_after_authentication(api: Api, framing: str) -> None:
    _, stopped = revoked_key(api)
    hook = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "Alerts"}).json()["url"]
    url = urlsplit(hook).path
    body = LARGE if "Length" in framing else b"%x\r\n%s\r\n0\r\n\r\n" % (len(LARGE), LARGE)
    cases = [
        (api.messages, api.personal_key, 201, None),
        (api.messages, stopped, 401, "unauthenticated"),
        (api.messages, None, 401, "unauthenticated"),
        (f"{api.organization}/spaces", None, 401, "unauthenticated"),
        (url, None, 200, None),
        (f"{url[:-1]}_", None, 404, "incoming_webhook_not_found"),
        ("/v1/sessions", None, 413, "too_large"),
        ("/v1/sessions", api.personal_key, 400, "invalid_request"),
    ]
    for path, key, status, code in cases:
        keyed = [f"Authorization: Bearer {key}"] if key else []
        with connect(api.url) as line:
            line.sendall(head(path, framing, *keyed) + body)
            answer = read_answer(line)
        assert (answer[0], answer[1] and answer[1].get("code")) == (status, code), path


@pytest.mark.contract("Conventions 5")
def test_a_rejected_large_body_is_recorded_in_the_audit_log(api: Api) -> None:
    key_id, key = revoked_key(api)
    assert api.client(key).post(api.messages, content=LARGE).status_code == 401
    refused = api.person.get(f"{api.organization}/audit-log", params={"action": "request.refused"}).json()["entries"]
    assert [entry["api_key_id"] for entry in refused] == [key_id]

"""Connections that send nothing, or half a request, do not hold up the others, and are closed."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing

import httpx
import pytest

from atrium.kit.settings import Settings
from tests.conftest import TLS, Api, fresh_database, new_organization, running_server
from tests.faults.connections import connect
from tests.wait_until import wait_until

IDLE, STREAMS = 1150, 100
SENT = {
    "nothing": b"",
    "half a head": b"GET /healthz HTTP/1.1\r\nHost",
    "half a body": b"POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
}


@pytest.fixture(scope="module")
def place(settings: Settings) -> Iterator[Api]:
    """Run a server with one HTTP process, because with several a connection reaches any of them."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        fresh_database(settings) as own,
        running_server(own.with_changes(workers=1, streams=STREAMS)) as running,
        closing(new_organization(running.settings, running.url)) as made,
    ):
        yield made
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


def open_stream(place: Api) -> socket.socket:
    """Open a stream of live events and wait until it starts."""
    line = connect(place.url)
    keyed = f"Authorization: Bearer {place.personal_key}"
    line.sendall(f"GET /v2/events HTTP/1.1\r\nHost: x\r\n{keyed}\r\n\r\n".encode())
    assert b" 200 " in line.recv(1 << 16).split(b"\r\n")[0]
    return line


def tells(line: socket.socket, text: str) -> bool:
    seen = b""
    while text.encode() not in seen:
        chunk = line.recv(1 << 16)
        assert chunk, "the stream has ended"
        seen += chunk
    return True


@pytest.mark.contract("Conventions 4")
@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_silent_connections_hold_up_neither_probes_nor_streams(place: Api, sent: bytes) -> None:
    with ExitStack() as open_ones:
        stream = open_ones.enter_context(open_stream(place))
        for _ in range(IDLE):
            open_ones.enter_context(connect(place.url)).sendall(sent)
        assert httpx.get(f"{place.url}/healthz", verify=TLS, timeout=20).json() == {"status": "ok"}
        place.send("still here")
        assert tells(stream, "still here")


@pytest.mark.contract("Conventions 4")
def test_a_connection_without_a_complete_request_is_closed(place: Api) -> None:
    with ExitStack() as open_ones:
        lines = [open_ones.enter_context(connect(place.url)) for _ in SENT]
        for line, sent in zip(lines, SENT.values(), strict=True):
            line.sendall(sent)
        wait_until(lambda: all(map(is_closed, lines)), "all are closed", seconds=180)


def is_closed(line: socket.socket) -> bool:
    """Return whether the server has closed a connection, perhaps after an error."""
    line.setblocking(False)
    try:
        return line.recv(1 << 16) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True

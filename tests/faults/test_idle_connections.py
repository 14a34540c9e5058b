"""Idle connections are closed in favor of active ones; a request in progress is never cut."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from ipaddress import ip_network

import httpx
import pytest

from atrium.kit.settings import Settings
from atrium.server.client_connections import IdleConnection, excess_connections
from tests.conftest import TLS, Api, RunningServer, free_port, fresh_database, new_organization, running_server
from tests.faults.running import http_processes
from tests.faults.test_unauthenticated import answered, connect
from tests.wait_until import wait_until

IDLE, STREAMS, PER_ADDRESS = 1150, 100, 256
MADE_WAY = "excess idle connections were closed"


@pytest.fixture(scope="module")
def one_process(settings: Settings) -> Iterator[RunningServer]:
    """Run a server with one HTTP process, because with several a connection reaches any of them."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        fresh_database(settings) as own,
        running_server(own.with_changes(workers=1, streams=STREAMS, port=free_port())) as running,
    ):
        yield running
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


@pytest.fixture
def place(one_process: RunningServer) -> Iterator[Api]:
    with closing(new_organization(one_process.settings, one_process.url)) as made:
        yield made


def is_closed(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


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


def get(line: socket.socket, path: str) -> int:
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return answered(line)[0]


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /healthz HTTP/1.1\r\nHost", b"POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"],
    ids=["nothing", "half a head", "half a body"],
)
def test_idle_connections_are_closed_under_load_without_affecting_streams_or_probes(
    place: Api, one_process: RunningServer, sent: bytes
) -> None:
    with ExitStack() as open_ones:
        stream = open_ones.enter_context(open_stream(place))
        idle = [open_ones.enter_context(connect(place.url)) for _ in range(IDLE)]
        for line in idle:
            line.sendall(sent)
        assert httpx.get(f"{place.url}/healthz", timeout=60, verify=TLS).json() == {"status": "ok"}
        wait_until(lambda: sum(map(is_closed, idle)) >= IDLE - PER_ADDRESS, "those too many are closed")
        assert MADE_WAY in one_process.output.read_text()  # and not only for their age
        place.send("still here")
        assert tells(stream, "still here")


def test_requests_that_arrive_while_the_process_is_suspended_are_answered(
    place: Api, one_process: RunningServer
) -> None:
    [process] = http_processes(one_process)
    with ExitStack() as open_ones:
        stream = open_ones.enter_context(open_stream(place))
        waiting = [open_ones.enter_context(connect(place.url)) for _ in range(20)]
        assert [get(line, "/healthz") for line in waiting] == [200] * 20
        process.suspend()
        try:
            for line in waiting:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            idle = [open_ones.enter_context(connect(place.url)) for _ in range(2 * PER_ADDRESS)]
        finally:
            process.resume()
        assert [answered(line)[0] for line in waiting] == [200] * 20
        wait_until(lambda: sum(map(is_closed, idle)) >= PER_ADDRESS, "those too many are closed")
        place.send("after the pause")
        assert tells(stream, "after the pause")


def idle_ones(*addresses: str) -> list[IdleConnection]:
    """Open idle connections, the longest idle first."""
    return [IdleConnection(nr, nr, address, 1000 - nr, 0) for nr, address in enumerate(addresses)]


def test_the_longest_idle_connections_are_closed_first() -> None:
    proxy = (ip_network("10.0.0.0/8"),)
    made = idle_ones("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1", "10.1.1.1", "10.1.1.1", "10.1.1.1")
    assert {each.descriptor for each in excess_connections(made, 2, 100, proxy)} == {0}
    assert {each.descriptor for each in excess_connections(made, 2, 100, ())} == {0, 4}
    assert {each.descriptor for each in excess_connections(made, 2, 4, proxy)} == {0, 1, 2}
    assert not excess_connections(made, 3, 7, ())

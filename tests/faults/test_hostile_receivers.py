"""Fifty hostile receivers and ten healthy ones: the hostile ones harm neither the healthy ones nor the worker.

The log shows the behavior of each.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from atrium.kit.settings import Settings
from tests.conftest import Api, free_port, new_organization
from tests.faults.receivers import Loopback, Receiver, hostile_receivers, loopback, respond_204
from tests.faults.running import running_atrium, worker_of
from tests.faults.subscribing import a_place, subscribe
from tests.wait_until import wait_until

HEALTHY, HOSTILE, SENT = 10, 50, 2
ATTEMPTS = 2  # of each hostile delivery: the first, and a retry a second later
MAX_GROWTH = 150 << 20  # bytes of the worker's memory
LONGEST = 30_000  # milliseconds; an attempt takes at most 15 seconds, the rest allows for a busy machine
UNTRIED, LEFT = "select count(*) from deliveries where attempts = '[]'", "select count(*) from due_deliveries"
HANGING = {"drips", "stalls in TLS"}
SENTENCES = {  # None: a 2xx arrived in time, so the first attempt succeeded
    "drips": None,
    "stalls in TLS": "no response within 15 seconds",
    "never ends": None,
    "gzip bomb": None,
    "204 with a body": None,
    "truncated": None,
    "no UTF-8": "HTTP 500",
    "huge headers": None,
    "resets": None,
    "redirects 301": "HTTP 301; redirects are not followed",
    "redirects 302": "HTTP 302; redirects are not followed",
    "redirects 307": "HTTP 307; redirects are not followed",
    "redirects here": "HTTP 308; redirects are not followed",
}


@dataclass
class Watched:
    """The addresses that a process connected to, and its peak memory."""

    process: psutil.Process
    dialled: set[str] = field(default_factory=set)
    before: int = 0

    @property
    def peak(self) -> int:
        """Return the kernel's high-water mark in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) << 10


@contextmanager
def monitor(process: psutil.Process) -> Iterator[Watched]:
    """Poll a process; connections to addresses that never answer last for seconds."""
    watched, stop = Watched(process), threading.Event()
    watched.before = process.memory_info().rss

    def look() -> None:
        while not stop.wait(0.2):
            watched.dialled.update(each.raddr.ip for each in process.net_connections("inet") if each.raddr)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        stop.set()
        thread.join(10)


def log_of(api: Api, webhook_id: str) -> list[dict[str, Any]]:
    answer = api.person.get(f"{api.organization}/webhooks/{webhook_id}/logs")
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()["logs"]
    return entries


def test_hostile_receivers_time_out_with_a_reason_and_affect_no_other_delivery(
    settings: Settings,
) -> None:
    with a_place(settings) as place, loopback() as here:
        changed = place.with_changes(retry_schedule="1s", port=free_port())
        with running_atrium(changed) as running, monitor(worker_of(running)) as watched:
            api = new_organization(changed, running.url)
            trap = here.receiver(respond_204, "trap")
            hostile = {subscribe(api, each): each for each in hostile_receivers(here, trap, HOSTILE)}
            healthy = {subscribe(api, each): each for each in _healthy_ones(here)}
            assert api.person.get(f"{api.organization}/webhooks").is_success
            watched.before = max(watched.before, watched.process.memory_info().rss)
            messages = {api.send(f"m{number}")["message_id"] for number in range(SENT)}
            api.wait_for_queue()
            wait_until(lambda: not _count(api, UNTRIED), "every first attempt ends")
            wait_until(lambda: not _count(api, LEFT), "every delivery ends")
            for webhook_id, receiver in healthy.items():
                assert {each.message_id for each in receiver.requests} == messages
                assert len(receiver.requests) == SENT
                assert [entry["status"] for entry in log_of(api, webhook_id)] == ["DELIVERY_STATUS_SUCCEEDED"] * SENT
            for webhook_id, receiver in hostile.items():
                _assert_ended(receiver, log_of(api, webhook_id))
            _assert_nobody_waited_for_those_that_hang(here.events)
            assert watched.peak - watched.before < MAX_GROWTH
            assert (trap.connections, watched.dialled) == (0, {"127.0.0.1"})
            assert watched.process.is_running(), "the worker is the one that it was"
            api.close()


def _healthy_ones(here: Loopback) -> list[Receiver]:
    return [here.receiver(respond_204, "healthy") for _ in range(HEALTHY)]


def _count(api: Api, statement: str) -> int:
    [row] = api.sql(statement)
    return int(row[0])


def _assert_ended(receiver: Receiver, log: list[dict[str, Any]]) -> None:
    """Assert that the receiver saw every attempt, and that the log describes each result."""
    assert len(log) == SENT
    sentence = SENTENCES[receiver.name]
    attempts = ATTEMPTS if sentence else 1
    for entry in log:
        assert entry["status"] == f"DELIVERY_STATUS_{'FAILED' if sentence else 'SUCCEEDED'}"
        assert [attempt["error"] for attempt in entry["attempts"]] == [sentence] * attempts
        for attempt in entry["attempts"]:
            assert attempt["duration_ms"] < LONGEST
            excerpt = attempt["response_excerpt"]
            assert "\0" not in excerpt
            if receiver.name == "no UTF-8":
                assert excerpt == "a\ufffd\ufffd\ufffd\ufffd\ufffd(b\ufffd"
            assert len(excerpt.encode()) <= 3 * 4096, "4 KiB, in which each byte may be one that is no text"
    assert receiver.connections == SENT * attempts
    if receiver.name != "stalls in TLS":
        assert sorted(receiver.delivery_ids) == sorted([entry["delivery_id"] for entry in log] * attempts)


def _assert_nobody_waited_for_those_that_hang(events: list[str]) -> None:
    last_healthy = max(number for number, event in enumerate(events) if event == "healthy arrived")
    first_ended = min(events.index(f"{name} ended") for name in HANGING)
    assert last_healthy < first_ended
